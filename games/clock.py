"""The clock of a game in which a bot has so much time for all its decisions together."""

from __future__ import annotations


class Clock:
    """A bot's time for one game: so many seconds, and some more for each of its first answers that were accepted."""

    def __init__(self, seconds: float, bonus: float, moves: int) -> None:
        self.left = float(seconds)
        self._bonus = bonus
        self._moves = moves

    def spend(self, seconds: float) -> None:
        self.left = max(0.0, self.left - seconds)

    def earn(self) -> None:
        """An answer was accepted."""
        if self._moves > 0:
            self._moves -= 1
            self.left += self._bonus
