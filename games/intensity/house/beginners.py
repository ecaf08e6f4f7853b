"""The house players between `random` and `avoider`: each has one good idea, or a weakness that people have, too."""

from __future__ import annotations

from collections.abc import Sequence

from games.intensity.house.simple import Avoider, Thinker
from games.intensity.house.table import Table
from games.intensity.rules import DISCARDS
from games.table_player import Forgetful


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


class AbsentMinded(Forgetful[Table], Avoider):
    forgets = 0.22


def _rank(card: int) -> tuple[int, int]:
    return card % 10, card
