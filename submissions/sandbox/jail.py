"""A jail for one bot: bubblewrap builds it, process 1 (init/) starts the bot inside and reports how it ended.

    with Jail.open(artifact, language, Limits(memory_bytes=4 << 20)) as jail:
        process = jail.start()          # games.programs.Process: three pipes, a clock, an end

Whatever goes wrong here is ours and raises MachineryError; what the bot did wrong is in the `Exit`.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Protocol

from games.deadline import PATIENCE as TIMES
from games.deadline import Deadline
from games.engine import MachineryError
from games.programs import STREAM_BYTES, Answer, Exit, ExitStatus
from submissions.sandbox import bubblewrap, cgroups, landlock, slots, walls, wire
from submissions.sandbox.bpf import NATIVE
from submissions.sandbox.native import native
from submissions.sandbox.policy import Policy, describe
from submissions.sandbox.process import PATIENCE, Children, JailedProcess, Pipes
from submissions.sandbox.roots import BOX, Parcel, mend, root_of

ATTEMPTS = 8
"""Slots that are tried until the control group of one can be made."""

MEGABYTE = 1 << 20
OVERHEAD = 3 * MEGABYTE // 8
"""On top of a bot's own memory: the kernel's for it (page tables, counters kept in batches), which control groups count
too. So a static C bot can use its whole limit, and not half a megabyte more (benchmarks/memory.py)."""

LIBRARIES = 3 * MEGABYTE // 4
"""On top of it where there are only rlimits, and what is resident counts: the pages of programs and libraries."""

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": BOX, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
"""The time zone is told, as every runtime would look for it in other places."""

VERDICTS = {
    wire.EXITED: ExitStatus.EXITED,
    wire.SIGNALLED: ExitStatus.SIGNALLED,
    wire.VIOLATION: ExitStatus.VIOLATION,
    wire.KILLED: ExitStatus.KILLED,
    wire.WALL: ExitStatus.KILLED,
    wire.OUTPUT: ExitStatus.OUTPUT,
    wire.CPU: ExitStatus.CPU,
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Everything a program is limited to, in one value. Wall-clock time is the referee's business."""

    memory_bytes: int = 256 * MEGABYTE
    processes: int = 1  # with one, a bot starts no other
    cpu_seconds: float | None = None  # of its first process with all its threads; of others not more than thrice that
    file_bytes: int = 0  # the largest file it may write, where anything is writable at all
    scratch_bytes: int = 0  # a writable /box of that size; only for builds
    open_files: int = 64
    threads: int = 1  # that a bot may have, whatever its processes
    reserved_bytes: int = 0  # of addresses that its runtime maps and hardly touches; rlimits count them

    @property
    def tasks(self) -> int:
        """Processes and threads together: the kernel counts them in one."""
        return max(self.processes, self.threads)


