"""When an answer is due, on a machine where other programs also need the processor."""

from __future__ import annotations

from time import perf_counter
from typing import Protocol

PROMPT = 0.02
"""Seconds within which most answers arrive. The scheduler's counters are not read for these. A much smaller value would
cost each answer a microsecond, because the kernel would have to set a timer before its next regular tick."""

PATIENCE = 10
"""A deadline is extended to at most this many times the limit."""


class Clocks(Protocol):
    """The clocks of a process that a deadline reads (games.programs.Process)."""

    def cpu_seconds(self) -> float | None: ...
    def waiting_seconds(self) -> float | None: ...


class Deadline:
    """When an answer is due: `seconds` after `started`, by the wall clock, and later by the time that was lost.

    Time is lost while the process is ready to run but others have its core. Those may be its opponents, who must not be
    able to use up its clock. A process that sleeps or waits loses nothing. Threads that compete with each other gain
    nothing either: together they never get more than `seconds` of processor time. The time by which our own first look
    comes too late, because we waited for a core, is lost too: the answer may have been there for that long.
    """

    def __init__(
        self, process: Clocks, started: float, seconds: float, *, fresh: bool = False, stamped: bool = False
    ) -> None:
        """`fresh`: the process was started for this answer, so all the time on its clocks belongs to the answer.
        `stamped`: the caller learns when an answer came, so that it does not matter when we look."""
        self._process = process
        self._started = started
        self._seconds = seconds
        self._ends = started + min(PROMPT, seconds)
        self._stamped = stamped
        self._overslept = 0.0
        self._lost = 0.0
        self._before = (started, 0.0, 0.0) if fresh else None  # the clocks at the start, or after PROMPT unless fresh

    def left(self) -> float:
        """Return how many seconds to wait before asking again. Zero or less means that the time is up."""
        now = perf_counter()
        if now >= self._ends:
            self._look(now)
        return self._ends - now

    def spent(self) -> float:
        """Return the seconds since the start without those that were lost: the time taken for an answer that has just
        come."""
        now = perf_counter()
        if self._before is not None or now >= self._ends:
            self._look(now)
        return max(0.0, now - self._started - self._lost)

    def _look(self, now: float) -> None:
        """Read the clocks and move the deadline."""
        clocks = now, self._process.cpu_seconds() or 0.0, self._process.waiting_seconds() or 0.0
        if self._before is None:
            self._before = clocks
            self._overslept = 0.0 if self._stamped else now - self._ends
        elapsed, used, waited = (after - before for after, before in zip(clocks, self._before, strict=True))
        self._lost = self._overslept + max(0.0, min(waited, elapsed - used))
        self._ends = self._started + min(self._seconds + self._lost, PATIENCE * self._seconds)
