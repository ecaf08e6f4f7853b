"""The house players below and beside the avoider: each has one good idea, or a weakness that people have, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from games.cards import listed, rank_of
from games.hearts.house.counting import careful_pass
from games.hearts.house.simple import Avoider, Table, Thinker
from games.hearts.rules import Three
from games.passes import PASSED
from games.table_player import Forgetful


class AbsentMinded(Forgetful[Table], Avoider):
    forgets = 0.2


class Drowsy(AbsentMinded):
    forgets = 0.58


class Dreamer(AbsentMinded):
    forgets = 0.81


class Ducker(Thinker):
    """Knows one trick: it ducks where it can, as high as it can. It passes its highest cards, and leads and throws
    cards without a thought."""

    def give(self, hand: int) -> Three:
        return cast(Three, tuple(sorted(sorted(listed(hand), key=rank_of)[-PASSED:])))

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        if not table.led or not table.led & 1 << cards[0]:
            return self.random.choice(cards)
        return max((card for card in cards if not table.beats(card)), default=cards[0])


class Planner(AbsentMinded):
    """The avoider, which passes with care, but is not quite awake either."""

    forgets = 1 / 12
    give = staticmethod(careful_pass)
