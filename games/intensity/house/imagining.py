"""Beyond card counting: this player imagines hands that fit all it has seen, plays out each of its choices in all of
them, and looks at the place it gets, because places count in a tournament ("Intensity Tournament" in the Intensity
assignment)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from games.cards import BIT, listed, mask
from games.engine import Options, Seat
from games.imagining import Trick
from games.intensity.house.counting import CardCounter, hand_danger
from games.intensity.house.playouts import BY_RANK, SUITS, by_rank, play_out
from games.intensity.house.simple import danger
from games.intensity.rules import TENS

WORK = 12_000
"""Roughly how many imagined cards are played for one decision: five to ten milliseconds."""

WORLDS = (6, 150)
"""Fewest and most imagined deals for one decision."""

CANDIDATES = 12
"""How many ways to discard are played out: the best by the card counter's judgement."""

POINT = 0.1
"""The weight of a penalty point compared with a place, so that a lost game is still played well."""

TRUST = 0.1
"""The weight of the card counter's judgement compared with the mean of the playouts."""

ATTEMPTS = 20

DOUBT = 0.15
"""The relative likelihood of a card that a sensible player would have played already."""


class Imagining(CardCounter):
    """The card counter that also imagines."""

    def __init__(self, seat: Seat, options: Options, random: Random) -> None:
        super().__init__(seat, options, random)
        self.chance = Random(random.getrandbits(64))  # many thousand numbers a game: the standard generator is fast

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        choices = distinct(cards, table.others | (BIT[table.best] if table.played else 0))
        if len(choices) == 1:
            return choices[0]
        worlds = max(WORLDS[0], min(WORLDS[1], WORK // (sum(table.counts) * len(choices))))
        value = {card: -TRUST * self.cost(card) * worlds for card in choices}
        for _ in range(worlds):
            hands = [by_rank(hand) for hand in self.imagine()]
            for card in choices:
                points = list(table.points)
                play_out(hands.copy(), self._round(), BY_RANK[card], points)
                value[card] += worth_of(points, table.seat)
        return max(choices, key=lambda card: (value[card], card))

    def discards(self) -> tuple[int, ...]:
        hand, others = self.table.hand, self.table.others
        ways = sorted(combinations(listed(hand), 3), key=lambda way: hand_danger(hand & ~mask(way), others))
        ways = ways[:CANDIDATES]
        value = dict.fromkeys(ways, 0.0)
        for _ in range(max(WORLDS[0], WORK // (20 * len(ways)))):
            hands = self.imagine()
            passed = [mask(self._likely(each)) for each in hands]
            for way in ways:
                passed[self.table.seat] = mask(way)
                after = [by_rank(each & ~passed[seat] | passed[seat - 1]) for seat, each in enumerate(hands)]
                points = list(self.table.points)
                lead = _lowest(after[0])
                play_out(after, Trick(0), lead, points)
                value[way] += worth_of(points, self.table.seat)
        return max(ways, key=lambda way: value[way])

    def _likely(self, hand: int) -> list[int]:
        """Return what a player like the avoider would discard."""
        return sorted(listed(hand), key=lambda card: (danger(hand, card), card))[-3:]

    def _round(self) -> Trick:
        table = self.table
        now = Trick(table.seat, table.broken)
        now.played, now.worth = table.played, table.worth
        if table.played:
            now.led, now.best, now.winner = SUITS[table.best // 10 - 1], BY_RANK[table.best], table.winner
        return now

    def imagine(self) -> list[int]:
        """Return possible hands (bits by number), at random among those that fit what was seen."""
        for _ in range(ATTEMPTS):
            hands = self._deal(keep_out=True)
            if hands is not None:
                return hands
        hands = self._deal(keep_out=False)
        assert hands is not None
        return hands

    def _deal(self, keep_out: bool) -> list[int] | None:
        """Deal what is hidden, or return None when the last cards fit nobody. Cards with few possible owners go
        first."""
        table, chance = self.table, self.chance.random
        hands = table.held.copy()
        hands[table.seat] = table.hand
        room = [count - hand.bit_count() for count, hand in zip(table.counts, hands, strict=True)]
        room[table.seat] = 0
        may = [[seat for seat in range(4) if not (keep_out and table.out[seat] & TENS[digit])] for digit in range(5)]
        for card in sorted(listed(table.hidden), key=lambda card: len(may[card // 10]) + chance()):
            bit, seats = BIT[card], may[card // 10]
            weights = [room[seat] * DOUBT if table.unlikely[seat] & bit else room[seat] for seat in seats]
            place = chance() * sum(weights)
            for seat, weight in zip(seats, weights, strict=True):
                place -= weight
                if place < 0:
                    hands[seat] |= bit
                    room[seat] -= 1
                    break
            else:
                return None
        return hands


def _lowest(hand: int) -> int:
    free = hand & ~SUITS[2] or hand
    return free & -free


def worth_of(points: Sequence[int], seat: Seat) -> float:
    """Return the value of a final score to a seat: the tournament points of its place, and a little for its score."""
    mine = points[seat]
    place = sum(1.0 if other > mine else 0.5 if other == mine else 0.0 for other in points) - 0.5
    return place - POINT * mine


def distinct(cards: Sequence[int], between: int) -> list[int]:
    """Keep one card of each run of neighbours: cards with no other card between them, and of equal cost, do the
    same."""
    kept: list[int] = []
    for card in cards:
        if kept and card // 10 == kept[-1] // 10 and card != 47 and kept[-1] != 47:
            lower = kept[-1]
            gap = (BIT[card] - 1) & -(BIT[lower] << 1)
            if not gap & between:
                kept[-1] = card
                continue
        kept.append(card)
    return kept
