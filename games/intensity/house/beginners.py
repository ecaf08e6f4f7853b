"""The house players between `random` and `avoider`: each has one good idea, or a weakness that people have, too."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import Action
from games.intensity.house.simple import Avoider, Thinker
from games.intensity.rules import DISCARDS

FORGETS = 0.22
"""The share of decisions that the absent-minded player makes without looking."""


class Ducker(Thinker):
    """Knows one trick: it ducks under the card that wins. It discards, leads and throws cards without a thought."""

    def discards(self) -> tuple[int, ...]:
        return tuple(sorted(self.random.sample(self.table.cards(), DISCARDS)))

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        if not table.played or not table.led & table.bit(cards[0]):
            return self.random.choice(cards)
        return max((card for card in cards if card < table.best), default=cards[0])


class Meek(Thinker):
    """Gives its highest cards away, and plays its lowest, whatever the others do."""

    def discards(self) -> tuple[int, ...]:
        return tuple(sorted(sorted(self.table.cards(), key=_rank)[-DISCARDS:]))

    def play(self, cards: Sequence[int]) -> int:
        return min(cards, key=_rank)


class AbsentMinded(Avoider):
    """The avoider, which now and then decides without looking."""

    def choose(self, legal: Sequence[Action]) -> Action:
        return self.random.choice(legal) if self.random.random() < FORGETS else super().choose(legal)


def _rank(card: int) -> tuple[int, int]:
    return card % 10, card
