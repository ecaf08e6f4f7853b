"""Programs that play: what the referee's players need of a bot's process, whoever started it.

The command line starts bots as plain processes (`LocalProgram`, below); the portal starts them in the sandbox
(`submissions.sandbox`), which returns the same two things. The referee never learns the difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from games.engine import Fault, FaultKind


class ExitStatus(StrEnum):
    """Why a process is no longer there. Closed: every exit is exactly one of these."""

    EXITED = "exited"  # by itself; `code` says how
    SIGNALLED = "signalled"  # by a signal of its own making; `signal` says which
    MEMORY = "memory"  # over its memory limit
    CPU = "cpu"  # over its processor time limit
    OUTPUT = "output"  # flooded a stream
    VIOLATION = "violation"  # a forbidden system call; `call` and `path` say which
    KILLED = "killed"  # by us, because it was no longer needed


@dataclass(frozen=True, slots=True)
class Exit:
    """The one flat record of a process's end. Seconds, bytes."""

    status: ExitStatus
    code: int = 0
    signal: int = 0
    call: str = ""
    path: str = ""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_bytes: int = 0

    def fault(self) -> Fault:
        """The fault of a bot that was asked and found gone like this."""
        match self.status:
            case ExitStatus.MEMORY:
                return Fault(FaultKind.MEMORY, "went over its memory limit")
            case ExitStatus.OUTPUT:
                return Fault(FaultKind.OUTPUT, "flooded its output")
            case ExitStatus.VIOLATION:
                return Fault(FaultKind.VIOLATION, f"{self.call} {self.path}".rstrip())
            case ExitStatus.CPU:
                return Fault(FaultKind.TIMEOUT, "used up its processor time")
            case ExitStatus.SIGNALLED:
                return Fault(FaultKind.CRASH, f"was ended by signal {self.signal}")
            case ExitStatus.EXITED:
                return Fault(FaultKind.CRASH, f"exited with status {self.code} without an answer")
            case _:
                return Fault(FaultKind.CRASH, "closed its output")


class Process(Protocol):
    """A bot that runs. The three descriptors are the referee's ends, non-blocking, and belong to this object."""

    stdin: int
    stdout: int
    stderr: int

    def cpu_seconds(self) -> float | None:
        """Processor time so far, all threads, or None when it cannot be known (any more)."""

    def ended(self, seconds: float) -> Exit | None:
        """Wait that long at most for the process to end by itself."""

    def stop(self, grace: float = 1.0) -> Exit:
        """Close its input, give it `grace` seconds to end, kill what is left, close everything. Idempotent."""


class Program(Protocol):
    """A bot that can be started. `start` raises MachineryError when we cannot start it through no fault of its own."""

    def start(self) -> Process: ...
