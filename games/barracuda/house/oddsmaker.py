"""The player that plays the odds: it knows which cards are gone, counts how its hand ends against every hand that the
opponent may hold, and weighs each decision by what it makes of the chance to win the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from games.barracuda.house.odds import Odds, Position, by_card, waiting
from games.barracuda.house.simple import Thinker

HABIT = (3, 6)
"""Challenges accepted, and offered, that every opponent is credited with before it is known."""

SHREWD = 0.8
"""How far an opponent is believed to accept and to offer by its cards, and not by chance. 1: as if it saw ours."""

DOUBT = 8.0
"""Who offers a challenge does not hold any cards: the hands against which we lose count for so much more."""


class Oddsmaker(Thinker):
    def accepts(self) -> bool:
        """When the game is likelier won than after giving away a point. The challenger plays first."""
        return self._staked(waiting(self._position()), doubt=DOUBT) >= self._chance(0, 1)

    def challenges(self) -> bool:
        odds = _best(by_card(self._position()))
        accepted = self._accepting()
        careless = accepted * self._staked(odds) + (1 - accepted) * self._chance(1, 0)
        shrewd = odds.win * self._chance(1, 0) + odds.tie * min(self._chance(1, 0), self._chance(0, 0))
        return SHREWD * shrewd + (1 - SHREWD) * careless > self._plain(odds)

    def play(self, hand: Sequence[int]) -> int:
        """The card with the best chance; of equal ones the lowest."""
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
        """The chance to win the game when it is staked on this hand. `doubt`: losses weigh so much more."""
        weighed = odds.win + odds.tie + (1 + doubt) * odds.loss
        return (odds.win + odds.tie * self._chance(0, 0)) / weighed

    def _plain(self, odds: Odds) -> float:
        """The chance to win the game when the hand is for a point."""
        return odds.win * self._chance(1, 0) + odds.tie * self._chance(0, 0) + odds.loss * self._chance(0, 1)

    def _chance(self, mine: int, theirs: int) -> float:
        """The chance to win the game with so many points more on either side."""
        points, seat, target = self.table.points, self.table.seat, self.options["target"]
        return race(target - points[seat] - mine, target - points[1 - seat] - theirs)

    def _accepting(self) -> float:
        """How often this opponent accepts a challenge."""
        table, other = self.table, 1 - self.table.seat
        return (HABIT[0] + table.accepts[other]) / (HABIT[1] + table.offers[other])


def _best(odds: dict[int, Odds]) -> Odds:
    return max(odds.values(), key=lambda each: each.wins - each.losses)


@lru_cache(1 << 14)
def race(mine: int, theirs: int) -> float:
    """The chance to be the first to make so many points more, when each point is anybody's."""
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    last = mine + theirs - 1
    return float(sum(comb(last, made) for made in range(mine, last + 1)) / 2**last)
