"""When an answer is due, on a machine where others want the processor, too."""

from __future__ import annotations

from time import perf_counter
from typing import Protocol

PROMPT = 0.02
"""Seconds in which most answers come. For these nobody reads the scheduler's counters. Much less would cost each answer
a microsecond: the clock of the machine would have to be set for it before its next regular tick."""

PATIENCE = 10
"""A deadline is extended to so many times the limit at most."""


class Clocks(Protocol):
    """What a deadline has to know of a process (games.programs.Process)."""

    def cpu_seconds(self) -> float | None: ...
    def waiting_seconds(self) -> float | None: ...


class Deadline:
    """When an answer is due: `seconds` after `started`, by the wall clock, and later by the time lost in between.

    Lost is the time in which the process was ready to run but others had its core, its opponents perhaps: they must not
    be able to use up its clock. Who sleeps or waits for something loses nothing, and threads that stand in each other's
    way do not either: together they never get more than `seconds` of processor time out of it.
    """

    def __init__(self, process: Clocks, started: float, seconds: float, *, fresh: bool = False) -> None:
        """`fresh`: the process was started for this answer, so that all its clocks say belongs to it."""
        self._process = process
        self._started = started
        self._seconds = seconds
        self._ends = started + min(PROMPT, seconds)
        self._lost = 0.0
        self._before = (started, 0.0, 0.0) if fresh else None  # the clocks; unless fresh, after PROMPT

    def left(self) -> float:
        """Seconds to wait for the answer before this is asked again. When there are none, time is up."""
        now = perf_counter()
        if now >= self._ends:
            self._look(now)
        return self._ends - now

    def spent(self) -> float:
        """Seconds since the start, without those that were lost: what the answer took that has come now."""
        now = perf_counter()
        if self._before is not None:
            self._look(now)
        return max(0.0, now - self._started - self._lost)

    def _look(self, now: float) -> None:
        """Read the clocks and move the deadline."""
        clocks = now, self._process.cpu_seconds() or 0.0, self._process.waiting_seconds() or 0.0
        if self._before is None:
            self._before = clocks
        elapsed, used, waited = (after - before for after, before in zip(clocks, self._before, strict=True))
        self._lost = max(0.0, min(waited, elapsed - used))
        self._ends = self._started + min(self._seconds + self._lost, PATIENCE * self._seconds)
