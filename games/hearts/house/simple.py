"""The house player that does not count: the challenge's simple-minded player, which tries to avoid any points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from games.cards import SPADES, listed, rank_of, suit_of
from games.engine import Action, Seat
from games.hearts.house.table import Table
from games.hearts.rules import QUEEN, WORTH, Three
from games.passes import PASSED
from games.table_player import TablePlayer


class Thinker(TablePlayer[Table]):
    """A player with a table: it passes three cards, or plays one."""

    def new_table(self, seat: Seat) -> Table:
        return Table(seat)

    def choose(self, legal: Sequence[Action]) -> Action:
        if self.table.passing:
            return self.give(self.table.hand)
        cards = cast(Sequence[int], legal)  # the referee knows only actions
        return cards[0] if len(cards) == 1 else self.play(cards)

    def give(self, hand: int) -> Three:
        raise NotImplementedError

    def play(self, cards: Sequence[int]) -> int:
        raise NotImplementedError


class Avoider(Thinker):
    """Ducks wherever it can, throws dangerous cards when it may, and never looks back."""

    def give(self, hand: int) -> Three:
        """Pass the three highest cards, and the queen of spades before all others."""
        cards = sorted(listed(hand), key=lambda card: (card == QUEEN, rank_of(card)), reverse=True)
        return cast(Three, tuple(sorted(cards[:PASSED])))

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        if not table.led:
            return min(cards, key=lambda card: (card == QUEEN, rank_of(card)))
        if not table.led & 1 << cards[0]:
            return max(cards, key=danger)
        ducking = [card for card in cards if not table.beats(card)]
        if ducking:
            return max(ducking, key=lambda card: (card == QUEEN, rank_of(card)))
        if table.last:  # it takes the trick in any case
            return max(cards, key=lambda card: (card != QUEEN, rank_of(card)))
        return min(cards, key=lambda card: (card == QUEEN, rank_of(card)))


def danger(card: int) -> tuple[int, int]:
    """Rank what is best thrown away: the queen, ace and king of spades, high hearts, then any high card."""
    if card == QUEEN:
        return 3, 0
    if suit_of(card) == SPADES and card > QUEEN:
        return 2, rank_of(card)
    return (1 if WORTH[card] else 0), rank_of(card)
