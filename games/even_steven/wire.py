"""The lines of the Even Steven problem, "Input for `evensteven'" and "Output for `evensteven'"."""

from __future__ import annotations

from games.engine import Action, Event, Fault, FaultKind
from games.even_steven.rules import CRASHED, INCORRECT, PACK

_CARDS = {name.encode("ascii"): card for card, name in enumerate(PACK)}
_ANY_CASE = frozenset(name.lower() for name in _CARDS)
_BLANKS = b" \t\r\n"

DEBUG = b"*"
"""A line that begins with this is for people. `dealer` copies it; the judge takes it for an answer."""


class LineWire:
    """A hand such as `4 4h 2d Qs Jc`, then dealt cards, one on each line; `YOU WIN` or `YOU LOSE`; answers such as
    `Jc`.

    There is one for all games of a process. How a game ended is told before the next hand, or at the end of the input.
    After a fault, nothing more is told.
    """

    __slots__ = ("_lines",)

    def __init__(self) -> None:
        self._lines: list[str] = []

    def tell(self, event: Event) -> None:
        kind = event["event"]
        if kind == "deal":
            self._lines.append(event["card"])
        elif kind == "hand":
            hand = event["hands"][0]
            self._lines.append(f"{len(hand)} {' '.join(hand)}")
        elif kind == "result" and event.get("verdict") not in (INCORRECT, CRASHED):
            self._lines.append("YOU WIN" if event["scores"][0] else "YOU LOSE")

    def question(self) -> tuple[bytes, int]:
        lines, self._lines = self._lines, []
        return ("\n".join(lines) + "\n").encode("ascii"), len(lines)

    def farewell(self) -> bytes:
        return self.question()[0] if self._lines else b""

    def parse(self, line: bytes) -> Action:
        card = _CARDS.get(line.strip(_BLANKS))
        if card is None:
            raise Fault(FaultKind.GARBLED, _complaint(line), line)
        return card


def _complaint(line: bytes) -> str:
    answer = line.strip(_BLANKS)
    if not answer:
        return "answered with an empty line where the referee expected one card"
    if answer.startswith(DEBUG):
        return "wrote a line for debugging, which begins with *, where the referee expected one card"
    if answer.lower() in _ANY_CASE:
        return "did not write its card as it was dealt, with capital J, Q, K, A and a small letter for the suit"
    if len(answer.split()) > 1:
        return "answered with several words where the referee expected one card, such as 7h"
    return "answered with something that is not a card"
