"""A jail for one bot: bubblewrap builds it, process 1 (init.c) starts the bot inside and reports how it ended.

    with Jail.open(artifact, language, Limits(memory_bytes=4 << 20)) as jail:
        process = jail.start()          # games.programs.Process: three pipes, a clock, an end

Whatever goes wrong here is ours and raises MachineryError; what the bot did wrong is in the `Exit`.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Protocol

from games.engine import MachineryError
from games.programs import Exit, ExitStatus
from submissions.sandbox import cgroups, slots
from submissions.sandbox.native import native
from submissions.sandbox.policy import Policy
from submissions.sandbox.roots import BOX, root_of

PATIENCE = 10.0
"""Seconds in which our own machinery must answer."""

NEVER = 2**64 - 1
USER = 1000  # who the bot is in its own eyes
MEGABYTE = 1 << 20
OVERHEAD = 3 * MEGABYTE // 8
"""On top of a bot's own memory: the kernel's for it (stacks, page tables, counters kept in batches), which control groups
count too; where there are only rlimits, the pages of its program."""

# What goes over the socket; init.c has the same structures.
SETUP, START, RUN, KILL = 1, 2, 3, 4
READY, HELLO, STARTED, ENDED, FAILED = 1, 2, 3, 4, 5
SETUP_HEAD = struct.Struct("=6I")
START_HEAD = struct.Struct("=4I3Q7Q")
RECORD = struct.Struct("=IIiiQQQIIQ4I")
CREDENTIALS = struct.Struct("=iII")
ENDINGS = {
    1: ExitStatus.EXITED,
    2: ExitStatus.SIGNALLED,
    3: ExitStatus.VIOLATION,
    4: ExitStatus.KILLED,
    5: ExitStatus.KILLED,
    6: ExitStatus.OUTPUT,
}
WALL = 5


@dataclass(frozen=True, slots=True)
class Limits:
    """Everything a program is limited to, in one value. Wall-clock time is the referee's business."""

    memory_bytes: int = 256 * MEGABYTE
    processes: int = 1  # processes and threads together
    cpu_seconds: float | None = None  # whole seconds count, rounded up
    file_bytes: int = 0  # the largest file it may write, where anything is writable at all
    scratch_bytes: int = 0  # a writable /box of that size; only for builds
    open_files: int = 64


