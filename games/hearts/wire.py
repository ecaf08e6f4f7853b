"""The line protocol of Hearts, also spoken by our C, C++, Pascal and Python harnesses (docs/rulings.md, Hearts 6).

The routines of the Hearts challenge as lines. What a bot is told is sent with its next question, in one piece:

    tournament PLAYERS TARGET                  InitTournament, once for a process
    game ID ID ID ID SEAT                      InitGame
    hand DIRECTION CARD*13                     a hand is dealt: left, right, across, none
    received (INDEX CARD)*3                    three cards take the places of those that were passed
    trick CARD*4 WINNER                        TrickResults, the cards by seat
    score POINTS*4 TOTAL*4                     HandResults, by seat

and the questions, each answered with one line: `hello` (before anything else), `pass` and `play TRICK LEADER CARD*0..3`
with indices into the hand as SelectPass and PlayTrick write them, and `end` after the last hand of a game. An answer
may end in `cpu N`: the nanoseconds of processor time that the routines have used since the answer before.
"""

from __future__ import annotations

import re

from games.engine import Action, Event, Fault, FaultKind, Seat, Setting
from games.hearts.rules import HAND, INDEX
from games.passes import PASSED
from games.phrases import bad_number, counted

_NUMBER, _NANOSECONDS = re.compile(rb"\d{1,5}"), re.compile(rb"\d{1,18}")
_BLANKS = b" \t\r\n"


class RoutineWire:
    """One seat's lines of one game. It knows the hand as the bot sees it, with gaps where cards were played."""

    def __init__(self, seat: Seat, target: int, setting: Setting, *, first: bool) -> None:
        """`first`: this process has not been told of the tournament yet."""
        self._seat = seat
        self._news = f"tournament {setting.entrants} {target}\n" if first else ""
        self._news += f"game {' '.join(map(str, setting.ids))} {seat}\n"
        self.hand: list[int | None] = []  # by index; None: played
        self._given: list[int] = []  # indices of the cards that were passed on, in order
        self._passing = False
        self._trick: list[tuple[Seat, str]] = []
        self._number = 0  # of the trick, from 0
        self.reported: float | None = None
        """Milliseconds of processor time that the routines used, by the report in the last answer."""

    def tell(self, event: Event) -> None:
        kind = event["event"]
        if kind == "play":
            self._play(event)
        elif kind == "trick":
            cards = [card for _, card in sorted(self._trick)]
            self._news += f"trick {' '.join(cards)} {event['winner']}\n"
            self._trick = []
            self._number += 1
        elif kind == "pass":
            self._pass(event)
        elif kind == "hand":
            cards = event["hands"][self._seat]
            self.hand = [INDEX[name] for name in cards]
            self._news += f"hand {event['pass']} {' '.join(cards)}\n"
            self._passing = event["pass"] != "none"
            self._number = 0
        elif kind == "score":
            self._news += f"score {' '.join(map(str, event['hand'] + event['total']))}\n"

    def _play(self, event: Event) -> None:
        self._trick.append((event["seat"], event["card"]))
        if event["seat"] == self._seat:
            self.hand[self.hand.index(INDEX[event["card"]])] = None

    def _pass(self, event: Event) -> None:
        """Our own pass is heard before the one that is for us (games.hearing)."""
        if event["seat"] == self._seat:
            self._given = [self.hand.index(INDEX[name]) for name in event["cards"]]
            self._passing = False
        elif event["to"] == self._seat:
            pairs = list(zip(self._given, event["cards"], strict=True))
            for index, name in pairs:
                self.hand[index] = INDEX[name]
            self._news += f"received {' '.join(f'{index} {name}' for index, name in pairs)}\n"

    def question(self) -> tuple[bytes, int]:
        if self._passing:
            return self._owed("pass")
        leader = self._trick[0][0] if self._trick else self._seat
        return self._owed(" ".join(("play", str(self._number), str(leader), *(card for _, card in self._trick))))

    def _owed(self, question: str) -> tuple[bytes, int]:
        text = f"{self._news}{question}\n".encode("ascii")
        self._news = ""
        return text, text.count(b"\n")

    def greeting(self) -> bytes:
        """Return the first question to a process. No routine is called for it."""
        return b"hello\n"

    def ending(self) -> tuple[bytes, int]:
        """Return all that is owed when the game is over, with the question that ends it, and the number of lines."""
        self.reported = None
        return self._owed("end")

    def farewell(self) -> bytes:
        """Return nothing: the answer to `ending` has settled everything."""
        return b""

    def settled(self, line: bytes) -> None:
        """Take the answer to `ending`. Only its report matters."""
        self.reported = _split(line)[1]

    def parse(self, line: bytes) -> Action:
        words, reported = _split(line)
        wanted = PASSED if self._passing else 1
        if len(words) != wanted or not all(map(_NUMBER.fullmatch, words)):
            raise Fault(FaultKind.GARBLED, _complaint(words, wanted), self.bare(line))
        self.reported = reported
        cards = tuple(self._card(int(word), self.bare(line)) for word in words)
        return cards if self._passing else cards[0]

    def bare(self, line: bytes) -> bytes:
        """Return an answer without its report, for people, or all of it where it is nothing else."""
        words, reported = _split(line)
        return line if reported is None else b" ".join(words) or line

    def _card(self, index: int, line: bytes) -> int:
        card = self.hand[index] if index < HAND else None
        if card is None:
            where = "is empty: its card was played" if index < HAND else "does not exist: a hand has 0 to 12"
            raise Fault(FaultKind.ILLEGAL, f"chose index {index}, which {where}", line)
        return card

    def answer(self, event: Event) -> str:
        """Return a decision of this seat as the line that makes it. Called before the event is told."""
        names = event["cards"] if event["event"] == "pass" else [event["card"]]
        return " ".join(str(self.hand.index(INDEX[name])) for name in names)


def _split(line: bytes) -> tuple[list[bytes], float | None]:
    """Split an answer into its words without the report, and the report in milliseconds."""
    words = line.strip(_BLANKS).replace(b"\t", b" ").split(b" ")
    words = [word for word in words if word]
    if len(words) > 1 and words[-2] == b"cpu" and _NANOSECONDS.fullmatch(words[-1]):
        return words[:-2], int(words[-1]) / 1e6
    return words, None


def _complaint(words: list[bytes], wanted: int) -> str:
    due = "three indices" if wanted == PASSED else "one index"
    if not words:
        return f"answered with an empty line where the referee expected {due}"
    if all(word.decode("latin-1").upper() in INDEX for word in words):
        return f"answered with cards where the referee expected {due}: places in the hand"
    if all(map(_NUMBER.fullmatch, words)):
        return f"answered with {counted(len(words), 'number')} where the referee expected {due}"
    bad = next(word for word in words if not _NUMBER.fullmatch(word))
    return f"answered with {bad_number(bad.decode('latin-1'))} where the referee expected {due}"
