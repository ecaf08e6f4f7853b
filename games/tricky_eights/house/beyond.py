"""Beyond card counting: this player imagines hands that fit all it has seen, and plays out each of its choices in all
of them. When the game is about to end, it also looks at the score."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from random import Random

from games.cards import BIT, EIGHT, rank_of
from games.imagining import BY_RANK, SUIT_OF_PLACE, SUITS, Trick, Unseen, distinct, trick_on
from games.tricky_eights.house.counting import CardCounter
from games.tricky_eights.rules import TRICKS, trick_worth

EIGHTS = sum(BY_RANK[13 * suit + EIGHT] for suit in range(4))
_OTHERS_THAN_EIGHTS = ~EIGHTS
_WORTH = tuple(trick_worth(number) for number in range(TRICKS + 1))


def play_out(hands: list[int], trick: Trick, first: int, points: list[int]) -> None:
    """Play to the end of the round. The seat in turn plays `first`. `points` grow, and `hands` empty."""
    seat, played, led, best = trick.turn, trick.played, trick.led, trick.best
    winner, worth, number = trick.winner, trick.worth, TRICKS + 1 - hands[seat].bit_count()
    rest = hands[0] | hands[1] | hands[2] | hands[3]
    card = first
    while True:
        hands[seat] ^= card
        rest ^= card
        if card & EIGHTS:
            worth += 2
        if not played:
            led = SUIT_OF_PLACE[card.bit_length() - 1]
            best, winner = card, seat
        elif card > best and card & led:
            best, winner = card, seat
        played += 1
        if played == 4:
            points[winner] += worth
            number += 1
            if number > TRICKS:
                return
            seat, played, worth = winner, 0, _WORTH[number]
            card = _lead(hands[seat], rest)
            continue
        seat = (seat + 1) & 3
        hand = hands[seat]
        follow = hand & led
        if follow:
            above = follow & -best
            if above and (played == 3 or not rest & led & ~hand & -above):
                card = above & -above  # the lowest that wins: it is last, or nobody has a higher one
                continue
            if above and not rest & led & ~hand & -(top := 1 << above.bit_length() - 1):
                card = top
                continue
            follow = follow & _OTHERS_THAN_EIGHTS or follow
            card = follow & -follow
        else:
            hand = hand & _OTHERS_THAN_EIGHTS or hand
            card = hand & -hand


def _lead(hand: int, rest: int) -> int:
    """Lead a card that nobody can beat, otherwise the lowest."""
    others = rest & ~hand
    for suit in SUITS:
        mine = hand & suit
        if mine > others & suit:
            return 1 << mine.bit_length() - 1
    low = hand & _OTHERS_THAN_EIGHTS or hand
    return low & -low


WORK = 2400
"""Roughly how many imagined cards are played for one decision: one or two milliseconds."""

WORLDS = (6, 60)
"""Fewest and most imagined deals for one decision."""

TRUST = 1.2
"""The weight of the card counter's judgement compared with the mean of the playouts, both in points. A few playouts are
noisy, and the players in them do not plan."""

ENDGAME = 80
"""From this many points before the target on, the rivals' points count as well …"""

SPITE = 1.2
"""… together this much, compared with 1 for our own …"""

HALF = 12.0
"""… and half as much for a rival for every this many points that it is behind the leader."""


class Beyond(CardCounter):
    """The card counter that also imagines."""

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        choices = distinct(
            cards, table.others | (BIT[table.best] if table.played else 0), lambda card: rank_of(card) == EIGHT
        )
        if len(choices) == 1:
            return choices[0]
        worlds = WORK // (sum(table.counts) * len(choices))
        means = self.imagined(choices, min(max(worlds, WORLDS[0]), WORLDS[1]))
        values = [mean + TRUST * self.worth(card) for mean, card in zip(means, choices, strict=True)]
        return choices[values.index(max(values))]

    def imagined(self, choices: Sequence[int], worlds: int) -> list[float]:
        """Return what each choice brings on average, as `weights` counts, in the same imagined deals for all."""
        random = Random(self.random.getrandbits(64))  # the standard one: ours is portable but ten times slower
        trick, weights, unseen = trick_on(self.table), self.weights(), Unseen(self.table)
        firsts = [BY_RANK[card] for card in choices]
        sums = [0.0] * len(choices)
        for _ in range(worlds):
            hands = unseen.hands(random)
            for place, first in enumerate(firsts):
                points = [0, 0, 0, 0]
                play_out(hands.copy(), trick, first, points)
                sums[place] += sum(map(mul, weights, points))
        return [total / worlds for total in sums]

    def weights(self) -> list[float]:
        """Return what a point is worth to us in each seat's hands.

        Far from the end, only our own points count. Near the end, a rival's points count against us, and more the
        better it stands.
        """
        me, totals = self.table.seat, self.table.totals
        best = max(totals)
        weights = [0.0] * 4
        if best >= self.options["target"] - ENDGAME:
            threat = [0.0 if seat == me else 0.5 ** ((best - total) / HALF) for seat, total in enumerate(totals)]
            weights = [-SPITE * share / sum(threat) for share in threat]
        weights[me] = 1.0
        return weights
