"""What a house player knows about a hand of Hearts, and the simple-minded one, which does not count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from games.cards import SPADES, listed, rank_of, suit_of
from games.engine import Action, Event
from games.hearts.rules import HAND, INDEX, QUEEN, STEP, WORTH, Three
from games.passes import PASSED
from games.table_player import TablePlayer
from games.trick_table import TrickTable


class Table(TrickTable):
    index, cards_each, card_worth = INDEX, HAND, WORTH

    def _new_hand(self) -> None:
        super()._new_hand()
        self.passing = 0  # how many seats clockwise our cards go; 0 when nothing is left to be passed
        self.broken = False

    def _tell_own(self, event: Event) -> None:
        if event["event"] == "pass":
            self._pass(event)

    def _hand(self, event: Event) -> None:
        super()._hand(event)
        self.passing = STEP[event["pass"]]

    def _pass(self, event: Event) -> None:
        if event["seat"] == self.seat:
            cards = self._cards(event["cards"])
            self.hand &= ~cards
            self.held[event["to"]] = cards
            self.passing = 0
        elif event["to"] == self.seat:
            self.hand |= self._cards(event["cards"])

    def _trick(self, event: Event) -> None:
        super()._trick(event)
        self.broken |= event["points"] > 0


class Thinker(TablePlayer[Table]):
    """A player with a table: it passes three cards, or plays one."""

    new_table = staticmethod(Table)

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
