"""The line protocol ("Protocol Reference" in the Utah problem; docs/rulings.md, Tricky Eights 4 to 6)."""

from __future__ import annotations

from math import inf

from games.engine import Action, Event, Fault, FaultKind, Seat
from games.tricky_eights.rules import LETTERS, PACK, POOL
from games.tricky_eights.timing import FunctionTimes

_CARDS = {name.encode("ascii"): card for card, name in enumerate(PACK)}
_BLANKS = b" \t\r\n"
_PAIRS = tuple({name: f"{letter} {name} " for name in PACK} for letter in LETTERS)
"""By seat and card: the pair in a line, such as `n d5 `, with the blank after it."""
_FULL = 4 * len("n d5 ")


class LineWire:
    """One seat's lines: `starthand`, `take`, `aftertake`, `play`, `result` and `endround`. Answers are cards such as
    `dk`.

    Events are collected as they are told, and become text with the next question. `seconds` is the limit of each
    function whose processor time an answer reports (games.tricky_eights.timing).
    """

    __slots__ = ("_letter", "_news", "_seat", "_takes", "_times", "_trick", "account", "tell")

    def __init__(self, seat: Seat, seconds: float = inf) -> None:
        self._seat = seat
        self._letter = LETTERS[seat]
        self._news: list[Event] = []
        self.tell = self._news.append
        self._times = FunctionTimes(seconds)
        self.account = self._times.account
        self._trick = ""  # the cards taken or played since the last summary, such as "n d5 e ct "
        self._takes = 0  # rounds of takes still to come

    def question(self) -> tuple[bytes, int]:
        lines: list[str] = []
        trick = self._trick
        for event in self._news:
            if "card" in event:
                trick += _PAIRS[event["seat"]][event["card"]]
            elif event["event"] == "trick":
                lines.append(f"result {trick[:-1]}\n")
                trick = ""
            elif event["event"] == "hand":
                self._takes = POOL // 4
                lines.append(f"starthand {self._letter} {' '.join(event['hands'][self._seat] + event['pool'])}\n")
            elif event["event"] == "score":
                lines.append("endround\n")
        self._news.clear()
        if self._takes and len(trick) >= _FULL:  # no event ends a round of takes; plays may follow the last one
            self._takes -= 1
            lines.append(f"aftertake {trick[: _FULL - 1]}\n")
            trick = trick[_FULL:]
        self._trick = trick
        lines.append(f"{'take' if self._takes else 'play'} {trick}{self._letter}\n")
        return "".join(lines).encode(), len(lines)

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
            return "answered with an empty line, where one card was due"
        if answer.lower() in _CARDS:
            return "did not write its card in lower case"
        if len(answer.split()) > 1:
            return "answered with more than one word, where one card was due"
        return "answered with something that is not a card"
