"""Players that imagine hands which fit all they have seen, and play out each of their choices in all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from games.cards import BIT, HEARTS, SPADES, SUIT_MASK, listed, rank_of, suit_of
from games.engine import Seat
from games.hearts.house.playouts import play_out, scored
from games.hearts.house.simple import Thinker
from games.hearts.rules import QUEEN, Three
from games.imagining import BY_RANK, Unseen, distinct, trick_on
from games.passes import PASSED

LOW = 7
"""Ranks (games.cards) below this one, up to the eight, protect the higher cards of their suit."""


class CardCounter(Thinker):
    """Knows exactly what was played and by whom, what it passed, and who is out of which suit."""

    work = 500
    """Roughly how many imagined cards are played for one decision: half a millisecond."""
    worlds = (3, 12)
    """Fewest and most imagined deals for one decision."""

    def give(self, hand: int) -> Three:
        return careful_pass(hand)

    def play(self, cards: Sequence[int]) -> int:
        choices = distinct(cards, self.table.others | self.to_beat, is_queen)
        if len(choices) == 1:
            return choices[0]
        costs = self.costs(choices)
        return choices[costs.index(min(costs))]

    @property
    def to_beat(self) -> int:
        """Return the card that wins the trick as it stands: it separates neighbours, too."""
        return BIT[self.table.best] if self.table.played else 0

    def costs(self, choices: Sequence[int]) -> list[float]:
        """Return what each choice costs on average, in the same imagined deals for all."""
        trick, me = trick_on(self.table, self.table.broken), self.table.seat
        firsts = [BY_RANK[card] for card in choices]
        sums = [0.0] * len(choices)
        worlds = 0
        for hands in self.deals(len(choices)):
            worlds += 1
            for place, first in enumerate(firsts):
                points = self.table.points.copy()
                play_out(hands.copy(), trick, first, points)
                sums[place] += cost(scored(points), me)
        return [total / worlds for total in sums]

    def deals(self, choices: int) -> Iterator[list[int]]:
        """Yield hands that fit all that was seen: as many as there is time for with that many choices."""
        table = self.table
        random = Random(self.random.getrandbits(64))  # the standard one: ours is portable but ten times slower
        unseen = Unseen(table)
        fewest, most = self.worlds
        for _ in range(min(max(self.work // (sum(table.counts) * choices), fewest), most)):
            yield unseen.hands(random)


def cost(points: Sequence[int], me: Seat) -> float:
    """Return what a hand costs us, compared with the mean of the others."""
    return points[me] - (sum(points) - points[me]) / 3


def careful_pass(hand: int) -> Three:
    """Pass the queen and what she could fall on, unless low spades protect them, then high cards without low ones."""
    cards = sorted(listed(hand), key=lambda card: weight(card, hand), reverse=True)
    first, second, third = sorted(cards[:PASSED])
    return first, second, third


def weight(card: int, hand: int) -> float:
    """Return how much a player wants to be rid of a card of that hand before it is played."""
    suit = suit_of(card)
    mine = hand & SUIT_MASK[suit]
    if suit == SPADES:
        below = (mine & (BIT[QUEEN] - 1)).bit_count()
        return -5.0 if card < QUEEN else (40.0 if card == QUEEN else 30.0) - 12.0 * below
    low = (mine & (BIT[13 * suit + LOW] - 1)).bit_count()
    return rank_of(card) - 2.0 * low + max(0, 3 - mine.bit_count()) + (suit == HEARTS)


def is_queen(card: int) -> bool:
    return card == QUEEN
