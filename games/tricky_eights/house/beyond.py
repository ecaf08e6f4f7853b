"""Beyond card counting: it imagines hands that agree with all it has seen, plays each of its choices out in all of them, and
looks at the score of the game when it weighs what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.cards import BIT, EIGHT, IN_SUIT, SUIT_MASK, rank_of
from games.tricky_eights.house.counting import CardCounter
from games.tricky_eights.house.playouts import BY_RANK, Trick, by_rank, play_out

WORK = 2400
"""How many imagined cards are played for one decision, about: a few milliseconds."""

WORLDS = (6, 60)
"""Fewest and most imagined deals for one decision."""

TRUST = 1.0
"""How much the card counter's judgement weighs beside the mean of the playouts."""


class Beyond(CardCounter):
    """The card counter that also imagines."""

    def play(self, cards: Sequence[int]) -> int:
        table = self.table
        choices = distinct(cards, table.others | (BIT[table.best] if table.played else 0))
        if len(choices) == 1:
            return choices[0]
        plays = sum(table.counts)
        worlds = max(WORLDS[0], min(WORLDS[1], WORK // (plays * len(choices))))
        trick = self.trick()
        weights = self.weights()
        random = Random(self.random.getrandbits(64))
        sums = [0.0] * len(choices)
        for _ in range(worlds):
            hands = self.imagine(random)
            for place, card in enumerate(choices):
                points = [0, 0, 0, 0]
                play_out(hands.copy(), trick, BY_RANK[card], points)
                sums[place] += sum(map(float.__mul__, weights, map(float, points)))
        values = [total / worlds + TRUST * self.worth(card) for total, card in zip(sums, choices, strict=True)]
        return choices[values.index(max(values))]

    def trick(self) -> Trick:
        table = self.table
        trick = Trick(table.number, table.seat)
        trick.played = table.played
        trick.worth = table.worth
        if table.played:
            trick.led, trick.best, trick.winner = by_rank(table.led), BY_RANK[table.best], table.winner
        return trick

    def weights(self) -> list[float]:
        """What a point is worth to us in each seat's hands."""
        weights = [0.0] * 4
        weights[self.table.seat] = 1.0
        return weights

    def imagine(self, random: Random) -> list[int]:
        """Four hands (playouts) that agree with everything seen."""
        table = self.table
        hands = [by_rank(held) for held in table.held]
        hands[table.seat] = by_rank(table.hand)
        room = [count - held.bit_count() for count, held in zip(table.counts, table.held, strict=True)]
        room[table.seat] = 0
        cards = [card for suit in SUIT_MASK for card in IN_SUIT[table.hidden & suit]]
        for seat, dealt in enumerate(share(cards, room, table.out, random)):
            for card in dealt:
                hands[seat] |= BY_RANK[card]
        return hands


def share(cards: Sequence[int], room: Sequence[int], out: Sequence[int], random: Random) -> list[list[int]]:
    """Share cards out at random: `room[seat]` of them to each seat, none of the suits that it is out of.

    Cards with the fewest possible owners go first. Where that runs into a corner it starts again, and after twenty times
    gives up on the suits (a hand that cannot be is better to think about than none).
    """
    rolls = [(random.random(), card) for card in cards]
    rolls.sort()
    for attempt in range(21):
        shares: list[list[int]] = [[], [], [], []]
        free = list(room)
        strict = attempt < 20 and any(out)
        owners = {card: [seat for seat in range(4) if room[seat] and not (strict and out[seat] & BIT[card])] for card in cards}
        order = sorted(rolls, key=lambda roll: len(owners[roll[1]])) if strict else rolls
        for _, card in order:
            seats = [seat for seat in owners[card] if free[seat]]
            if not seats:
                break
            pick = random.random() * sum(free[seat] for seat in seats)
            for seat in seats:
                pick -= free[seat]
                if pick < 0:
                    break
            free[seat] -= 1
            shares[seat].append(card)
        else:
            return shares
    raise AssertionError("there is room for every card")


def distinct(cards: Sequence[int], others: int) -> list[int]:
    """One card of each run of neighbours that are all ours: which of them is played makes no difference, eights apart."""
    kept: list[int] = []
    for card in cards:
        if kept and kept[-1] // 13 == card // 13 and EIGHT not in (rank_of(card), rank_of(kept[-1])):
            between = (BIT[card] - 1) & ~((BIT[kept[-1]] << 1) - 1)
            if not between & others:
                continue
        kept.append(card)
    return kept


