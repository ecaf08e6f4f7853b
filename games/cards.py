"""The ordinary pack of 52 as numbers and words.

A card is an index 0 … 51: thirteen times its suit (clubs, diamonds, hearts, spades) plus its rank (two … ace, from 0).
Cards of a suit are neighbours, and of two cards of a suit the higher index is the higher card. Games write the same
index in their own notation (`Game.pack`).
"""

from __future__ import annotations

from collections.abc import Iterable

from games.engine import Face

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
EIGHT = RANKS.index("eight")

CARDS = range(52)
BIT = tuple(1 << card for card in CARDS)
"""A set of cards is an integer with the bits of its cards."""
_bit = list(BIT).__getitem__  # a list is twice as fast as a tuple

SUIT_MASK = tuple(0x1FFF << 13 * suit for suit in range(4))


def suit_of(card: int) -> int:
    return card // 13


def rank_of(card: int) -> int:
    return card % 13


def words(card: int) -> str:
    """Such as `eight of clubs`."""
    return f"{RANKS[card % 13]} of {SUITS[card // 13]}"


_PRINTED = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_SAID = (*_PRINTED[:9], "jack", "queen", "king", "ace")


def face(card: int | None) -> Face | None:
    """Return the card as people see it, or None if there is no card."""
    if card is None:
        return None
    suit, rank = divmod(card, 13)
    name = SUITS[suit]
    return Face(_PRINTED[rank], name[0], f"{_SAID[rank]} of {name}", name, rank)


def mask(cards: Iterable[int]) -> int:
    """Return a set of different cards as a bit mask."""
    return sum(map(_bit, cards))


class _Listed(dict[int, tuple[int, ...]]):
    """Sets of cards of one suit as tuples. Each is computed on first use (at most 8,192 for each suit)."""

    def __missing__(self, cards: int) -> tuple[int, ...]:
        lowest = cards & -cards
        found = self[cards] = (lowest.bit_length() - 1, *self[cards ^ lowest]) if cards else ()
        return found


IN_SUIT = _Listed()
"""`IN_SUIT[mask]`: the cards, from low to high, of a set within one suit (or ten neighbours). A table for hot paths."""


def listed(cards: int) -> tuple[int, ...]:
    """List a set of cards in the order of the pack: by suit, then from low to high."""
    clubs, diamonds, hearts, spades = SUIT_MASK
    return IN_SUIT[cards & clubs] + IN_SUIT[cards & diamonds] + IN_SUIT[cards & hearts] + IN_SUIT[cards & spades]
