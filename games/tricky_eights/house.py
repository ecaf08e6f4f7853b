"""The house players of Tricky Eights, from the weakest to the strongest."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.engine import Action, Event, House, Options, Player, Seat


class RandomPlayer:
    """Any legal card, whatever happened."""

    def __init__(self, seat: Seat, options: Options, random: Random) -> None:
        self._random = random

    def tell(self, event: Event) -> None:
        """Nothing that happens changes what it does."""

    def choose(self, legal: Sequence[Action]) -> Action:
        return self._random.choice(legal)


def _random(seat: Seat, options: Options, random: Random) -> Player:
    return RandomPlayer(seat, options, random)


HOUSE = (House("random", "random", "Plays any card that the rules allow.", _random),)
