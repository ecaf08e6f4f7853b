"""Programs that play: the interface of a bot's process for the referee's players.

The command line starts bots as plain processes (`LocalProgram`, below). The portal starts them in the sandbox
(`submissions.sandbox`), which offers the same interface. The referee never learns the difference.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Protocol

from games.deadline import Deadline
from games.engine import Fault, FaultKind, MachineryError
from games.options import placed
from games.waiting import LAST_WORDS, POLLIN, POLLOUT, close, opened, poll, read, write

STREAM_BYTES = 64 * 1024
"""The most that a process may answer to one question, and the most that is kept of its standard error, in bytes."""

GRACE = 1.0
"""Seconds that a process has to end after its last input, before it is killed."""

LOOK_AGAIN = 0.05
"""Seconds until the end of a process is noticed if another process holds its streams open."""


WINDOWS_SIGNALS = {0xC000_0005: 11, 0xC000_00FD: 11, 0xC000_001D: 4, 0xC000_0094: 8, 0xC000_0409: 6}
"""The exit status of a program that Windows ended, and the signal that other systems would have sent it."""


def signal_of(code: int) -> int:
    """Return the signal that ended a process, by the code that `subprocess` gives it: 0 if it ended by itself."""
    if code < 0:
        return -code
    return WINDOWS_SIGNALS.get(code, 0)


class ExitStatus(StrEnum):
    """Why a process has ended. Every exit is exactly one of these."""

    EXITED = "exited"  # by itself; `code` says how
    SIGNALLED = "signalled"  # by a signal that it caused; `signal` says which
    MEMORY = "memory"  # over its memory limit
    CPU = "cpu"  # over its processor time limit
    OUTPUT = "output"  # flooded a stream
    VIOLATION = "violation"  # a forbidden system call; `call` and `path` say which
    KILLED = "killed"  # by us, because it was no longer needed


@dataclass(frozen=True, slots=True)
class Exit:
    """Everything about a process's end in one flat record. Seconds and bytes."""

    status: ExitStatus
    code: int = 0
    signal: int = 0
    call: str = ""
    path: str = ""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_bytes: int = 0
    refused: str = ""  # a resource that it was refused; a crash is likely to follow

    def fault(self, without: str = "an answer") -> Fault:
        """Return the fault of a bot that was asked and found to have ended. `without`: what it still owed us."""
        why = f" after it was refused {self.refused}" if self.refused else ""
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
                return Fault(FaultKind.CRASH, f"was ended by signal {self.signal}{why}")
            case ExitStatus.EXITED:
                return Fault(FaultKind.CRASH, f"exited with status {self.code} without {without}{why}")
            case _:
                return Fault(FaultKind.CRASH, "closed its output")


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of one question to a new process (`Program.ask`). Of a flood, `output` has the beginning."""

    exit: Exit
    output: bytes
    errors: bytes
    timed_out: bool  # it was killed because of that


class Process(Protocol):
    """A running bot. The three descriptors are the referee's ends. They do not block, and belong to this object."""

    stdin: int
    stdout: int
    stderr: int

    def cpu_seconds(self) -> float | None:
        """Return its processor time so far, all threads, or None when it cannot be known (any more)."""

    def waiting(self) -> tuple[float, str]:
        """Return the seconds so far, summed over its threads, in which it was ready to run but waited for a core, and
        what each thread does now, in the kernel's letters: R is ready to run or runs, D waits for the disk.

        Zero and blank when it cannot be known (any more).
        """

    def close_input(self) -> None:
        """Let the bot read the end of its input. Idempotent. Nothing is written to `stdin` afterwards."""

    def ended(self, seconds: float) -> Exit | None:
        """Wait at most that long for the process to end by itself."""

    def stop(self, grace: float = 1.0) -> Exit:
        """Close its input, give it `grace` seconds to end, kill what is left, close everything. Idempotent."""


