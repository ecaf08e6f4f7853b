"""Players that imagine hands which fit all they have seen, and play out each of their choices in all of them. One
shoots the moon when it pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from games.cards import BIT
from games.engine import Seat
from games.hearts.house.playouts import play_out, scored, shot
from games.hearts.house.simple import Thinker, careful_pass
from games.hearts.rules import ALL_POINTS, QUEEN, Three
from games.imagining import BY_RANK, Unseen, by_rank, distinct, trick_on

HOPE = 0.4
"""How often it must succeed in the imagined deals, where everybody defends as well as they can …"""

MARGIN = 3.0
"""… and how many points better than ducking it must be."""


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


def is_queen(card: int) -> bool:
    return card == QUEEN


class Shooter(CardCounter):
    """The card counter that thinks harder: before every card it asks what taking everything would bring."""

    work = 2400
    worlds = (8, 60)

    def play(self, cards: Sequence[int]) -> int:
        card = self.aim(cards)
        if card is None:
            return super().play(cards)
        chance, promised = self.shoot(card)
        if chance < HOPE:
            return super().play(cards)
        choices = distinct(cards, self.table.others | self.to_beat, is_queen)
        costs = self.costs(choices)
        ducking = min(costs)
        return card if promised < ducking - MARGIN else choices[costs.index(ducking)]

    def aim(self, cards: Sequence[int]) -> int | None:
        """Return the card with which to go on to take everything, or None when it is too late for that."""
        table = self.table
        if sum(table.points) > table.points[table.seat]:
            return None
        hand = by_rank(table.hand)
        aimed = shot(hand, hand | by_rank(table.others), trick_on(table, table.broken))
        return next((card for card in cards if BY_RANK[card] == aimed), None)

    def shoot(self, card: int) -> tuple[float, float]:
        """Return how often the attempt with this card succeeds, and what it costs on average, in imagined deals."""
        trick, me = trick_on(self.table, self.table.broken), self.table.seat
        tries = moons = 0
        total = 0.0
        for hands in self.deals(1):
            points = self.table.points.copy()
            play_out(hands, trick, BY_RANK[card], points, shooter=me)
            if points[me] == ALL_POINTS:
                moons += 1
            else:  # the playout ended there: more than this will follow
                points[me] = max(points[me], sum(points) // 2)
            total += cost(scored(points), me)
            tries += 1
        return moons / tries, total / tries
