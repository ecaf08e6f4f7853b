"""What a house player knows about a round of Tricky Eights: the pool, who took what from it, and the number of the
trick."""

from __future__ import annotations

from games.cards import BIT, SUIT_MASK
from games.engine import Event, Seat
from games.trick_table import ALL, TrickTable
from games.tricky_eights.rules import HAND, INDEX, WORTH, trick_worth


class Table(TrickTable):
    index, cards_each, card_worth = INDEX, HAND, WORTH

    def _new_hand(self) -> None:
        self.pool = 0
        self.number = 0  # of the trick on the table; 0 during the takes
        super()._new_hand()

    def _new_trick(self) -> None:
        super()._new_trick()
        self.worth = trick_worth(self.number)

    @property
    def others(self) -> int:
        """The cards that the other three seats hold."""
        return ALL & ~(self.hand | self.pool | self.gone)

    def _tell_own(self, event: Event) -> None:
        if event["event"] == "take":
            self._take(event["seat"], INDEX[event["card"]])

    def _hand(self, event: Event) -> None:
        super()._hand(event)
        self.pool = self._cards(event["pool"])

    def _take(self, seat: Seat, card: int) -> None:
        self.pool ^= BIT[card]
        self.counts[seat] += 1
        if seat == self.seat:
            self.hand |= BIT[card]
        else:
            self.held[seat] |= BIT[card]
        if not self.pool:
            self.number = 1
            self._new_trick()

    def _trick(self, event: Event) -> None:
        self.number += 1
        super()._trick(event)


def higher(card: int) -> int:
    """Return the cards that beat a card: the higher ones of its suit."""
    return SUIT_MASK[card // 13] & ~((BIT[card] << 1) - 1)
