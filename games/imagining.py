"""Imagined hands for house players: unseen cards, dealt in ways that fit everything they know.

Cards are bits here, numbered by rank first (4·rank + suit). The lowest bit of a hand is its lowest card, and higher
cards have higher bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from games.cards import BIT, CARDS, IN_SUIT, SUIT_MASK, listed

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


class Unseen:
    """Cards to be dealt at random: `room[seat]` of them to each seat, none of the suits that it is out of."""

    def __init__(self, cards: int, room: Sequence[int], out: Sequence[int]) -> None:
        self._room = room
        self._bits = [BY_RANK[card] for card in listed(cards)]
        self._everybody = tuple(seat for seat in range(4) if room[seat])
        self._owners = [tuple(seat for seat in self._everybody if not out[seat] & BIT[card]) for card in listed(cards)]
        self._bound = any(owners != self._everybody for owners in self._owners)

    def share(self, random: Random) -> list[int]:
        """Return a hand for each seat, as the playouts want them.

        When the suits leave no way to finish, it starts again, and in the end ignores them: an impossible hand is
        better to think about than none.
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
