"""The clock for games that limit all decisions of a bot together."""

from __future__ import annotations


class Clock:
    """A bot's time for one game, in seconds. Each of its first `moves` accepted answers earns `bonus` more."""

    def __init__(self, seconds: float, bonus: float, moves: int) -> None:
        self.left = float(seconds)
        self._bonus = bonus
        self._moves = moves

    def spend(self, seconds: float) -> None:
        self.left = max(0.0, self.left - seconds)

    def earn(self) -> None:
        """Count an answer that was accepted."""
        if self._moves > 0:
            self._moves -= 1
            self.left += self._bonus
