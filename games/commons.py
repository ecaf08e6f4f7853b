"""What the wires of one game work out together.

Most events are seen by everybody, and bots are told of them in the same words. So wires may share a fold over these
events: whoever plays the game tells each fold once what everybody may see, and does not tell it to the wires again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar


class Fold(Protocol):
    """Something that learns of the events that everybody may see."""

    def tell(self, event: dict[str, Any]) -> None: ...


Shared = TypeVar("Shared", bound=Fold)


class Commons:
    """The shared folds of one game. `games.hearing` tells them of its public events."""

    def __init__(self) -> None:
        self.folds: dict[type[Fold], Fold] = {}
        self.spared: set[Callable[[dict[str, Any]], None]] = set()
        """The methods `tell` that need not be called with public events, because their wires share a fold."""

    def join(self, kind: type[Shared], tell: Callable[[dict[str, Any]], None]) -> Shared:
        """Return the game's fold of that class, for a wire with this method `tell`."""
        self.spared.add(tell)
        fold = self.folds.setdefault(kind, kind())
        assert isinstance(fold, kind)
        return fold
