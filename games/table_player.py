"""A house player that remembers what it has seen."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Generic, Protocol, TypeVar

from games.engine import Action, Event, Options, Seat


class Memory(Protocol):
    """A fold over the events that a seat may see."""

    def tell(self, event: Event) -> None: ...


T = TypeVar("T", bound=Memory)


class TablePlayer(Generic[T]):
    """Base of a house player. `table` holds what it knows; `random` and `options` are those of its game."""

    def __init__(self, seat: Seat, options: Options, random: Random) -> None:
        self.table = self.new_table(seat)
        self.random = random
        self.options = options

    def new_table(self, seat: Seat) -> T:
        """Return what it knows at the start of a game."""
        raise NotImplementedError

    def tell(self, event: Event) -> None:
        self.table.tell(event)

    def choose(self, legal: Sequence[Action]) -> Action:
        raise NotImplementedError


class Forgetful(TablePlayer[T]):
    """Put before another player: that player, which now and then decides without looking."""

    forgets: float
    """The share of its decisions that are random."""

    def choose(self, legal: Sequence[Action]) -> Action:
        return self.random.choice(legal) if self.random.random() < self.forgets else super().choose(legal)