class Program(Protocol):
    """A bot that can be started. Raises MachineryError when we cannot start it and the bot is not to blame.

    `box`: the folder in which it runs, where people are to read /box in its place; blank otherwise."""

    @property
    def box(self) -> str: ...

    def start(self) -> Process: ...

    def ask(
        self, question: bytes, *, seconds: float, output_bytes: int = STREAM_BYTES, errors_bytes: int = STREAM_BYTES
    ) -> Answer:
        """Put one question of at most 64 KiB to a new process, which reads it and the end of its input, and wait for
        its end: at most `seconds`, and the time during which others had its core (games.deadline). Too much output is a
        flood; too much on standard error is dropped."""


class Client(Protocol):
    """A bot that is a TCP client. Its last two arguments tell it where to connect."""

    @property
    def listeners(self) -> Sequence[socket.socket]:
        """The sockets that it may connect to. They do not block."""

    def start(self) -> Process: ...


def waiting(pid: int) -> tuple[float, str]:
    """Return `Process.waiting` of a process on this host, from the scheduler's own counters (Linux)."""
    waited, states = 0, b""
    with suppress(OSError):  # it has ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError, IndexError):  # so has this thread, or nobody counts
                states += (thread / "stat").read_bytes().rpartition(b")")[2].split()[0]
                waited += int((thread / "schedstat").read_bytes().split()[1])
    return waited / 1e9, states.decode()


