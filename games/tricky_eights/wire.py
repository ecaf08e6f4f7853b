"""The line protocol of seed 000, "Protocol Reference", as rulings.md (Tricky Eights 4 and 5) settles it."""

from __future__ import annotations

from games.engine import Action, Event, Fault, FaultKind, Seat
from games.tricky_eights.rules import HAND, LETTERS, PACK, POOL

SUMMARY = {"take": "aftertake ", "play": "result "}
_CARDS = {name.encode("ascii"): card for card, name in enumerate(PACK)}
_BLANKS = b" \t\r"


class LineWire:
    """One seat's lines: `starthand`, `take`, `aftertake`, `play`, `result` and `endround`; answers such as `dk`."""

    __slots__ = ("_letter", "_seat", "_owed", "_trick", "_count", "_decisions")

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._letter = LETTERS[seat]
        self._owed = ""  # full lines
        self._trick = ""  # the cards taken or played since the last summary, such as "n d5 e ct "
        self._count = 0  # how many they are
        self._decisions = 0  # takes and plays in this round

    def tell(self, event: Event) -> None:
        kind = event["event"]
        if kind == "play" or kind == "take":
            self._decisions += 1
            self._trick += LETTERS[event["seat"]] + " " + event["card"] + " "
            if self._count < 3:
                self._count += 1
            else:
                self._owed += SUMMARY[kind] + self._trick[:-1] + "\n"
                self._trick = ""
                self._count = 0
        elif kind == "hand":
            cards = event["hands"][self._seat] + event["pool"]
            assert len(cards) == HAND + POOL
            self._decisions = 0
            self._owed += f"starthand {self._letter} {' '.join(cards)}\n"
        elif kind == "score":
            self._owed += "endround\n"

    def question(self) -> tuple[bytes, int]:
        owed, self._owed = self._owed, ""
        word = "play " if self._decisions >= POOL else "take "
        data = (owed + word + self._trick + self._letter + "\n").encode("ascii")
        return data, data.count(b"\n")

    def farewell(self) -> bytes:
        owed, self._owed = self._owed, ""
        return owed.encode("ascii")

    def parse(self, line: bytes) -> Action:
        card = _CARDS.get(line.strip(_BLANKS))
        if card is None:
            raise Fault(FaultKind.GARBLED, self._complaint(line), line)
        return card

    def _complaint(self, line: bytes) -> str:
        answer = line.strip(_BLANKS)
        if not answer:
            return "answered with an empty line, where one card was due"
        if answer.lower() in _CARDS:
            return "did not write its card in lower case"
        if len(answer.split()) > 1:
            return "answered with more than one word, where one card was due"
        return "answered with something that is not a card"
