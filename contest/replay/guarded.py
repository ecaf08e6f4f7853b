"""A game that is over, for readers who may not see all hands yet: others still have to play the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from contest.replay import Replay
from contest.replay.growing import as_seen
from contest.replay.parts import Asked, ReplaySeat, Thinking
from contest.replay.thinking import questions


class Guarded(Replay):
    """One game of a record in which nothing is left of what the reader may not see."""

    def __init__(self, *given: Any, allowed: Sequence[str]) -> None:
        """`given`: what a replay is made from. `allowed`: the views that the reader may choose; the first is usual."""
        self.allowed = tuple(allowed)
        super().__init__(*given)
        if self.view not in self.allowed:
            self.view = self.allowed[0]
        self.events = as_seen(self.game, self.events, self.view)  # so that two games without hands can be compared

    @property
    def views(self) -> dict[str, str]:
        return {key: label for key, label in super().views.items() if key in self.allowed}

    @cached_property
    def asked(self) -> dict[int, Asked]:
        """What the reader's own bot was sent; that of others follows from their hands."""
        own = [seat.player for seat in self._own_seats]
        return questions(self.game, self.record, self.number, self.numbers, own) if own else {}

    @cached_property
    def thinking(self) -> list[Thinking]:
        """That of the same bot: how close a decision was to its limit depends on the question."""
        return self.thinking_of(self._own_seats)

    @property
    def _own_seats(self) -> list[ReplaySeat]:
        return [seat for seat in self.seats if str(seat.index) in self.allowed]
