"""A bot's process in a jail, as the referee holds it: three pipes, a clock, an end."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from games.deadline import TABLE
from games.engine import MachineryError
from games.programs import Exit, ExitStatus, waiting
from submissions.sandbox import cgroups

if TYPE_CHECKING:
    from submissions.sandbox.jail import Jail

PATIENCE = 10.0
"""Seconds in which our own machinery must answer."""

EXITING = 0x4
"""The flag of a process that has begun to exit (Linux: PF_EXITING, in /proc/PID/stat)."""


class Family:
    """The clocks of all processes that process 1 has started, and theirs: of a bot that may have several, and for a
    question, when only the kernel knows their numbers.

    Their processor time is that of their control group since this object was made. Without one it is summed over all
    who are there, each with the children that it has waited for. Nobody can disown a child there (policy.py).
    For those that have ended, the waiting that was seen last counts. Process 1 answers some of their calls: while it
    waits for a core to do so, they wait like for a disk.
    """

    def __init__(self, first: int, group: cgroups.Group | None) -> None:
        self._first, self._group = first, group
        self._before = group.cpu_seconds() if group is not None else 0.0
        self._most = 0.0
        self._waited: dict[int, float] = {}

    def cpu_seconds(self) -> float:
        if self._group is not None:
            return self._group.cpu_seconds() - self._before
        self._most = max(self._most, sum(map(_times, _family(self._first))))  # a process that ends is missed once
        return self._most

    def waiting(self) -> tuple[float, str]:
        found = {pid: waiting(pid) for pid in _family(self._first)}
        self._waited |= {pid: waited for pid, (waited, states) in found.items() if states}
        states = "".join(states for _, states in found.values())
        if {*states} <= {"S", "Z"} and waiting(self._first)[1] in ("R", "D") and any(map(_asks, found)):
            states = states.replace("S", "D").replace("Z", "D")
        return sum(self._waited.values()), states


WAITS = re.compile(rb"0|.*(seccomp|pipe_read).*")
"""Where a process sleeps in the kernel that may wait for process 1: to judge a call, or to pass the question on. The
kernel says 0 of one that it has not taken off the core's queue yet, and to those who may not know."""


def _asks(pid: int) -> bool:
    """Whether a process may wait for process 1, also to be reported as ended."""
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            if WAITS.fullmatch((thread / "wchan").read_bytes()) or b") Z " in (thread / "stat").read_bytes():
                return True
    return False


def _children(pid: int) -> list[int]:
    """The children of all its threads. Empty if it is gone."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_bytes().split())
    return found


def _family(first: int) -> Iterator[int]:
    """All below that process, parents first."""
    for pid in _children(first):
        yield pid
        yield from _family(pid)


def _times(pid: int) -> float:
    """The processor seconds of a process and of the children that it has waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    ended = (int(fields[13]) + int(fields[14])) / TICKS
    return ended + (_cpu_seconds(pid) or 0.0)


TICKS = os.sysconf("SC_CLK_TCK")


def _cpu_seconds(pid: int) -> float | None:
    try:
        return time.clock_gettime((~pid << 3) | 2)  # the process clock of another process (Linux: CPUCLOCK_SCHED)
    except OSError:
        return None


class JailedProcess:
    """A bot running in a jail: `games.programs.Process`."""

    def __init__(self, jail: Jail, pid: int, streams: Sequence[int], family: Family, *, alone: bool) -> None:
        """`family`: the clocks of all its processes. `alone`: its own tells its processor time."""
        self.pid = pid  # on this host
        TABLE.bots.add(self)
        self._family, self._alone = family, alone
        self.stdin, self.stdout, self.stderr = streams
        self._jail = jail
        self._exit: Exit | None = None
        self._input_open = True
        self._open = True

    def cpu_seconds(self) -> float | None:
        """Processor time so far, over all processes and threads. None if it is unknown."""
        if self._exit is not None:
            return self._exit.cpu_seconds
        if not self._alone:
            return self._family.cpu_seconds()
        used = _cpu_seconds(self.pid)
        return end.cpu_seconds if used is None and (end := self.ended(0.0)) else used

    def waiting(self) -> tuple[float, str]:
        """See `games.programs.Process`."""
        return (0.0, "") if self._exit is not None else self._family.waiting()

    def pause(self, paused: bool) -> None:
        """Stop its threads, or let them go on. A bot has no other processes."""
        if self._exit is None and not self._dead():
            with suppress(OSError):  # it has just ended
                os.kill(self.pid, signal.SIGSTOP if paused else signal.SIGCONT)

    def close_input(self) -> None:
        """Let the bot read the end of its input. Idempotent."""
        if self._input_open:
            self._input_open = False
            os.close(self.stdin)

    def ended(self, seconds: float) -> Exit | None:
        """Wait at most this long for the process to end by itself.

        If it has ended by then, but process 1 has not yet reported how (much memory to free, a busy machine), wait for
        the report too: the true reason must not become "closed its output".
        """
        if self._exit is None:
            record = self._jail.receive(seconds)
            if record is None and self._dead():
                record = self._jail.receive(PATIENCE)
            if record is not None:
                self._exit = Exit(ExitStatus.KILLED)  # it has ended, also if the next line says that the machine failed
                self._exit = self._jail.ending(record)
        return self._exit

    def _dead(self) -> bool:
        """Whether its last thread has exited or is exiting."""
        try:
            words = Path(f"/proc/{self.pid}/stat").read_bytes().rpartition(b")")[2].split()
            threads = len(os.listdir(f"/proc/{self.pid}/task"))
        except OSError:
            return True
        return threads == 1 and (words[0] in b"ZX" or bool(int(words[6]) & EXITING))

    def stop(self, grace: float = 1.0) -> Exit:
        """Close its input, give it `grace` seconds to exit, kill what is left, close everything. Idempotent."""
        self.close_input()
        try:
            if self.ended(grace) is None:
                self._jail.kill()
                if self.ended(PATIENCE) is None:
                    raise MachineryError("process 1 of the jail does not answer")
        finally:
            if self._open:
                self._open = False
                TABLE.bots.discard(self)
                os.close(self.stdout)
                os.close(self.stderr)
        assert self._exit is not None
        return self._exit