class Language(Protocol):
    """What a jail needs to know of a language (submissions.languages.Language)."""

    @property
    def policy(self) -> Policy: ...
    @property
    def mounts(self) -> tuple[str, ...]: ...
    @property
    def threads(self) -> int: ...
    def run_within(self, memory_bytes: int) -> tuple[str, ...]: ...
    def environment_within(self, memory_bytes: int) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a jail is built from. `mounts` are host paths that appear inside, read-only (devices usable)."""

    policy: Policy
    command: tuple[str, ...]  # what `start` runs; its first word is opened before the filter closes
    mounts: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=lambda: ENVIRONMENT)
    port: int = 0  # at which `Jail.listener` listens on the jail's own loopback; 0: no network at all


class Jail:
    """One jail; at most one bot runs in it at a time. A `games.programs.Program`. Not for several threads at once.

    The thread that opens a jail must outlive it: bubblewrap dies with that thread.
    """

    listener: socket.socket
    """Where a bot that is a TCP client connects to (`open` with a port): non-blocking, out of reach for all others."""

    def __init__(self, recipe: Recipe, limits: Limits, artifact: Parcel | None = None) -> None:
        self.recipe = recipe
        self.limits = limits
        self._process: JailedProcess | None = None
        self._kills = 0
        self._alone = limits.processes == 1  # then its own end says whether the kernel has killed it
        self._resident = self._alone and not recipe.mounts  # then its peak is known without a control group
        self._room = memoryview(bytearray(wire.MESSAGE_MOST))
        self._launched: wire.Launch | None = None
        self._crowded = False  # nothing but the count of all processes of our user holds it back
        self._first = -1  # process 1, as a descriptor
        self._place: landlock.Place | None = None  # where everything is, without namespaces
        self._cleanup = contextlib.ExitStack()
        try:
            self._open(artifact)
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(cls, artifact: bytes | Parcel, language: Language, limits: Limits, *, port: int = 0) -> Jail:
        """A jail that holds a built bot. With a port it is a `games.programs.Client`: its server is at that port of its
        loopback (`listener`), as it is told in two further arguments. Raises MachineryError when it cannot be built."""
        parcel = artifact if isinstance(artifact, Parcel) else Parcel.of(artifact)
        limits = replace(limits, threads=max(limits.threads, language.threads), file_bytes=0, scratch_bytes=0)
        command = language.run_within(limits.memory_bytes) + (("127.0.0.1", f"{port}") if port else ())
        environment = {**ENVIRONMENT, **language.environment_within(limits.memory_bytes)}
        return cls(Recipe(language.policy, command, language.mounts, environment, port), limits, parcel)

    def __enter__(self) -> Jail:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # building it

    def _open(self, artifact: Parcel | None) -> None:
        form = artifact, self.recipe.mounts, walls.hostname()
        root = root_of(*form)
        self._take_slot()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._cleanup.callback(self._socket.close)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        errors, errors_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            try:
                if not self.recipe.mounts:
                    self._program_bytes = (root / self.recipe.command[0].lstrip("/")).stat().st_size
                self._spawn(root, theirs.fileno(), errors_end)
                self._crowded = bool(self._place) and not (self.slot.user or self._group)
            finally:
                theirs.close()
                os.close(errors_end)
            self._send_setup()
            first = self._expect(wire.READY)
            self._first, self._children = os.pidfd_open(first), Children(first)
        except (OSError, MachineryError) as error:
            mend(root, *form)
            raise MachineryError(f"the jail could not be built: {bubblewrap.last_words(errors) or error}") from error
        finally:
            os.close(errors)
        if self._group:
            self._group.release()

    def _take_slot(self) -> None:
        """A slot and its control group; when something sits in that group which we cannot remove, another one."""
        for attempt in range(ATTEMPTS):
            self.slot = slots.take()
            self._cleanup.callback(self.slot.close)  # only then: the next attempt must not get the same
            try:
                self._group = self._make_group()
            except cgroups.Occupied:
                if attempt == ATTEMPTS - 1:
                    raise
            else:
                return

    def _make_group(self) -> cgroups.Group | None:
        try:
            cgroups.layout()
        except cgroups.Unavailable:
            return None
        limits = self.limits
        group = cgroups.Group(f"{self.slot.number}", memory=limits.memory_bytes + OVERHEAD, processes=limits.tasks)
        self._cleanup.callback(group.close)
        return group

    def _spawn(self, root: Path, inner: int, errors: int) -> None:
        mounts, scratch, user = self.recipe.mounts, self.limits.scratch_bytes, self.slot.user
        if walls.are() is walls.Walls.LANDLOCK:
            self._place, threads = landlock.Place(root, scratch, self.slot, self.recipe.port), self.limits.tasks
            self._cleanup.callback(self._place.close)
            pid = landlock.spawn(self._place, root, mounts, threads=threads, user=user, inner=inner, errors=errors)
        else:
            pid = bubblewrap.spawn(root, mounts, scratch, user=user, inner=inner, errors=errors)
        self._cleanup.callback(bubblewrap.reap, pid)
        self._cleanup.callback(self._leave)  # before that: process 1 sees the end and leaves

    def _send_setup(self) -> None:
        policy = self.recipe.policy
        secret = landlock.SECRET if self._place else 0
        compiled = policy.compile(
            native().numbers,
            processes=self.limits.processes,
            threads=self.limits.threads,
            secret=secret,
            tcp=self.recipe.port > 0,
            most_data=0 if self._group else self._most_data(),
        )
        program = self._path(self.recipe.command[0]).encode() if policy.confined else b""
        groups = self._group.fds if self._group else []
        fds = [os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC), os.open("/dev/urandom", os.O_RDONLY | os.O_CLOEXEC)]
        try:
            message = wire.setup_message(*compiled, program, len(groups), secret, self.recipe.port)
            socket.send_fds(self._socket, [message], [*fds, *groups])
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
            socket.send_fds(self._socket, [self._launch(command).start()], pipes.theirs)
            pid = self._started()
        except (OSError, MachineryError) as error:
            pipes.close()
            raise MachineryError(f"{command[0]} could not be started: {error}") from error
        finally:
            pipes.close_theirs()
        self._process = JailedProcess(self, pid, pipes.ours)
        return self._process

    def ask(
        self, question: bytes, *, seconds: float, output_bytes: int = STREAM_BYTES, errors_bytes: int = STREAM_BYTES
    ) -> Answer:
        """As `games.programs.Program` says. Process 1 has a limit of its own, should this worker be held up."""
        self._free()
        relay = wire.Relay(question, int(TIMES * seconds * 1e9), output_bytes, errors_bytes)
        deadline = Deadline(self._children, time.perf_counter(), seconds, fresh=True)
        try:
            self._socket.send(self._bot().run(relay))
        except OSError as error:
            raise MachineryError(f"the jail is gone: {error}") from error
        record = self._in_time(deadline)
        if record is None:
            raise MachineryError("process 1 of the jail does not answer")
        end = self.ending(record)
        return Answer(end, record.output, record.errors, end.status is ExitStatus.KILLED)

    def _in_time(self, deadline: Deadline) -> wire.Record | None:
        """The record of a bot that ends by itself, or is killed when its time is up."""
        while (left := deadline.left()) > 0:
            if (record := self.receive(left)) is not None:
                return record
        self.kill()
        return self.receive(PATIENCE)

    def _free(self) -> None:
        """End whatever still runs, and note where the counters stand."""
        if self._process is not None:
            self._process.stop(0)
            self._process = None
        if self._group:
            self._group.renew(peak=not self._resident)

    def _bot(self) -> wire.Launch:
        """The bot itself. What it may do stays as it is, but where others of its user count."""
        if self._launched is None or self._crowded:
            self._launched = self._launch(self.recipe.command)
        return self._launched

    def _launch(self, command: Sequence[str]) -> wire.Launch:
        seconds = self.limits.cpu_seconds
        cpu_ns = wire.NEVER if seconds is None else int(seconds * 1e9)
        environment = self.recipe.environment
        if self._place:
            command = [self._path(word) for word in command]
            environment = {name: self._path(value) for name, value in environment.items()}
        return wire.Launch(command, environment, self._rlimits(), cpu_ns)

    def _path(self, word: str) -> str:
        return self._place.path(word) if self._place else word

    def _rlimits(self) -> wire.Rlimits:
        limits = self.limits
        return wire.Rlimits(
            data=wire.NEVER if self._group else self._most_data(),
            space=wire.NEVER,
            stack=limits.memory_bytes + MEGABYTE,  # recursion without an end is ended by the limit on memory
            file=limits.file_bytes,
            # process 1 reads the clock; behind it the kernel, which counts ticks and errs by half on a busy machine
            cpu=wire.NEVER if limits.cpu_seconds is None else 1 + 2 * math.ceil(limits.cpu_seconds),
            processes=self._most_processes(),
            files=limits.open_files,
        )

    def _most_data(self) -> int:
        """Without control groups a bot may go beyond its limit, up to here, and is judged by the most that it held."""
        limits = self.limits
        return (1 + limits.tasks) * limits.memory_bytes + 8 * MEGABYTE + limits.reserved_bytes

    def _most_processes(self) -> int:
        wanted = self.limits.tasks + 1  # process 1 counts
        if self._crowded:
            return landlock.most_processes(wanted)
        return wire.NEVER if self._place and not self.slot.user else wanted

    def _started(self) -> int:
        """The bot's process id as this host sees it."""
        pid = self._expect(wire.HELLO)
        self._expect(wire.STARTED)
        return pid

    # what process 1 says

    def _expect(self, op: int) -> int:
        """Wait for that message. Returns the sender's process id. Raises MachineryError."""
        if not self._hears(PATIENCE):
            raise MachineryError("process 1 of the jail does not answer")
        room = socket.CMSG_SPACE(wire.CREDENTIALS.size) + socket.CMSG_SPACE(4)
        data, control, _, _ = self._socket.recvmsg(wire.MESSAGE_MOST, room, socket.MSG_CMSG_CLOEXEC)
        told = {kind: piece for _, kind, piece in control}
        if socket.SCM_RIGHTS in told:
            self.listener = self._listener(int.from_bytes(told[socket.SCM_RIGHTS], "little"))
            self._cleanup.callback(self.listener.close)
        if not data:
            raise MachineryError("process 1 of the jail is gone")
        said = wire.op_of(data)
        if said == wire.FAILED:
            raise MachineryError(data[4:].decode("utf-8", "replace"))
        if said != op:
            raise MachineryError(f"process 1 of the jail said {said} where {op} was due")
        return int(wire.CREDENTIALS.unpack_from(told[socket.SCM_CREDENTIALS])[0])

    def _listener(self, fd: int) -> socket.socket:
        if not self._place:
            return socket.socket(fileno=fd)
        listener = landlock.Listener(fileno=fd)
        listener.user = self.slot.user or os.geteuid()
        return listener

    def receive(self, seconds: float) -> wire.Record | None:
        """The record of an end, or None if there is none in that time. Raises MachineryError when the jail is gone."""
        try:
            if not self._hears(seconds):
                return None
            message = bytes(self._room[: self._socket.recv_into(self._room)])
        except OSError as error:
            raise MachineryError(f"the jail is closed: {error}") from error
        record = wire.read_record(message)
        if record is None:
            raise MachineryError(message[4:].decode("utf-8", "replace") or "process 1 of the jail is gone")
        return record

    def _hears(self, seconds: float) -> bool:
        return bool(self._poll.poll(max(0.0, 1000 * seconds)))

    def ending(self, record: wire.Record) -> Exit:
        """A record of process 1 together with what the control group counted."""
        verdict, call, path = VERDICTS[record.status], "", ""
        starved = self._out_of_memory(record)
        if verdict is ExitStatus.VIOLATION:
            known = record.architecture == NATIVE
            call = native().name(record.call) if known else f"32-bit system call {record.call}"
            path = record.path.decode("utf-8", "backslashreplace") or describe(call, record.argument)
        elif starved:
            verdict = ExitStatus.MEMORY
        elif record.signal == signal.SIGXCPU and self.limits.cpu_seconds is not None:
            verdict = ExitStatus.CPU
        peak = (self._group.peak() if self._group and not self._resident else 0) or record.peak
        times = record.cpu_seconds, record.wall_seconds
        return Exit(verdict, record.code, record.signal, call, path, *times, peak, "a thread" if record.threads else "")

    def _out_of_memory(self, record: wire.Record) -> bool:
        """Killed for it by the kernel, refused it, or more was resident than can be.

        The last is exact where nothing is mapped but the program. A control group may have granted a little more, as it
        does for what earlier processes have left."""
        if self._group and (record.signal == signal.SIGKILL or not self._alone):
            kills, self._kills = self._kills, self._group.kills()
            if self._kills > kills:
                return True
        if record.memory and (record.code or record.signal):
            return True  # it asked for more at once than there is, and did not get over it
        if self.recipe.mounts:
            return self._group is None and record.peak > self.limits.memory_bytes + LIBRARIES
        return record.peak > self.limits.memory_bytes + self._program_bytes

    # the end of it

    def kill(self) -> None:
        """Ask process 1 to end the bot. The record follows."""
        with contextlib.suppress(OSError):
            self._socket.send(wire.kill_message())

    def close(self) -> None:
        """Take the jail down with all that is in it, and wait until it is gone. Idempotent."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(MachineryError):
                process.stop(0)
        self._cleanup.close()

    def _leave(self) -> None:
        """Process 1 goes when the socket does, and with it everything inside; the slot must not be free before that."""
        self._socket.close()
        if self._first < 0:
            return
        first, self._first = self._first, -1
        try:
            if not _readable(first, bubblewrap.PATIENCE):
                with contextlib.suppress(OSError):
                    signal.pidfd_send_signal(first, signal.SIGKILL)
                _readable(first, PATIENCE)
        finally:
            os.close(first)


def _readable(fd: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(max(0.0, 1000 * seconds)))
