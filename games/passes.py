"""Choosing three cards of a hand to pass."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

from games.engine import Action

PASSED = 3

_places = cache(lambda cards: tuple(combinations(range(cards), PASSED)))
"""By the size of a hand: every three places in it."""


class Passes(Sequence[Action]):
    """All ways to pass three cards, in the order of `itertools.combinations`. Each is made when it is looked at."""

    __slots__ = ("_cards", "_ways")

    def __init__(self, cards: tuple[int, ...]) -> None:
        self._cards = cards
        self._ways = _places(len(cards))

    @property
    def cards(self) -> tuple[int, ...]:
        """The hand from which they are passed."""
        return self._cards

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Passes) and other._cards == self._cards

    def __hash__(self) -> int:
        return hash(self._cards)

    def __len__(self) -> int:
        return len(self._ways)

    def __getitem__(self, index: Any) -> Any:
        cards = self._cards
        if type(index) is int:
            i, j, k = self._ways[index]
            return cards[i], cards[j], cards[k]
        return [(cards[i], cards[j], cards[k]) for i, j, k in self._ways[index]]
