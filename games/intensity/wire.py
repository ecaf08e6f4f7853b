"""What a bot of Intensity reads and prints ("Implementation" in the assignment; docs/rulings.md, Intensity 2, 3, 5).

Every question goes to a new process, so it says everything that there is to know. Each group of numbers is on a line of
its own. An empty group is an empty line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.cards import BIT, listed, mask
from games.engine import Action, Event, Fault, FaultKind, Seat
from games.intensity.rules import DISCARDS, SEATS
from games.phrases import bad_number

NAME, DISCARD, PLAY, TEST = 0, 1, 2, 3
"""The first number of a question says what is wanted."""

NAME_MOST = 32
"""The longest name, in characters."""

_NUMBER = re.compile(rb"[0-9]{1,18}")
_KEPT = 1000  # bytes of an answer that are worth keeping


def bare(what: int) -> bytes:
    """Return a question that is only its first number."""
    return b"%d\n" % what


class QuestionWire:
    """One seat's questions: everything it knows in numbers, turned into text as soon as it is final."""

    __slots__ = ("_chosen", "_hand", "_passes", "_played", "_round", "_seat")

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._hand = 0
        self._passes = 0  # seats whose discards are chosen
        self._chosen = {"discarded": "", "received": ""}
        self._round: list[int] = []
        self._played = ""  # in the rounds before this one

    def tell(self, event: Event) -> None:
        kind = event["event"]
        if kind == "play":
            self._round.append(event["card"])
            if event["seat"] == self._seat:
                self._hand ^= BIT[event["card"]]
        elif kind == "trick":
            self._played = f"{self._played} {_line(self._round)}".lstrip()
            self._round = []
        elif kind == "pass":
            self._tell_pass(event)
        elif kind == "hand":
            self._hand = mask(event["hands"][self._seat])

    def _tell_pass(self, event: Event) -> None:
        if event["seat"] == self._seat:
            self._chosen["discarded"] = _line(sorted(event["cards"]))
            self._hand ^= mask(event["cards"])
        elif event["to"] == self._seat:
            self._chosen["received"] = _line(sorted(event["cards"]))
            self._hand |= mask(event["cards"])
        self._passes += 1

    def question(self) -> tuple[bytes, int]:
        hand = listed(self._hand)
        if not self._passes:
            return f"{DISCARD}\n{_line(hand)}\n".encode(), 2
        about = f"{PLAY}\n{len(hand)} {len(self._round)} {self._seat}\n{_line(hand)}\n{_line(self._round)}"
        chosen = "{discarded}\n{received}\n".format_map(self._chosen)
        return f"{about}\n{self._played}\n{chosen}".encode(), 7

    def farewell(self) -> bytes:
        return b""

    def parse(self, output: bytes) -> Action:
        """Parse standard output: as many numbers as are due, between white space of any kind."""
        wanted = 1 if self._passes == len(SEATS) else DISCARDS
        words = output.split()
        due = "one card" if wanted == 1 else f"{DISCARDS} cards"
        for word in words:
            if not _NUMBER.fullmatch(word):
                what = bad_number(word.decode("latin-1"))
                raise _garbled(f"answered with {what} where the referee expected {due}", output)
        if not words:
            raise _garbled(f"answered with an empty line where the referee expected {due}", output)
        if len(words) != wanted:
            count = "one number" if len(words) == 1 else f"{len(words)} numbers"
            raise _garbled(f"answered with {count} where the referee expected {due}", output)
        numbers = sorted(map(int, words))
        return numbers[0] if wanted == 1 else tuple(numbers)


def read_name(answer: bytes) -> str:
    """Return the name in an answer; blank when there is none."""
    text = answer.split(b"\n", 1)[0].decode("utf-8", "ignore")
    name = "".join(letter if letter.isprintable() else " " * letter.isspace() for letter in text)
    return name.strip()[:NAME_MOST].rstrip()


def _line(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _garbled(detail: str, output: bytes) -> Fault:
    return Fault(FaultKind.GARBLED, detail, output[:_KEPT].rstrip() or None)
