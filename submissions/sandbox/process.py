"""A bot's process in a jail, as the referee holds it: three pipes, a clock, an end."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Protocol

from games.engine import MachineryError
from games.programs import Exit, waiting_seconds
from submissions.sandbox import wire

PATIENCE = 10.0
"""Seconds in which our own machinery must answer."""

EXITING = 0x4
"""The flag of a process that has begun to exit (Linux: PF_EXITING, in /proc/PID/stat)."""


class Keeper(Protocol):
    """The jail of a process. Process 1 in it notices and reports what happens."""

    def receive(self, seconds: float) -> wire.Record | None: ...

    def ending(self, record: wire.Record) -> Exit: ...

    def kill(self) -> None: ...


class Children:
    """The clocks of the processes that process 1 started for a question. Only the kernel knows their numbers."""

    def __init__(self, first: int) -> None:
        self._list = Path(f"/proc/{first}/task/{first}/children")

    def cpu_seconds(self) -> float:
        return sum(_cpu_seconds(pid) or 0.0 for pid in self._pids())

    def waiting_seconds(self) -> float:
        return sum(waiting_seconds(pid) or 0.0 for pid in self._pids())

    def _pids(self) -> list[int]:
        try:
            return [int(word) for word in self._list.read_bytes().split()]
        except OSError:  # the jail is gone
            return []


def _cpu_seconds(pid: int) -> float | None:
    try:
        return time.clock_gettime((~pid << 3) | 2)  # the process clock of another process (Linux: CPUCLOCK_SCHED)
    except OSError:
        return None


class Pipes:
    """Standard input, output and error: the referee's ends and the bot's."""

    def __init__(self) -> None:
        made = [os.pipe2(os.O_CLOEXEC) for _ in range(3)]
        self.ours = [made[0][1], made[1][0], made[2][0]]
        self.theirs = [made[0][0], made[1][1], made[2][1]]
        for fd in self.ours:
            os.set_blocking(fd, False)

    def close_theirs(self) -> None:
        while self.theirs:
            os.close(self.theirs.pop())

    def close(self) -> None:
        while self.ours:
            os.close(self.ours.pop())


class JailedProcess:
    """A bot running in a jail: `games.programs.Process`."""

    def __init__(self, jail: Keeper, pid: int, pipes: list[int]) -> None:
        self.pid = pid  # on this host
        self.stdin, self.stdout, self.stderr = pipes
        self._jail = jail
        self._exit: Exit | None = None
        self._input_open = True
        self._open = True

    def cpu_seconds(self) -> float | None:
        """Processor time so far, over all threads. None if it is unknown."""
        if self._exit is not None:
            return self._exit.cpu_seconds
        return _cpu_seconds(self.pid)  # None: it is gone; the next `ended` says how

    def waiting_seconds(self) -> float | None:
        """Time so far in which it was ready to run but waited for a core. None if it is unknown."""
        return None if self._exit is not None else waiting_seconds(self.pid)

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
                os.close(self.stdout)
                os.close(self.stderr)
        assert self._exit is not None
        return self._exit
