"""What a player believes about its opponent: how strong a hand it needs to offer a challenge, or to accept one.

The strength of a hand is a log-odds: 0 is an even chance to win the hand, 2.2 is nine to one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import exp, log

LIMITS = tuple(-2 + 0.5 * step for step in range(12))
"""The limits that are thought possible."""

SURPRISE = 0.01
"""How often anything happens that nobody would expect."""

SOFT = 0.3
"""How far a decision may be from the limit: this far above it, a hand is used three times out of four."""

GRAIN = 8
"""Strengths are told apart in parts of this size: there are many hands, and few strengths."""

BY_SIZE = (
    (0.0, 2.5, 0.0, 0.0),
    (0.23, 2.5, -1.7, -1.9),
    (0.57, 1.55, -4.5, -3.0),
    (0.69, 1.7, -5.2, -4.0),
    (0.85, 1.6, -6.5, -5.3),
    (0.99, 0.0, -7.5, -6.5),
)
"""By the number of cards: what their mean counts, what a trick ahead counts, and a constant for who plays first and for
who waits. Fitted to the exact odds of random hands, which it misses by 0.05 on average."""


def strength(ranks: float, cards: int, lead: int, waits: bool) -> int:
    """Return how strong a hand looks to its owner, in grains. `lead`: its tricks less ours. `waits`: the other side
    plays first."""
    mean, ahead, first, second = BY_SIZE[cards]
    return round(GRAIN * (mean * ranks / max(1, cards) + ahead * lead + (second if waits else first)))


def log_odds(chance: float) -> float:
    chance = min(max(chance, 0.02), 0.98)
    return log(chance / (1 - chance))


def uses(grains: int, limit: float) -> float:
    """Return how often a hand of that strength is used by a player with that limit."""
    return 1 / (1 + exp((limit - grains / GRAIN) / SOFT))


class Belief:
    """How likely each limit is. At first it is near one of some: (how likely, the limit, its deviation)."""

    def __init__(self, *kinds: tuple[float, float, float]) -> None:
        self._chances = [0.0] * len(LIMITS)
        for share, limit, deviation in kinds:
            bell = _whole([exp(-(((each - limit) / deviation) ** 2) / 2) for each in LIMITS])
            self._chances = [chance + share * each for chance, each in zip(self._chances, bell, strict=True)]

    def often(self, price: float = 0.0) -> Callable[[int], float]:
        """Return how often a hand is used, by its strength, when all limits are higher by the price."""

        @cache
        def share(grains: int) -> float:
            limits = zip(self._chances, LIMITS, strict=True)
            return sum(chance * uses(grains, limit + price) for chance, limit in limits)

        return share

    def below(self, limit: float) -> float:
        """Return how likely it is that the limit is this one or a lower one."""
        return sum(chance for chance, each in zip(self._chances, LIMITS, strict=True) if each <= limit)

    def learn(self, used: bool, hands: Mapping[int, float], price: float = 0.0) -> None:
        """Learn from a decision. `hands`: how likely each strength was, by grains."""
        total = sum(hands.values())
        likely = []
        for limit in LIMITS:
            share = sum(each * uses(grains, limit + price) for grains, each in hands.items()) / total
            likely.append(SURPRISE + (1 - 2 * SURPRISE) * (share if used else 1 - share))
        self._chances = _whole([chance * each for chance, each in zip(self._chances, likely, strict=True)])


def _whole(weights: Sequence[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights]
