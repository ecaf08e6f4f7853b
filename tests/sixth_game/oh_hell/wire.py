"""The line protocol. Sent with the next question: `hand CARD*5`, `score POINTS*4`. Questions: `bid BID*0..3`, answered
with a number, and `play CARD*0..3`, answered with a card."""

from __future__ import annotations

from oh_hell.rules import INDEX

from games.engine import Action, Event, Fault, FaultKind, Seat


class LineWire:
    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._news = ""
        self._bids: list[int] = []
        self._trick: list[str] = []

    def tell(self, event: Event) -> None:
        kind = event["event"]
        if kind == "hand":
            self._news += f"hand {' '.join(event['hands'][self._seat])}\n"
            self._bids, self._trick = [], []
        elif kind == "bid":
            self._bids.append(event["bid"])
        elif kind == "play":
            self._trick.append(event["card"])
        elif kind == "trick":
            self._trick = []
        elif kind == "score":
            self._news += f"score {' '.join(map(str, event['hand']))}\n"

    @property
    def _bidding(self) -> bool:
        return len(self._bids) < 4

    def question(self) -> tuple[bytes, int]:
        words = ["bid", *map(str, self._bids)] if self._bidding else ["play", *self._trick]
        text, self._news = f"{self._news}{' '.join(words)}\n", ""
        return text.encode(), text.count("\n")

    def farewell(self) -> bytes:
        return self._news.encode()

    def parse(self, line: bytes) -> Action:
        word = line.strip().decode("ascii", "replace")
        if self._bidding and word.isdigit():
            return ("bid", int(word))
        if not self._bidding and word in INDEX:
            return INDEX[word]
        raise Fault(
            FaultKind.GARBLED, f"answered with something that is not a {'bid' if self._bidding else 'card'}", line
        )
