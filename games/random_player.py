"""The weakest house player of every game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.engine import Action, Event, Options, Seat


class RandomPlayer:
    """Chooses a random legal action."""

    def __init__(self, seat: Seat, options: Options, random: Random) -> None:
        self.random = random

    def tell(self, event: Event) -> None:
        """Ignore the event."""

    def choose(self, legal: Sequence[Action]) -> Action:
        return self.random.choice(legal)
