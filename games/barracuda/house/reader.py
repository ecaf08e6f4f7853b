"""The player that reads its opponent. It counts against every hand that the opponent may hold, as the odds player does,
but some of them are likelier than others: who offers or accepts a challenge holds good cards. How good, it learns
during the game. So it offers challenges to those who reject too often, and never bluffs those who do not.

The strength of a hand is a log-odds: 0 is an even chance to win the hand, 2.2 is nine to one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from math import exp, log
from random import Random

from games.barracuda.house.odds import Pattern, Position, patterns
from games.barracuda.house.simple import Thinker
from games.barracuda.rules import ACCEPT, REJECT
from games.engine import Event, Options, Seat

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


OFFERS = ((1.0, 1.5, 0.7),)
ACCEPTS = ((0.75, 1.9, 0.4), (0.25, 0.2, 0.5))
"""The limits that a new opponent is believed to have (`Belief`). Most accept only with very good hands, some with every
good one."""

PRICE = log_odds(0.41)
"""The limit for accepting is that of an even score, where a rejection leaves this chance."""

LOOSE, EDGE = 1.0, 0.25
"""Against who accepts below this limit we score this many more of the points than half of them: it is a weak player, so
the game should not be staked on a hand that is merely good."""

BLUFFS, WEAK = 0.03, 0.1
"""How often an opponent offers or accepts without the hand for it."""

STAKED = 0.1
"""How often a hand decides the game, whatever the points are."""

PATIENCE, SECOND = 0.01, 0.02
"""How much better than waiting a challenge must be: with all five cards, and when a card is to be answered."""

Weighed = list[tuple[float, int, tuple[int, ...]]]
"""Hands of the opponent: how likely they are, how strong (in grains), and the result for each of our cards."""


class Reader(Thinker):
    def __init__(self, seat: Seat, options: Options, random: Random) -> None:
        super().__init__(seat, options, random)
        self.offering, self.accepting = Belief(*OFFERS), Belief(*ACCEPTS)
        self._hands: Weighed = []  # counted for the latest decision
        self._price = 0.0  # of the challenge just offered

    def tell(self, event: Event) -> None:
        super().tell(event)
        kind = event["event"]
        if kind in (ACCEPT, REJECT) and event["seat"] != self.table.seat and self._hands:
            self.accepting.learn(kind == ACCEPT, _strengths(self._hands), self._price)

    def accepts(self) -> bool:
        """Accept when winning is likelier than after giving away a point."""
        self._hands = self._possible(turn=False)
        self.offering.learn(True, _strengths(self._hands))
        likely = _weighed(self._hands, self.offering.often(), BLUFFS)
        return _values(likely, self._staked())[0] >= self._chance(0, 1)

    def challenges(self) -> bool:
        """Offer when that is better than to play on, be it accepted or rejected."""
        table, self._hands = self.table, self._possible(turn=True)
        if table.led is not None or len(table.hand) < len(table.dealt):
            self.offering.learn(False, _strengths(self._hands))
        self._price = log_odds(1 - self._chance(1, 0)) - PRICE
        accepted = _weighed(self._hands, self.accepting.often(self._price), 0.0)
        share = sum(each for each, _, _ in accepted) / sum(each for each, _, _ in self._hands)
        offered = (1 - share) * self._chance(1, 0) + share * max(_values(accepted, self._staked()))
        least = PATIENCE * (len(table.hand) == len(table.dealt)) + SECOND * (table.led is not None)
        return offered > max(_values(self._hands, self._plain())) + least

    def play(self, hand: Sequence[int]) -> int:
        """Return the card with the best chance, the lowest of equal ones."""
        table, cards = self.table, sorted(set(hand))
        if len(cards) == 1:
            return cards[0]
        if table.challenger is None:  # just counted
            hands, ends = self._hands, self._plain()
        elif table.challenger == table.seat:
            hands = _weighed(self._possible(turn=True), self.accepting.often(self._price), WEAK)
            ends = self._staked()
        else:
            hands, ends = _weighed(self._possible(turn=True), self.offering.often(), BLUFFS), self._staked()
        values = [round(value, 12) for value in _values(hands, ends)]
        return cards[values.index(max(values))]

    def _possible(self, turn: bool) -> Weighed:
        """Return what the opponent may hold. `turn`: we are to play a card."""
        table = self.table
        led = table.led or 0
        ours = led if table.leader == table.seat else 0
        position = Position(tuple(sorted(table.hand)), table.others, tuple(table.unseen), table.lead, led - ours, ours)
        return [(each.hands, _strength(each, position, turn), each.ends) for each in patterns(position, turn)]

    def _staked(self) -> tuple[float, float, float]:
        """Return the chance to win the game after a tied, a won and a lost hand that decides it."""
        return self._chance(0, 0), 1.0, 0.0

    def _plain(self) -> tuple[float, float, float]:
        """The same for a hand that is for a point."""
        return self._chance(0, 0), self._chance(1, 0), self._chance(0, 1)

    def _chance(self, mine: int, theirs: int) -> float:
        """Return the chance to win the game after these points are added to either side."""
        points, seat, target = self.table.points, self.table.seat, self.options["target"]
        left = target - points[seat] - mine, target - points[1 - seat] - theirs
        loose = self.accepting.below(LOOSE)
        return (1 - loose) * race(*left, 0.5) + loose * race(*left, 0.5 + EDGE)


def _strength(pattern: Pattern, position: Position, turn: bool) -> int:
    """Return how strong the opponent's hand looked to it when it led, or looks while it waits for us."""
    if position.led:
        return strength(pattern.ranks + position.led, position.others + 1, -position.lead, False)
    return strength(pattern.ranks, position.others, -position.lead, turn or bool(position.ours))


def _strengths(hands: Weighed) -> dict[int, float]:
    """Return how likely each strength is."""
    found: dict[int, float] = {}
    for each, grains, _ in hands:
        found[grains] = found.get(grains, 0.0) + each
    return found


def _weighed(hands: Weighed, often: Callable[[int], float], anyway: float) -> Weighed:
    """Return the hands of a player that has used its own: how often by their strength, and how often anyway."""
    return [(each * (anyway + (1 - anyway) * often(grains)), grains, ends) for each, grains, ends in hands]


def _values(hands: Weighed, chances: tuple[float, float, float]) -> list[float]:
    """Return our chance to win the game by card, from low to high. `chances`: after a tied, a won and a lost hand."""
    sums = [0.0] * len(hands[0][2])
    total = 0.0
    for each, _, ends in hands:
        total += each
        for place, end in enumerate(ends):
            sums[place] += each * chances[end]
    return [value / total for value in sums]


@lru_cache(1 << 14)
def race(mine: int, theirs: int, share: float) -> float:
    """Return the chance to be first to score this many more points, when some hands decide the game at once. `share`:
    of the hands that we win."""
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    scored = share * race(mine - 1, theirs, share) + (1 - share) * race(mine, theirs - 1, share)
    return STAKED * share + (1 - STAKED) * scored
