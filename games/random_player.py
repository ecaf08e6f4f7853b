"""The weakest house player of every game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.engine import Action, Event, Options, Seat


class RandomPlayer:
    """Chooses any legal action, whatever happened."""

    def __init__(self, seat: Seat, options: Options, random: Random) -> None:
        self.random = random

    def tell(self, event: Event) -> None:
        """Ignore the event: nothing changes what it does."""

    def choose(self, legal: Sequence[Action]) -> Action:
        return self.random.choice(legal)
