"""Beyond card counting: it imagines hands that agree with all it has seen and plays each of its choices out in all of
them. When the game is about to end, it looks at the score, too."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul, or_
from random import Random

from games.cards import BIT, EIGHT, IN_SUIT, SUIT_MASK, rank_of
from games.tricky_eights.house.counting import CardCounter
from games.tricky_eights.house.playouts import BY_RANK, Trick, by_rank, play_out

WORK = 2400
"""How many imagined cards are played for one decision, about: one or two milliseconds."""

WORLDS = (6, 60)
"""Fewest and most imagined deals for one decision."""

TRUST = 1.2
"""How much the card counter's judgement weighs beside the mean of the playouts, both in points. Few playouts are noisy,
and those who play in them do not plan."""

ENDGAME = 80
"""From so many points before the target on, the rivals' points count, too …"""

SPITE = 1.2
"""… together so much, against our own 1 …"""

HALF = 12.0
"""… and each rival's half as much for every so many points that it is behind the leader."""

ATTEMPTS = 20


class Beyond(CardCounter):
    """The card counter that also imagines."""

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        choices = distinct(cards, table.others | (BIT[table.best] if table.played else 0))
        if len(choices) == 1:
            return choices[0]
        worlds = WORK // (sum(table.counts) * len(choices))
        means = self.imagined(choices, min(max(worlds, WORLDS[0]), WORLDS[1]))
        values = [mean + TRUST * self.worth(card) for mean, card in zip(means, choices, strict=True)]
        return choices[values.index(max(values))]

    def imagined(self, choices: Sequence[int], worlds: int) -> list[float]:
        """What each choice brings on average, as `weights` counts, in the same imagined deals for all."""
        random = Random(self.random.getrandbits(64))  # the standard one: ours is portable, but ten times slower
        trick, weights, unseen = self.trick(), self.weights(), self.unseen()
        known = [by_rank(held) for held in self.table.held]
        known[self.table.seat] = by_rank(self.table.hand)
        firsts = [BY_RANK[card] for card in choices]
        sums = [0.0] * len(choices)
        for _ in range(worlds):
            hands = list(map(or_, known, unseen.share(random)))
            for place, first in enumerate(firsts):
                points = [0, 0, 0, 0]
                play_out(hands.copy(), trick, first, points)
                sums[place] += sum(map(mul, weights, points))
        return [total / worlds for total in sums]

    def trick(self) -> Trick:
        """The trick on the table, for the playouts."""
        table = self.table
        trick = Trick(table.number, table.seat)
        if table.played:
            trick.played, trick.worth, trick.winner = table.played, table.worth, table.winner
            trick.led, trick.best = by_rank(table.led), BY_RANK[table.best]
        return trick

    def weights(self) -> list[float]:
        """What a point is worth to us in each seat's hands.

        Far from the end only our own count. Near it those of a rival count against us, the more the better it stands.
        """
        me, totals = self.table.seat, self.table.totals
        best = max(totals)
        weights = [0.0] * 4
        if best >= self.options["target"] - ENDGAME:
            threat = [0.0 if seat == me else 0.5 ** ((best - total) / HALF) for seat, total in enumerate(totals)]
            weights = [-SPITE * share / sum(threat) for share in threat]
        weights[me] = 1.0
        return weights

    def unseen(self) -> Unseen:
        """The cards that may be in several hands, as far as everything seen tells."""
        table = self.table
        room = [count - held.bit_count() for count, held in zip(table.counts, table.held, strict=True)]
        room[table.seat] = 0
        return Unseen([card for suit in SUIT_MASK for card in IN_SUIT[table.hidden & suit]], room, table.out)


class Unseen:
    """Cards to be shared out at random: `room[seat]` of them to each seat, none of the suits that it is out of."""

    def __init__(self, cards: Sequence[int], room: Sequence[int], out: Sequence[int]) -> None:
        self._room = room
        self._bits = [BY_RANK[card] for card in cards]
        self._everybody = tuple(seat for seat in range(4) if room[seat])
        self._owners = [tuple(seat for seat in self._everybody if not out[seat] & BIT[card]) for card in cards]
        self._bound = any(owners != self._everybody for owners in self._owners)

    def share(self, random: Random) -> list[int]:
        """A hand for each seat, as the playouts want them.

        Where the suits run into a corner it starts again, and in the end gives them up: hands that cannot be are better
        to think about than none.
        """
        if self._bound:
            for _ in range(ATTEMPTS):
                hands = self._share_bound(random)
                if hands is not None:
                    return hands
        draw = random.random
        bits = sorted(self._bits, key=lambda _: draw())
        hands, start = [0, 0, 0, 0], 0
        for seat in self._everybody:
            end = start + self._room[seat]
            hands[seat] = sum(bits[start:end])
            start = end
        return hands

    def _share_bound(self, random: Random) -> list[int] | None:
        """One attempt: cards with the fewest possible owners first, each to a seat in proportion to its room left."""
        draw = random.random
        hands, free = [0, 0, 0, 0], list(self._room)
        order = sorted((len(owners), draw(), bit, owners) for bit, owners in zip(self._bits, self._owners, strict=True))
        for _, _, bit, owners in order:
            pick = draw() * sum([free[seat] for seat in owners])
            for seat in owners:
                if pick < free[seat]:
                    free[seat] -= 1
                    hands[seat] |= bit
                    break
                pick -= free[seat]
            else:
                return None
        return hands


def distinct(cards: Sequence[int], others: int) -> list[int]:
    """One card of each run of neighbours that no card of the others parts: which of them is played makes no difference.

    Eights stand alone. `cards` ascend, as in the pack.
    """
    kept: list[int] = []
    for card in cards:
        if kept and kept[-1] // 13 == card // 13 and EIGHT not in (rank_of(card), rank_of(kept[-1])):
            between = (BIT[card] - 1) & ~((BIT[kept[-1]] << 1) - 1)
            if not between & others:
                continue
        kept.append(card)
    return kept
