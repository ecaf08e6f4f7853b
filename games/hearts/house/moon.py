"""The player that shoots the moon when it pays."""

from __future__ import annotations

from collections.abc import Sequence

from games.hearts.house.counting import CardCounter, cost, is_queen
from games.hearts.house.playouts import play_out, scored, shot
from games.hearts.rules import ALL_POINTS
from games.imagining import BY_RANK, by_rank, distinct, trick_on

HOPE = 0.4
"""How often it must succeed in the imagined deals, where everybody defends as well as they can …"""

MARGIN = 3.0
"""… and how many points better than ducking it must be."""


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
