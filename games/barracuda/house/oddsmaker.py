"""The player that plays the odds. It knows which cards are gone, counts how its hand ends against every hand that the
opponent may hold, and judges each decision by the chance to win the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from games.barracuda.house.odds import Odds, Position, by_card, waiting
from games.barracuda.house.simple import Thinker

HABIT = (3, 6)
"""Accepted and offered challenges that every opponent is credited with before it is known."""

SHREWD = 0.8
"""How much of an opponent's accepting and offering is believed to depend on its cards rather than on chance. 1: as if
it saw ours."""

DOUBT = 8.0
"""An opponent who offers a challenge is likely to hold good cards: hands against which we lose count this much more."""


class Oddsmaker(Thinker):
    def accepts(self) -> bool:
        """Accept when winning is likelier than after giving away a point. The challenger plays first."""
        return self._staked(waiting(self._position()), doubt=DOUBT) >= self._chance(0, 1)

    def challenges(self) -> bool:
        odds = max(by_card(self._position()).values(), key=lambda each: each.wins - each.losses)
        accepted = self._accepting()
        careless = accepted * self._staked(odds) + (1 - accepted) * self._chance(1, 0)
        shrewd = odds.win * self._chance(1, 0) + odds.tie * min(self._chance(1, 0), self._chance(0, 0))
        return SHREWD * shrewd + (1 - SHREWD) * careless > self._plain(odds)

    def play(self, hand: Sequence[int]) -> int:
        """Return the card with the best chance, the lowest of equal ones."""
        if len(hand) == 1:
            return hand[0]
        value = self._staked if self.table.accepted else self._plain
        odds = by_card(self._position())
        return max(sorted(odds), key=lambda card: value(odds[card]))

    def _position(self) -> Position:
        table = self.table
        led = table.led or 0
        ours = led if table.leader == table.seat else 0
        return Position(tuple(sorted(table.hand)), table.others, tuple(table.unseen), table.lead, led - ours, ours)

    def _staked(self, odds: Odds, doubt: float = 0.0) -> float:
        """Return the chance to win the game when it is staked on this hand. `doubt`: the weight of losses."""
        weighed = odds.win + odds.tie + (1 + doubt) * odds.loss
        return (odds.win + odds.tie * self._chance(0, 0)) / weighed

    def _plain(self, odds: Odds) -> float:
        """Return the chance to win the game when the hand is for a point."""
        return odds.win * self._chance(1, 0) + odds.tie * self._chance(0, 0) + odds.loss * self._chance(0, 1)

    def _chance(self, mine: int, theirs: int) -> float:
        """Return the chance to win the game after these points are added to either side."""
        points, seat, target = self.table.points, self.table.seat, self.options["target"]
        return race(target - points[seat] - mine, target - points[1 - seat] - theirs)

    def _accepting(self) -> float:
        """Return how often this opponent accepts a challenge."""
        table, other = self.table, 1 - self.table.seat
        return (HABIT[0] + table.accepts[other]) / (HABIT[1] + table.offers[other])


@lru_cache(1 << 14)
def race(mine: int, theirs: int) -> float:
    """Return the chance to be first to score this many more points, when each side wins half of them."""
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    last = mine + theirs - 1
    return float(sum(comb(last, made) for made in range(mine, last + 1)) / 2**last)
