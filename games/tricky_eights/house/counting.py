"""The card counter: it knows where every card went, and compares what a card wins now with what it may win later."""

from __future__ import annotations

from collections.abc import Sequence

from games.cards import BIT, IN_SUIT, SUIT_MASK, rank_of
from games.tricky_eights.house.simple import Table, Thinker, higher
from games.tricky_eights.rules import WORTH

TRICK = 2.1
"""The value of an average trick: 25 points in 13 tricks."""

STANDS = (1.0, 0.7, 0.3, 0.12, 0.05)
"""The probability that a card takes a trick some day, by the number of higher cards that the others hold."""

RUNS = (0.5, 0.28, 0.15, 0.08)
"""The same for a low card, by the number of cards of its suit that the others will have left when its turn comes."""


class CardCounter(Thinker):
    """Knows exactly what was taken and played and by whom."""

    def take(self, cards: Sequence[int]) -> int:
        """Take the card that adds most to the hand."""
        return max(cards, key=lambda card: (self.gain(card), rank_of(card)))

    def gain(self, card: int) -> float:
        """Return what a card of the pool would add to our hand, in tricks, when everything else goes to the others."""
        table = self.table
        others = table.others | table.pool
        return hand_value(table.hand | BIT[card], others & ~BIT[card]) - hand_value(table.hand, others)

    def play(self, cards: Sequence[int]) -> int:
        return max(cards, key=lambda card: (self.worth(card), -rank_of(card)))

    def worth(self, card: int) -> float:
        """Return what playing this card is expected to bring, in points: now, and by what is left afterwards."""
        table = self.table
        chance = chance_to_win(table, card)
        now = chance * (table.worth + WORTH[card] + 0.2 * (3 - table.played)) - (1 - chance) * 0.35 * WORTH[card]
        rest = table.hand & ~BIT[card]
        return now + TRICK * hand_value(rest, table.others) + (0.15 * chance if rest else 0.0)


def chance_to_win(table: Table, card: int) -> float:
    """Return the probability that nobody after us beats this card, if everybody who can does."""
    if not table.beats(card):
        return 0.0
    above = higher(card) & table.others
    if not above:
        return 1.0
    hidden = table.hidden
    suit = SUIT_MASK[card // 13]
    chance = 1.0
    for seat in table.after():
        if table.held[seat] & above:
            return 0.0
        if not table.out[seat] & suit:
            chance *= chance_without(hidden, above & hidden, table.counts[seat] - table.held[seat].bit_count())
    return chance


def chance_without(hidden: int, cards: int, size: int) -> float:
    """Return the probability that `size` cards drawn from the hidden ones hold none of these."""
    number, wanted = hidden.bit_count(), cards.bit_count()
    chance = 1.0
    for taken in range(wanted):
        chance *= max(0.0, (number - size - taken) / (number - taken))
    return chance


def hand_value(hand: int, others: int) -> float:
    """Estimate how many tricks a hand will take against the cards that the others hold."""
    value = 0.0
    for suit in SUIT_MASK:
        mine = hand & suit
        if mine:
            value += suit_value(mine, others & suit)
    return value


def suit_value(mine: int, others: int) -> float:
    value = 0.0
    left = others.bit_count()
    for card in reversed(IN_SUIT[mine]):  # the highest first; every round of the suit draws about three cards
        above = (others & higher(card)).bit_count()
        stands = STANDS[above] if above < len(STANDS) else 0.02
        runs = RUNS[max(left, 0)] if left < len(RUNS) else 0.0
        value += max(stands, runs)
        left -= 3
    return value
