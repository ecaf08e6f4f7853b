"""The house player that bids."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.cards import rank_of
from games.engine import Action, Event, Options, Seat

QUEEN = 10  # a rank (games.cards)


class Counter:
    """Bids one trick for each card from the queen up, plays high until it has its bid, then low."""

    def __init__(self, seat: Seat, options: Options, random: Random) -> None:
        self._seat = seat
        self._high = self._wanted = self._taken = 0

    def tell(self, event: Event) -> None:
        if event["event"] == "hand":
            self._high = sum(name[0] in "QKA" for name in event["hands"][self._seat])
            self._taken = 0
        elif event["event"] == "bid" and event["seat"] == self._seat:
            self._wanted = event["bid"]
        elif event["event"] == "trick":
            self._taken += event["winner"] == self._seat

    def choose(self, legal: Sequence[Action]) -> Action:
        if ("bid", self._high) in legal:
            return ("bid", self._high)
        best = max if self._taken < self._wanted else min
        return best(legal, key=lambda card: rank_of(card) if isinstance(card, int) else 0)