class LocalProgram:
    """A bot as a plain process of this machine, without any confinement: for people's own bots on the command line."""

    box = ""

    def __init__(
        self, command: Sequence[str], folder: Path | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        self._command = list(command)
        self._folder = folder
        self._env = env

    @property
    def command(self) -> list[str]:
        """How it is started."""
        return list(self._command)

    @cached_property
    def listener(self) -> socket.socket:
        """A port on this machine's loopback, opened when it is first asked for. Whatever is started from then on gets
        HOST and PORT in its arguments (`placed`)."""
        listener = socket.create_server(("127.0.0.1", 0))
        listener.setblocking(False)
        self._command = placed(self._command, *listener.getsockname())
        weakref.finalize(self, listener.close)
        return listener

    @property
    def listeners(self) -> tuple[socket.socket, ...]:
        return (self.listener,)

    def start(self) -> LocalProcess:
        try:
            return LocalProcess(self._command, self._folder, self._env)
        except OSError as error:
            raise MachineryError(f"cannot start {self._command[0]}: {error.strerror or error}") from error

    def ask(
        self, question: bytes, *, seconds: float, output_bytes: int = STREAM_BYTES, errors_bytes: int = STREAM_BYTES
    ) -> Answer:
        started = time.perf_counter()
        process = self.start()
        try:
            conversation = _Conversation(process, question, output_bytes, errors_bytes)
            timed_out = not conversation.hold(Deadline(process, started, seconds, fresh=True))
        finally:
            end = process.stop(0.0)
        if conversation.flooded:
            end = replace(end, status=ExitStatus.OUTPUT)
        output, errors = conversation.output[:output_bytes], conversation.errors
        return Answer(end, bytes(output), bytes(errors), timed_out and not conversation.flooded)


class _Conversation:
    """One question to a process, and all of its output until it has ended."""

    def __init__(self, process: LocalProcess, question: bytes, output_bytes: int, errors_bytes: int) -> None:
        self._process = process
        self._unsent = question
        self._most = {process.stdout: output_bytes + 1, process.stderr: errors_bytes}
        self.output, self.errors = bytearray(), bytearray()
        self._kept = {process.stdout: self.output, process.stderr: self.errors}
        self._poll = poll()
        for fd in self._kept:
            self._poll.register(fd, POLLIN)
        self._poll.register(process.stdin, POLLOUT)

    @property
    def flooded(self) -> bool:
        return len(self.output) >= self._most[self._process.stdout]

    def hold(self, deadline: Deadline) -> bool:
        """Return whether the process ended, or flooded its output, before the deadline."""
        open_streams = set(self._kept)
        while not self.flooded:
            left = deadline.left()
            if self._process.ended(0 if open_streams else left) is not None:
                self._read_rest(open_streams)
                return True
            if left <= 0:
                return False
            self._read(open_streams, min(left, LOOK_AGAIN))
        return True

    def _read_rest(self, open_streams: set[int]) -> None:
        """Read what is left in the pipes, even if others hold their ends."""
        ends = time.monotonic() + LAST_WORDS
        self._read(open_streams, 0)
        while open_streams and (left := ends - time.monotonic()) > 0:
            self._read(open_streams, left)

    def _read(self, open_streams: set[int], seconds: float) -> None:
        for fd, _ in self._poll.poll(1000 * seconds):
            if fd == self._process.stdin:
                self._write()
                continue
            data = read(fd, STREAM_BYTES)
            kept = self._kept[fd]
            kept += data[: self._most[fd] - len(kept)]
            if not data:
                self._poll.unregister(fd)
                open_streams.discard(fd)

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[write(self._process.stdin, self._unsent) :]
        except BrokenPipeError:  # it does not read it
            self._unsent = b""
        if not self._unsent:
            self._poll.unregister(self._process.stdin)
            self._process.close_input()


class LocalProcess:
    """A process with a session of its own, so that everything it started ends with it (not on Windows)."""

    def __init__(self, command: Sequence[str], folder: Path | None, env: Mapping[str, str] | None) -> None:
        self._popen = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._started = time.monotonic()
        self._exit: Exit | None = None
        self._clock = ~self._popen.pid << 3 | 2  # Linux: the processor clock of another process, all threads
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self.stdin, self.stdout, self.stderr = opened(stdin, for_writing=True), opened(stdout), opened(stderr)
        self._pipes = {self.stdin: stdin, self.stdout: stdout, self.stderr: stderr}

    def cpu_seconds(self) -> float | None:
        try:
            return time.clock_gettime(self._clock)
        except (OSError, AttributeError):  # it has ended, or this system has no such clock (macOS, Windows)
            return None

    def waiting(self) -> tuple[float, str]:
        return waiting(self._popen.pid)

    def close_input(self) -> None:
        close(self.stdin, self._pipes[self.stdin])

    def ended(self, seconds: float) -> Exit | None:
        """Wait in short sleeps, so only for a short time. A process that has ended is noticed at once."""
        deadline = time.monotonic() + seconds
        pause = 0.0002
        while self._exit is None:
            self._exit = self._look()
            if self._exit is None and time.monotonic() >= deadline:
                return None
            if self._exit is None:
                time.sleep(pause)
                pause = min(2 * pause, 0.01)
        return self._exit

    def _look(self) -> Exit | None:
        if not hasattr(os, "wait4"):  # Windows, which does not say what the process has used
            code = self._popen.poll()
            return None if code is None else self._describe(code, 0.0, 0)
        pid, status, usage = os.wait4(self._popen.pid, os.WNOHANG)
        if not pid:
            return None
        code = self._popen.returncode = os.waitstatus_to_exitcode(status)
        return self._describe(code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)

    def _describe(self, code: int, cpu_seconds: float, peak_kilobytes: int) -> Exit:
        signal = signal_of(code)
        return Exit(
            status=ExitStatus.SIGNALLED if signal else ExitStatus.EXITED,
            code=0 if signal else code,
            signal=signal,
            cpu_seconds=cpu_seconds,
            wall_seconds=time.monotonic() - self._started,
            peak_bytes=1024 * peak_kilobytes,
        )

    def stop(self, grace: float = 1.0) -> Exit:
        self.close_input()
        end = self.ended(grace)
        with suppress(ProcessLookupError, PermissionError):  # nobody of its session is left
            if hasattr(os, "killpg"):
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()
        if end is None:
            last = self.ended(10.0)
            if last is None:
                raise MachineryError(f"process {self._popen.pid} cannot be killed")
            end = replace(last, status=ExitStatus.KILLED)
        for number, pipe in self._pipes.items():
            close(number, pipe)
        return end


@contextmanager
def pinned(core: int | None = None) -> Iterator[None]:
    """Keep this thread, and the bots it starts, on one core: a bot on another core costs 25 µs for each wake-up.

    Without a number, the process's own number chooses one of the allowed cores, which spreads a pool of workers. Where
    the system cannot pin, nothing happens.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    cores = sorted(before)
    os.sched_setaffinity(0, {cores[os.getpid() % len(cores)] if core is None else core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
