"""When an answer is due, on a machine where other programs also need the processor."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import local
from time import perf_counter
from typing import Protocol
from weakref import WeakSet

from games.engine import MachineryError

PROMPT = 0.02
"""Seconds within which most answers arrive. The scheduler's counters are not read for these, and later once in this
time. A much smaller value would cost each answer a microsecond, because the kernel would have to set a timer before its
next regular tick."""

LEAST = 0.001
"""Seconds between two looks, as short as callers can wait."""

STEP = 0.005
"""Seconds until the next look at a process whose time is up while it waits for a core: the kernel counts a wait when it
is over."""

STANDSTILL = 0.05
"""Our own look comes later than this, and not for want of a core: the machine stood still, or we were stopped."""

PATIENCE = 60
"""After this many times its limit, a process that has lost all of it to others is no longer waited for."""


class Clocks(Protocol):
    """The clocks of a process that a deadline reads (games.programs.Process)."""

    def cpu_seconds(self) -> float | None: ...
    def waiting(self) -> tuple[float, str]: ...


class Bot(Clocks, Protocol):
    """A bot that can be stopped where it is, and then goes on."""

    def pause(self, paused: bool) -> None: ...


class _Table(local):
    def __init__(self) -> None:
        self.bots: WeakSet[Bot] = WeakSet()


TABLE = _Table()
"""The jailed bots that this thread has started, and lets play."""


class Deadline:
    """When an answer is due: `seconds` after `started`, by the wall clock, and later by the time that was lost.

    Time is lost while the process is ready to run but others have its core, while it waits for the disk, and while the
    machine stands still. The others may be its opponents, who must not be able to use up its clock. So a process is
    late when it has computed for more than `seconds`, or slept. Threads that compete with each other gain nothing:
    together they never get more than `seconds` of processor time. The time by which our own look comes too late,
    because we waited for a core, is not charged either: the answer may have been there for that long.

    Other bots of its match that compute while they are not asked are paused once it has lost `seconds`, until `close`.
    """

    def __init__(
        self,
        process: Clocks | None,
        started: float,
        seconds: float,
        *,
        fresh: bool = False,
        stamped: bool = False,
        after: Deadline | None = None,
    ) -> None:
        """`process`: None if it is elsewhere. `fresh`: it was started for this answer, so all the time on its clocks
        belongs to the answer. `stamped`: the caller learns when an answer came, so that it does not matter when we
        look. `after`: the process's last deadline. For what it has waited since then, it has not been given anything.
        """
        self._process = process
        self._started = started
        self._seconds = seconds
        self._due = started + min(PROMPT, seconds)  # when to look
        self._stamped = stamped
        self._lost = self._used = 0.0
        self._cpu: float | None = 0.0 if fresh else None  # the clocks at our last look
        self._waited: float = after._waited if after else 0.0
        self._own: float | None = _own_wait() if after and after._lost else None
        self._looked = self._ran = started  # our last look, and the last one before the process got a core
        self._awake = False  # whether we have looked
        self._open = 0.0  # seconds that may belong to a wait which is not over
        self._ready = False
        self._busy = True  # at our last look
        self._paused: set[Bot] = set()

    def left(self) -> float:
        """Return how many seconds to wait before asking again. Zero or less means that the time is up. Raises
        MachineryError when others have had its core for too long."""
        now = perf_counter()
        if now < self._due:
            return self._due - now
        self._look(now)
        ends = self._started + self._seconds + self._lost
        if now < ends:
            self._due = ends if self._cpu is None else max(now + LEAST, min(ends, now + PROMPT))
        elif self._ready and self._ran < ends:
            self._due = now + STEP
        else:
            return ends - now
        if self._lost > self._seconds:
            for other in TABLE.bots:
                if other is not self._process and other not in self._paused and "R" in other.waiting()[1]:
                    self._paused.add(other)
                    other.pause(True)
        if now - self._started > PATIENCE * self._seconds:
            raise MachineryError(f"a bot had its core for {self._used:.2f} s in {now - self._started:.1f} s")
        return self._due - now

    def spent(self) -> float:
        """Return the seconds since the start without those that were lost: the time taken for an answer that has just
        come, or has come while we waited for a core ourselves."""
        now, own = perf_counter(), self._own
        if self._awake or now - self._started > STEP:
            self._look(now)
        delay = 0.0 if own is None or self._own is None or self._stamped else self._own - own
        return max(self._used, now - self._started - self._lost - delay)

    def close(self) -> None:
        """Let the others go on. Idempotent."""
        while self._paused:
            self._paused.pop().pause(False)

    def missed(self) -> bool:
        """Return whether an answer that has just come is too late, and only we have come too late to notice before."""
        return self._awake and self.spent() > self._seconds

    def _look(self, now: float) -> None:
        """Read the clocks, and add up what was lost since the last look."""
        cpu, passed = self._process.cpu_seconds() if self._process else None, now - self._looked
        late = 0.0 if self._stamped else max(0.0, now - self._due)
        before, self._looked, self._awake = self._looked, now, True
        if self._process is None or cpu is None:  # it is elsewhere, or it has ended, or this system has no such clocks
            self._started += late if late > STANDSTILL else 0.0
            return
        (waited, states), own = self._process.waiting(), _own_wait()
        used = 0.0 if self._cpu is None else max(0.0, cpu - self._cpu)
        lost, busy = max(0.0, waited - self._waited), "R" in states or "D" in states or len(states) == 1
        if not (busy or self._busy):
            lost = 0.0  # it sleeps: its threads have waited for each other
        if not states:
            lost = passed + self._open  # it has ended in between, when nobody counted how long it had waited
        if used or lost:
            self._ran = before
        if late - (own - self._own if self._own is not None else 0.0) > STANDSTILL:
            self._started += passed
        else:
            if self._cpu is None:  # the answer may have been there before this first look
                lost += late
            idle = max(0.0, passed - used) + self._open
            lost = min(idle, lost + (passed if "D" in states else 0.0))
            self._lost += lost
            self._used += used
            self._open = idle - lost if "R" in states else 0.0
        self._ready, self._busy = "R" in states, busy
        self._cpu, self._waited, self._own = cpu, waited, own


def _own_wait() -> float:
    """How long this thread has waited for a core so far; 0 where nobody counts."""
    with suppress(OSError, IndexError):
        return int(Path("/proc/thread-self/schedstat").read_bytes().split()[1]) / 1e9
    return 0.0
