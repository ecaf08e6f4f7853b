"""Imagined hands for house players: unseen cards, dealt in ways that fit everything they know.

Cards are bits here, numbered by rank first (4·rank + suit). The lowest bit of a hand is its lowest card, and higher
cards have higher bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import or_
from random import Random

from games.cards import BIT, CARDS, IN_SUIT, SUIT_MASK, listed
from games.engine import Seat
from games.trick_table import TrickTable

ATTEMPTS = 20

BY_RANK = tuple(1 << card % 13 * 4 + card // 13 for card in CARDS)
"""By card (games.cards): its bit."""

SUITS = tuple(sum(BY_RANK[13 * suit + rank] for rank in range(13)) for suit in range(4))
"""The cards of a suit."""

SUIT_OF_PLACE = tuple(SUITS[place % 4] for place in CARDS)
"""By the place of a card's bit: the cards of its suit."""


def by_rank(cards: int) -> int:
    """Convert a set of cards (games.cards) to the numbering of this module."""
    return sum(BY_RANK[card] for suit in SUIT_MASK for card in IN_SUIT[cards & suit])


class Trick:
    """A trick in progress, before somebody plays to it, for playouts."""

    __slots__ = ("best", "broken", "led", "played", "turn", "winner", "worth")

    def __init__(self, turn: Seat, broken: bool = False) -> None:
        self.turn = turn
        self.broken = broken  # what may not be led at first was played on an earlier trick
        self.played = 0
        self.led = 0  # the suit led, as a set of cards
        self.best = 0  # the card that wins as the trick stands
        self.winner = turn
        self.worth = 0


def trick_on(table: TrickTable, broken: bool = False) -> Trick:
    """Return the trick on the table."""
    trick = Trick(table.seat, broken)
    trick.worth = table.worth
    if table.played:
        trick.played, trick.winner = table.played, table.winner
        trick.led, trick.best = by_rank(table.led), BY_RANK[table.best]
    return trick


class Unseen:
    """The cards that several hands may hold, by everything that a seat has seen so far. They are dealt at random, none
    to a seat that is out of its suit."""

    def __init__(self, table: TrickTable) -> None:
        self._known = [by_rank(held) for held in table.held]
        self._known[table.seat] = by_rank(table.hand)
        self._room = [count - held.bit_count() for count, held in zip(table.counts, table.held, strict=True)]
        self._room[table.seat] = 0
        cards = listed(table.hidden)
        self._bits = [BY_RANK[card] for card in cards]
        self._everybody = tuple(seat for seat in range(4) if self._room[seat])
        self._owners = [tuple(seat for seat in self._everybody if not table.out[seat] & BIT[card]) for card in cards]
        self._bound = any(owners != self._everybody for owners in self._owners)

    def hands(self, random: Random) -> list[int]:
        """Return a hand for each seat, as the playouts want them."""
        return list(map(or_, self._known, self._share(random)))

    def _share(self, random: Random) -> list[int]:
        """Deal. When the suits leave no way to finish, it starts again, and in the end ignores them: an impossible hand
        is better to think about than none."""
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
        """Try once. Cards with the fewest possible owners go first, each to a seat in proportion to its free room."""
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


def distinct(cards: Sequence[int], others: int, alone: Callable[[int], bool]) -> list[int]:
    """Keep one card of each run of neighbours that no card of the others separates: it does not matter which is played.

    Cards with another value than their neighbours are `alone`. `cards` ascend, as in the pack.
    """
    kept: list[int] = []
    for card in cards:
        if kept and kept[-1] // 13 == card // 13 and not alone(card) and not alone(kept[-1]):
            between = (BIT[card] - 1) & ~((BIT[kept[-1]] << 1) - 1)
            if not between & others:
                continue
        kept.append(card)
    return kept
