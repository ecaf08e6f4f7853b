"""Following suit and taking tricks, for the games with an ordinary pack (games.cards)."""

from __future__ import annotations

from games.cards import CARDS, SUIT_MASK, listed

LED = tuple(SUIT_MASK[card // 13] for card in CARDS)
"""By the card led: the set of cards that follow suit."""

TOP = tuple(card // 13 * 13 + 12 for card in CARDS)
"""By the card led: the ace of its suit. A later card takes over the trick when `best < card <= TOP[led]`."""


def playable(hand: int, led: int | None) -> int:
    """Return the part of a hand that may be played to a trick: the suit of the card led if possible, else
    everything."""
    if led is None:
        return hand
    return hand & LED[led] or hand


def playable_cards(hand: int, led: int | None) -> tuple[int, ...]:
    """Return `playable` in the order of the pack."""
    return listed(playable(hand, led))