class Language(Protocol):
    """What a jail needs to know of a language (submissions.languages.Language)."""

    @property
    def policy(self) -> Policy: ...
    @property
    def mounts(self) -> tuple[str, ...]: ...
    @property
    def run(self) -> tuple[str, ...]: ...
    @property
    def threads(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a jail is built from. `mounts` are host paths that appear inside, read-only (devices usable)."""

    policy: Policy
    command: tuple[str, ...]  # what `start` runs; its first word is opened before the filter closes
    mounts: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=lambda: {"PATH": "/usr/bin:/bin", "HOME": BOX, "LC_ALL": "C.UTF-8"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one question put to a fresh process (`Jail.ask`)."""

    exit: Exit
    output: bytes
    errors: bytes
    timed_out: bool


class Jail:
    """One jail; at most one bot runs in it at a time. A `games.programs.Program`. Not for several threads at once.

    The thread that opens a jail must outlive it: bubblewrap dies with that thread.
    """

    def __init__(self, recipe: Recipe, limits: Limits, artifact: bytes | None = None) -> None:
        self.recipe = recipe
        self.limits = limits
        self._process: JailedProcess | None = None
        self._cleanup = contextlib.ExitStack()
        try:
            self._open(artifact)
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(cls, artifact: bytes | Path, language: Language, limits: Limits) -> Jail:
        """A jail that holds a built bot. Raises MachineryError when it cannot be built."""
        data = artifact.read_bytes() if isinstance(artifact, Path) else bytes(artifact)
        threads = max(limits.processes, language.threads)
        limits = Limits(limits.memory_bytes, threads, limits.cpu_seconds, 0, 0, limits.open_files)
        return cls(Recipe(language.policy, language.run, language.mounts), limits, data)

    def __enter__(self) -> Jail:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # building it

    def _open(self, artifact: bytes | None) -> None:
        root = root_of(artifact, self.recipe.mounts)
        self.slot = slots.take()
        self._cleanup.callback(self.slot.close)
        self._group = self._make_group()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._cleanup.callback(self._socket.close)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        errors, errors_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            try:
                self._spawn(root, theirs.fileno(), errors_end)
            finally:
                theirs.close()
                os.close(errors_end)
            self._cleanup.callback(self._end_spawned)
            self._send_setup()
            self._expect(READY)
        except (OSError, MachineryError) as error:
            raise MachineryError(f"the jail could not be built: {_last_words(errors) or error}") from error
        finally:
            os.close(errors)
        if self._group:
            self._group.release()

    def _make_group(self) -> cgroups.Group | None:
        try:
            cgroups.layout()
        except cgroups.Unavailable:
            return None
        limits = self.limits
        group = cgroups.Group(f"{self.slot.number}", memory=limits.memory_bytes + OVERHEAD, processes=limits.processes)
        self._cleanup.callback(group.close)
        return group

    def _spawn(self, root: Path, inner: int, errors: int) -> None:
        bubblewrap = shutil.which("bwrap")
        if bubblewrap is None:
            raise MachineryError("bubblewrap (the program bwrap) is not installed")
        launch = [str(native().init), "launch", f"{self.slot.user}", f"{self.slot.user}", bubblewrap]
        actions = [
            (os.POSIX_SPAWN_DUP2, inner, 3),
            (os.POSIX_SPAWN_DUP2, errors, 2),
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            self._pid = os.posix_spawn(
                launch[0], [*launch, *self._bubblewrap(root)], {}, file_actions=actions, setsigmask=(), setsigdef=SIGNALS
            )
        except OSError as error:
            raise MachineryError(f"bubblewrap could not be started: {error}") from error

    def _bubblewrap(self, root: Path) -> list[str]:
        mounts: list[str] = []
        for path in self.recipe.mounts:
            mounts += ["--dev-bind" if path.startswith("/dev/") else "--ro-bind", os.path.realpath(path), path]
        if self.limits.scratch_bytes:
            mounts += ["--size", f"{self.limits.scratch_bytes}", "--tmpfs", BOX]
        return [
            *("--unshare-all", "--unshare-user", "--disable-userns", "--uid", f"{USER}", "--gid", f"{USER}"),
            *("--hostname", "kibitz", "--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL", "--clearenv"),
            *("--ro-bind", str(root), "/"),
            *mounts,
            *("--chdir", BOX, "--", "/init"),
        ]

    def _send_setup(self) -> None:
        policy, names = self.recipe.policy, native().numbers
        code, calls, rules = policy.compile(names, processes=self.limits.processes)
        program = self.recipe.command[0].encode() if policy.confined else b""
        fds = [os.open(path, os.O_RDWR | os.O_CLOEXEC) for path in (os.devnull,)]
        fds.append(os.open("/dev/urandom", os.O_RDONLY | os.O_CLOEXEC))
        groups = self._group.fds if self._group else []
        head = SETUP_HEAD.pack(SETUP, len(code) // 8, len(calls) // 4, len(rules), len(groups), len(program))
        try:
            socket.send_fds(self._socket, [head + code + calls + rules + program], [*fds, *groups])
        finally:
            for fd in fds:
                os.close(fd)

    # running bots

    def start(self) -> JailedProcess:
        """Start the bot. Raises MachineryError when we cannot."""
        return self.run(*self.recipe.command)

    def run(self, *command: str) -> JailedProcess:
        """Start another command of the jail in the bot's place; builds do."""
        self._free()
        pipes = Pipes()
        try:
            message = self._start_message(START, command)
            socket.send_fds(self._socket, [message], pipes.theirs)
            pid = self._started()
        except (OSError, MachineryError) as error:
            pipes.close()
            raise MachineryError(f"{command[0]} could not be started: {error}") from error
        finally:
            pipes.close_theirs()
        self._process = JailedProcess(self, pid, pipes.ours)
        return self._process

    def ask(self, question: bytes, *, seconds: float, output_bytes: int = 65_536, errors_bytes: int = 65_536) -> Answer:
        """Put one question of at most 64 KiB to a fresh process of the bot, and wait for its end.

        The process reads the question and the end of its input. `output_bytes` and `errors_bytes` are at most 64 KiB;
        more output is a flood, more on standard error is dropped.
        """
        self._free()
        message = self._start_message(
            RUN, self.recipe.command, question, wall=int(seconds * 1e9), output=output_bytes, errors=errors_bytes
        )
        try:
            self._socket.send(message)
            self._started()
        except OSError as error:
            raise MachineryError(f"the jail is gone: {error}") from error
        data = self._receive(seconds + PATIENCE)
        if data is None:
            raise MachineryError("process 1 of the jail does not answer")
        end, rest, status = self.ending(data)
        size = RECORD.unpack_from(data)[11]
        return Answer(end, rest[:size], rest[size:], status == WALL)

    def _free(self) -> None:
        if self._process is not None:
            self._process.stop(0)
            self._process = None
        self._kills = self._group.kills() if self._group else 0
        if self._group:
            self._group.reset_peak()

    def _start_message(
        self, op: int, command: Sequence[str], question: bytes = b"", wall: int = NEVER, output: int = 0, errors: int = 0
    ) -> bytes:
        limits = self.limits
        environment = [f"{name}={value}" for name, value in self.recipe.environment.items()]
        strings = b"".join(word.encode() + b"\0" for word in (*command, *environment))
        return (
            START_HEAD.pack(
                *(op, len(command), len(environment), len(question), wall, output, errors),
                NEVER if self._group else (1 + limits.processes) * limits.memory_bytes + 8 * MEGABYTE,
                NEVER,
                limits.memory_bytes,
                limits.file_bytes,
                NEVER if limits.cpu_seconds is None else max(1, -int(-limits.cpu_seconds // 1)),
                limits.processes + 1,  # process 1 counts
                limits.open_files,
            )
            + strings
            + question
        )

    def _started(self) -> int:
        """The bot's process id as this host sees it."""
        pid = self._expect(HELLO)
        self._expect(STARTED)
        return pid

    # what process 1 says

    def _expect(self, op: int) -> int:
        """Wait for that message. Returns the sender's process id. Raises MachineryError."""
        if not self._wait(PATIENCE):
            raise MachineryError("process 1 of the jail does not answer")
        data, control, _, _ = self._socket.recvmsg(MESSAGE, socket.CMSG_SPACE(CREDENTIALS.size))
        if not data:
            raise MachineryError("process 1 of the jail is gone")
        (said,) = struct.unpack_from("=I", data)
        if said == FAILED:
            raise MachineryError(data[4:].decode("utf-8", "replace"))
        if said != op:
            raise MachineryError(f"process 1 of the jail said {said} where {op} was due")
        return CREDENTIALS.unpack_from(control[0][2])[0] if control else 0

    def _receive(self, seconds: float) -> bytes | None:
        """The record of an end, or None when there is none in that time. Raises MachineryError when process 1 is gone."""
        if not self._wait(seconds):
            return None
        data = self._socket.recv(MESSAGE)
        if len(data) < RECORD.size or RECORD.unpack_from(data)[0] != ENDED:
            raise MachineryError("process 1 of the jail is gone")
        return data

    def _wait(self, seconds: float) -> bool:
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(poll.poll(max(0.0, 1000 * seconds)))

    def ending(self, data: bytes) -> tuple[Exit, bytes, int]:
        """A record as an `Exit`, what follows it, and process 1's own word for it."""
        _, status, code, sig, cpu, wall, peak, call, arch, argument, path_size, *_ = RECORD.unpack_from(data)
        path = data[RECORD.size : RECORD.size + path_size].decode("utf-8", "backslashreplace")
        group = self._group
        verdict = ENDINGS[status]
        name = ""
        if verdict is ExitStatus.VIOLATION:
            name = native().name(call) if arch == self.recipe.policy.architecture else f"32-bit system call {call}"
            path = path or describe(name, argument)
        elif self._out_of_memory(peak):
            verdict = ExitStatus.MEMORY
        elif self._out_of_time(sig, cpu / 1e9):
            verdict = ExitStatus.CPU
        end = Exit(verdict, code, sig, name, path, cpu / 1e9, wall / 1e9, (group.peak() if group else 0) or peak)
        return end, data[RECORD.size + path_size :], status

    def _out_of_memory(self, peak: int) -> bool:
        if self._group:
            return self._group.kills() > self._kills
        # Only rlimits: it could go beyond the limit, up to where allocations fail, and is judged by the most it held.
        return peak > self.limits.memory_bytes + OVERHEAD

    def _out_of_time(self, sig: int, cpu: float) -> bool:
        most = self.limits.cpu_seconds
        return most is not None and (sig == signal.SIGXCPU or (sig == signal.SIGKILL and cpu >= most))

    # the end of it

    def kill(self) -> None:
        """Ask process 1 to end the bot. The record follows."""
        with contextlib.suppress(OSError):
            self._socket.send(struct.pack("=I", KILL))

    def close(self) -> None:
        """Take the jail down with all that is in it, and wait until it is gone. Idempotent."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(MachineryError):
                process.stop(0)
        self._cleanup.close()

    def _end_spawned(self) -> None:
        self._socket.close()  # process 1 sees the end and leaves
        pidfd = os.pidfd_open(self._pid)
        try:
            poll = select.poll()
            poll.register(pidfd, select.POLLIN)
            if not poll.poll(2000):
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        finally:
            os.close(pidfd)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


MESSAGE = RECORD.size + 4096 + 2 * 65_536
SIGNALS = sorted(set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP})


def _last_words(errors: int) -> str:
    """What the launcher or bubblewrap had to say."""
    try:
        return os.read(errors, 2000).decode("utf-8", "replace").strip()
    except BlockingIOError:
        return ""


def describe(call: str, argument: int) -> str:
    """What can be said of a forbidden call that has no path."""
    families = {1: "AF_UNIX", 2: "AF_INET", 10: "AF_INET6", 16: "AF_NETLINK", 17: "AF_PACKET", 40: "AF_VSOCK"}
    if call in ("socket", "socketpair"):
        return families.get(argument & 0xFFFFFFFF, f"family {argument & 0xFFFFFFFF}")
    return ""


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
    """A bot that runs in a jail: `games.programs.Process`."""

    def __init__(self, jail: Jail, pid: int, pipes: list[int]) -> None:
        self.pid = pid  # as this host sees it
        self.stdin, self.stdout, self.stderr = pipes
        self._jail = jail
        self._clock = (~pid << 3) | 2  # the process clock of another process (Linux: CPUCLOCK_SCHED)
        self._exit: Exit | None = None
        self._input_open = True
        self._open = True

    def cpu_seconds(self) -> float | None:
        """Processor time so far, all threads, or None when it cannot be known."""
        if self._exit is not None:
            return self._exit.cpu_seconds
        try:
            return time.clock_gettime(self._clock)
        except OSError:  # it is gone; how, the next `ended` says
            return None

    def close_input(self) -> None:
        """Let the bot read the end of its input. Idempotent."""
        if self._input_open:
            self._input_open = False
            os.close(self.stdin)

    def ended(self, seconds: float) -> Exit | None:
        """Wait that long at most for the process to end by itself."""
        if self._exit is None:
            data = self._jail._receive(seconds)
            if data is not None:
                self._exit = self._jail.ending(data)[0]
        return self._exit

    def stop(self, grace: float = 1.0) -> Exit:
        """Close its input, give it `grace` seconds to end, kill what is left, close everything. Idempotent."""
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
