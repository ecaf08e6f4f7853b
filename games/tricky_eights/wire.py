"""The line protocol ("Protocol Reference" in the Utah problem; docs/rulings.md, Tricky Eights 4 to 6)."""

from __future__ import annotations

from math import inf

from games.commons import Commons
from games.engine import Action, Event, Fault, FaultKind, Seat
from games.tricky_eights.rules import LETTERS, PACK, POOL
from games.tricky_eights.timing import FunctionTimes

_CARDS = {name.encode("ascii"): card for card, name in enumerate(PACK)}
_BLANKS = b" \t\r\n"
_PAIRS = tuple({name: f"{letter} {name} " for name in PACK} for letter in LETTERS)
"""By seat and card: the pair in a line, such as `n d5 `, with the blank after it."""
_FULL = 4 * len("n d5 ")
_TAKES = POOL // 4  # rounds of them in a hand


class Said:
    """What everybody is told in a game, as lines: `aftertake`, `result` and `endround`."""

    __slots__ = ("lines", "takes", "trick")

    def __init__(self) -> None:
        self.lines: list[str] = []  # so far
        self.trick = ""  # the cards taken or played since, such as "n d5 e ct "
        self.takes = _TAKES  # rounds of takes still to come in this hand

    def tell(self, event: Event) -> None:
        if "card" in event:
            self.trick += _PAIRS[event["seat"]][event["card"]]
            if self.takes and len(self.trick) == _FULL:  # no event ends a round of takes
                self.takes -= 1
                self._end("aftertake")
        elif event["event"] == "trick":
            self._end("result")
        elif event["event"] == "score":
            self.lines.append("endround\n")
            self.takes = _TAKES

    def _end(self, word: str) -> None:
        self.lines.append(f"{word} {self.trick[:-1]}\n")
        self.trick = ""


class LineWire:
    """One seat's lines: `starthand`, `take`, `aftertake`, `play`, `result` and `endround`. Answers are cards such as
    `dk`.

    What everybody is told is written once for all wires of a game, where these have `commons`. `seconds` is the limit
    of each function whose processor time an answer reports (games.tricky_eights.timing).
    """

    __slots__ = ("_alone", "_letter", "_own", "_read", "_said", "_seat", "_times", "account")

    def __init__(self, seat: Seat, seconds: float = inf, commons: Commons | None = None) -> None:
        self._seat = seat
        self._letter = LETTERS[seat]
        self._alone = commons is None
        self._said = Said() if commons is None else commons.join(Said, self.tell)
        self._read = len(self._said.lines)  # how many of them this bot was sent, or has to come in `_own`
        self._own: list[str] = []  # lines up to the start of this seat's hand
        self._times = FunctionTimes(seconds)
        self.account = self._times.account

    def tell(self, event: Event) -> None:
        if self._alone:
            self._said.tell(event)
        if event["event"] == "hand":
            hand = " ".join(event["hands"][self._seat] + event["pool"])
            self._own = [*self._news(), f"starthand {self._letter} {hand}\n"]

    def _news(self) -> list[str]:
        """Return the lines that this bot was not sent yet."""
        lines, first = self._said.lines, self._read
        self._read = len(lines)
        if not self._own:
            return lines[first:]
        own, self._own = self._own, []
        return own + lines[first:]

    def question(self) -> tuple[bytes, int]:
        said, news = self._said, self._news()
        news.append(f"{'take' if said.takes else 'play'} {said.trick}{self._letter}\n")
        return "".join(news).encode(), len(news)

    def farewell(self) -> bytes:
        question, _ = self.question()
        return question[: question.rfind(b"\n", 0, -1) + 1]

    def parse(self, line: bytes) -> Action:
        card = _CARDS.get(line)
        if card is None:
            card = _CARDS.get(self._times.strip(line).strip(_BLANKS))
        if card is None:
            raise Fault(FaultKind.GARBLED, self._complaint(line), line)
        return card

    def _complaint(self, line: bytes) -> str:
        answer = line.strip(_BLANKS)
        if not answer:
            return "answered with an empty line where the referee expected one card"
        if answer.lower() in _CARDS:
            return "did not write its card in lower case"
        if len(answer.split()) > 1:
            return "answered with several words where the referee expected one card, such as h7"
        return "answered with something that is not a card"
