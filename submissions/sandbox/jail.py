"""A jail for one bot: bubblewrap builds it, and process 1 (init/) starts the bot inside and reports how it ended.

    with Jail.open(artifact, language, Limits(memory_bytes=4 << 20)) as jail:
        process = jail.start()          # games.programs.Process: three pipes, a clock, an end

Our own failures raise MachineryError; what the bot did wrong is in the `Exit`.
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
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType

from games.deadline import PATIENCE as TIMES
from games.deadline import Deadline
from games.engine import MachineryError
from games.options import Server
from games.programs import STREAM_BYTES, Answer, Exit, ExitStatus, pinned
from submissions.sandbox import bubblewrap, cgroups, landlock, runtimes, slots, walls, wire
from submissions.sandbox.bpf import NATIVE
from submissions.sandbox.native import native
from submissions.sandbox.policy import describe, scratch_of
from submissions.sandbox.process import PATIENCE, Family, JailedProcess
from submissions.sandbox.recipe import ENVIRONMENT, MEGABYTE, Language, Limits, Recipe, arguments_for
from submissions.sandbox.roots import BOX, Parcel, mend, root_of

ATTEMPTS = 8
"""How many slots are tried until the control group of one can be created."""

MINUTE = 60.0

OVERHEAD = 3 * MEGABYTE // 8
"""Added to a bot's own memory for what the kernel needs for it (page tables, counters kept in batches), because control
groups include that. A static C bot can use its whole limit, and not half a megabyte more (benchmarks/memory.py)."""

LIBRARIES = 3 * MEGABYTE // 4
"""Added as well without control groups to a program whose resident memory counts and that was gone before process 1
looked: the pages of programs and libraries."""

MOST_STACK, MOST_DATA, MOST_SPACE = 64 * MEGABYTE, 2 << 30, 64 << 30
"""Limits on each process of a build: its stack, which is also what C libraries reserve for every thread; its writable
addresses, added to twice its memory; all its addresses. Some compilers reserve much more than they use."""

VERDICTS = {
    wire.EXITED: ExitStatus.EXITED,
    wire.SIGNALLED: ExitStatus.SIGNALLED,
    wire.VIOLATION: ExitStatus.VIOLATION,
    wire.KILLED: ExitStatus.KILLED,
    wire.WALL: ExitStatus.KILLED,
    wire.OUTPUT: ExitStatus.OUTPUT,
    wire.CPU: ExitStatus.CPU,
    wire.MEMORY: ExitStatus.MEMORY,
}

SECRET = int.from_bytes(os.urandom(8), "little")
"""Tells the system calls of process 1 from those of bots (policy.py). Bots cannot read this process, nor process 1. A
build, which may make as many calls as it likes and is not ended for a wrong guess, has a secret of its own."""


class Jail:
    """A jail in which at most one bot runs at a time. A `games.programs.Program`. Not thread-safe.

    The thread that opens a jail must outlive it, because bubblewrap dies with that thread.
    """

    listeners: Sequence[socket.socket] = ()
    """The server sockets for a TCP client (`open` with a server): non-blocking, unreachable for others."""

    def __init__(self, recipe: Recipe, limits: Limits, artifact: Parcel | None = None) -> None:
        self.recipe = recipe
        self.limits = limits
        self._process: JailedProcess | None = None
        self._kills = 0  # of its control group, up to the last end
        self._machine_kills = 0  # of this machine, up to the start of a build's program
        self._alone = limits.processes == 1  # its own end then tells whether the kernel has killed it
        self._resident = self._alone and not recipe.mounts  # its peak is then known without a control group
        self._launched: wire.Launch | None = None
        self._crowded = False  # only the limit on all processes of our user keeps it from starting more
        self._first = -1  # process 1, as a descriptor
        self._place: landlock.Place | None = None  # where its parts are, without namespaces
        self._cleanup = contextlib.ExitStack()
        try:
            self._open(artifact)
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(cls, artifact: bytes | Parcel, language: Language, limits: Limits, server: Server | None = None) -> Jail:
        """Open a jail that holds a built bot. With a server it is a `games.programs.Client`, and the bot gets further
        arguments (`arguments_for`). Raises MachineryError on failure."""
        parcel = artifact if isinstance(artifact, Parcel) else Parcel.of(artifact)
        limits = replace(limits, threads=max(limits.threads, language.threads), file_bytes=0, scratch_bytes=0)
        command = language.run_within(limits.memory_bytes) + arguments_for(server)
        environment = {**ENVIRONMENT, **language.environment_within(limits.memory_bytes)}
        recipe = Recipe(language.policy, command, language.mounts, environment, server, language.runtime)
        return cls(recipe, limits, parcel)

    def __enter__(self) -> Jail:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # building it

    def _open(self, artifact: Parcel | None) -> None:
        mounts, program = self._mounts()
        form = artifact, tuple(mounts), walls.hostnames(self.recipe.server)
        root = self._root = root_of(*form, copy=self._copy(artifact), program=program)
        self._take_slot()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._cleanup.callback(self._socket.close)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        errors, errors_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            try:
                self._spawn(root, mounts, theirs.fileno(), errors_end)
                self._crowded = bool(self._place) and not (self.slot.user or self._group)
            finally:
                theirs.close()
                os.close(errors_end)
            self._send_setup()
            first, servers = self._expect(wire.READY)
            self.listeners = [*map(self._listener, servers)]
            self._first, self._first_pid = os.pidfd_open(first), first
            _give_way(first)
            if self._place is None and self._shares_network():
                bubblewrap.keep_network(first)
        except (OSError, MachineryError) as error:
            mend(root, *form, program=program)
            raise MachineryError(f"the jail could not be built: {bubblewrap.last_words(errors) or error}") from error
        finally:
            os.close(errors)
        if self._group:
            self._group.release()

    def _mounts(self) -> tuple[dict[str, Path], str]:
        """What is mounted where, and the program that has a /proc of constants."""
        recipe = self.recipe
        if recipe.runtime is None or walls.are() is walls.Walls.LANDLOCK:
            return {path: Path(path) for path in recipe.mounts}, ""
        held = runtimes.lease(recipe.runtime)
        self._cleanup.callback(held.close)
        program = recipe.command[0] if "/proc" in recipe.mounts else ""
        return {path: held.place(path) for path in recipe.mounts if path != "/proc"}, program

    def _copy(self, artifact: Parcel | None) -> int:
        """The number of a copy of the artifact that no other jail uses now. Builds have none."""
        if artifact is None:
            return 0
        number, lock = runtimes.claim(f"artifact {artifact.key}")
        self._cleanup.callback(os.close, lock)
        return number

    def _take_slot(self) -> None:
        """Take a slot and its control group. If the group holds something that we cannot remove, take another slot."""
        for attempt in range(ATTEMPTS):
            self.slot = slots.take()
            self._cleanup.callback(self.slot.close)  # not earlier: the next attempt must not get the same slot
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
        memory, timed, peaks = limits.memory_bytes + OVERHEAD, limits.tasks > 1, not self._resident
        group = cgroups.Group(f"{self.slot.number}", memory=memory, processes=limits.tasks, timed=timed, peaks=peaks)
        self._cleanup.callback(group.close)
        return group

    def _spawn(self, root: Path, mounts: Mapping[str, Path], inner: int, errors: int) -> None:
        scratch = self.limits.scratch_bytes
        ways = {"user": self.slot.user, "inner": inner, "errors": errors, "nice": self.limits.nice}
        if walls.are() is walls.Walls.LANDLOCK:
            self._place, threads = landlock.Place(root, scratch, self.slot, self.recipe.server), self.limits.tasks
            self._cleanup.callback(self._place.close)
            spawn = partial(landlock.spawn, self._place, root, tuple(mounts), threads=threads, **ways)
        else:
            spawn = partial(bubblewrap.spawn, root, mounts, scratch, shared=self._shares_network(), **ways)
        # A bot stays on one core, whoever starts it: the kernel charges memory for each core where it has been, and
        # runtimes take more of it where they see several.
        with pinned() if self.recipe.policy.confined else contextlib.nullcontext():
            pid = spawn()
        self._cleanup.callback(bubblewrap.reap, pid)
        self._cleanup.callback(self._leave)  # runs before the slot is freed: process 1 sees the end and exits

    def _shares_network(self) -> bool:
        """Whether it may be in a network with others, because nothing in it can open a socket."""
        return bool(self.slot.user) and self.recipe.policy.confined and self.recipe.server is None

    def _send_setup(self) -> None:
        policy, group = self.recipe.policy, self._group
        clock = [group.clock] if group and group.clock >= 0 else []
        secret = SECRET if policy.confined else int.from_bytes(os.urandom(8), "little")
        compiled = policy.compile(
            native().numbers,
            processes=self.limits.processes,
            threads=self.limits.threads,
            secret=secret,
            hosted=self._place is not None,
            tcp=bool(self.recipe.server),
            watched=group is None,
            counted=bool(clock),
        )
        with contextlib.ExitStack() as opened:

            def opening(path: str, flags: int) -> int:
                fd = os.open(path, flags | os.O_CLOEXEC)
                opened.callback(os.close, fd)
                return fd

            fds = [opening(os.devnull, os.O_RDWR), opening("/dev/urandom", os.O_RDONLY)]
            groups = group.fds if group else []
            proc = [] if clock or (group and self._alone) else [opening("/proc", os.O_PATH | os.O_DIRECTORY)]
            setup = wire.Setup(
                *compiled,
                program=self._path(self.recipe.command[0]).encode() if policy.confined else b"",
                secret=secret,
                scratch=scratch_of(secret),
                memory=wire.NEVER if group else self.limits.memory_bytes + OVERHEAD,
                ports=self.recipe.server.ports if self.recipe.server else (),
                groups=len(groups),
                several=not self._alone,
                clock=bool(clock),
                proc=bool(proc),
            )
            socket.send_fds(self._socket, [setup.message()], [*fds, *groups, *clock, *proc])

    # running bots

    def start(self) -> JailedProcess:
        """Start the bot. Raises MachineryError on our own failure."""
        return self.run(*self.recipe.command)

    def run(self, *command: str) -> JailedProcess:
        """Start another command of the jail instead of the bot; for builds."""
        self._free()
        if not self.recipe.policy.confined:
            self._machine_kills = cgroups.machine_kills()
        family = self._family()
        try:
            self._socket.send(self._launch(command).start())
            pid, _ = self._expect(wire.HELLO)
            _give_way(pid)
            _, streams = self._expect(wire.STARTED)
        except (OSError, MachineryError) as error:
            raise MachineryError(f"{command[0]} could not be started: {error}") from error
        alone = self._alone and not (self._group and self._group.clock >= 0)  # the clock of its process tells all
        self._process = JailedProcess(self, pid, streams, family, alone=alone)
        return self._process

    def _family(self) -> Family:
        """The clocks of all processes to come."""
        return Family(self._first_pid, self._group if self._group and self._group.clock >= 0 else None)

    def ask(
        self, question: bytes, *, seconds: float, output_bytes: int = STREAM_BYTES, errors_bytes: int = STREAM_BYTES
    ) -> Answer:
        """See `games.programs.Program`. Process 1 has a time limit of its own, in case this worker hangs."""
        self._free()
        deadline, most = Deadline(self._family(), time.perf_counter(), seconds, fresh=True), TIMES * seconds + MINUTE
        try:
            self._socket.send(self._bot().run(question, int(most * 1e9), output_bytes, errors_bytes))
        except OSError as error:
            raise MachineryError(f"the jail is gone: {error}") from error
        record = None
        while record is None and (left := deadline.left()) > 0:
            record = self.receive(left)
        if record is None:
            self.kill()
            record = self.receive(PATIENCE)
        if record is None or record.status == wire.WALL:
            raise MachineryError("process 1 of the jail does not answer, or this worker came very late")
        end = self.ending(record)
        if end.status is ExitStatus.EXITED and min(end.cpu_seconds, end.wall_seconds) > seconds:
            end = replace(end, status=ExitStatus.KILLED)  # it has ended before we came to do it
        return Answer(end, record.output, record.errors, end.status is ExitStatus.KILLED)

    def _free(self) -> None:
        """End whatever is still running, and read the counters."""
        if self._process is not None:
            self._process.stop(0)
            self._process = None
        if self._group:
            self._group.renew()

    def _bot(self) -> wire.Launch:
        """How to launch the bot. This is computed once, unless other processes of its user count."""
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

    @property
    def box(self) -> str:
        """Where its working folder is, as its programs see it."""
        return str(self._place.box) if self._place else BOX

    def _path(self, word: str) -> str:
        return self._place.path(word) if self._place else word

    def _rlimits(self) -> wire.Rlimits:
        limits, bot = self.limits, self.recipe.policy.confined
        return wire.Rlimits(
            data=wire.NEVER if bot else 2 * limits.memory_bytes + MOST_DATA,
            space=wire.NEVER if bot else MOST_SPACE,
            stack=limits.memory_bytes + MEGABYTE if bot else MOST_STACK,  # endless recursion hits the memory limit
            file=limits.file_bytes,
            # Process 1 reads the clock. The kernel is a fallback: it counts ticks, and errs by half on a busy machine.
            cpu=wire.NEVER if limits.cpu_seconds is None else 1 + 2 * math.ceil(limits.cpu_seconds),
            processes=self._most_processes(),
            files=limits.open_files,
        )

    def _most_processes(self) -> int:
        wanted = self.limits.tasks + 1  # including process 1
        if self._crowded:
            return landlock.most_processes(wanted)
        return wire.NEVER if self._place and not self.slot.user else wanted

    # messages from process 1

    def _expect(self, op: int) -> tuple[int, tuple[int, ...]]:
        """Wait for this message. Returns the sender's process id on this host, and the descriptors that it hands over.
        Raises MachineryError."""
        if not self._hears(PATIENCE):
            raise MachineryError("process 1 of the jail does not answer")
        room = socket.CMSG_SPACE(wire.CREDENTIALS.size) + socket.CMSG_SPACE(4 * wire.MOST_PORTS)
        data, control, flags, _ = self._socket.recvmsg(wire.NOTE_MOST, room, socket.MSG_CMSG_CLOEXEC)
        told = {kind: piece for _, kind, piece in control}
        if flags & int(socket.MSG_CTRUNC):  # as a number: it takes a tenth of the time
            raise MachineryError("too many files are open")
        if not data:
            raise MachineryError("process 1 of the jail is gone")
        said = int.from_bytes(data[:4], "little")
        if said == wire.FAILED:
            raise MachineryError(data[4:].decode("utf-8", "replace"))
        if said != op:
            raise MachineryError(f"process 1 of the jail said {said} where {op} was due")
        sender = wire.CREDENTIALS.unpack_from(told[socket.SCM_CREDENTIALS])[0]
        return sender, tuple(memoryview(told.get(socket.SCM_RIGHTS, b"")).cast("i"))

    def _listener(self, fd: int) -> socket.socket:
        listener = landlock.Listener.of(fd, self.slot.user) if self._place else socket.socket(fileno=fd)
        self._cleanup.callback(listener.close)
        return listener

    @cached_property
    def _room(self) -> memoryview:
        """Where records arrive."""
        return memoryview(bytearray(wire.MESSAGE_MOST))

    def receive(self, seconds: float) -> wire.Record | None:
        """The record of an end, or None if there is none in that time. Raises MachineryError if the jail is gone."""
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
        """Combine a record of process 1 with the counters of the control group."""
        verdict, call, path = VERDICTS[record.status], "", ""
        starved = self._out_of_memory(record)
        if verdict is ExitStatus.VIOLATION:
            known = record.architecture == NATIVE
            call = native().name(record.call) if known else f"32-bit system call {record.call}"
            path = record.path.decode("utf-8", "backslashreplace") or describe(call, record.argument)
        elif starved:
            verdict = ExitStatus.MEMORY
        elif self._overran(record):
            verdict = ExitStatus.CPU
        peak = (self._group.peak() if self._group else 0) or record.peak
        times = record.cpu_seconds, record.wall_seconds
        return Exit(verdict, record.code, record.signal, call, path, *times, peak, "a thread" if record.threads else "")

    def _out_of_memory(self, record: wire.Record) -> bool:
        """Whether its own limit ended it: it was killed for lack of memory, was refused memory, or was too large.
        Raises MachineryError if it was killed and neither its limits nor it itself explain that.

        The size is exact if only the program itself is mapped, but all its files may be. A control group may have
        granted a little more, to make up for what earlier processes left. Without one, process 1 has looked now and
        then, and at its exit, how much of it are other files."""
        kills = self._kills
        if self._group and (record.signal == signal.SIGKILL or not self._alone):
            self._kills = self._group.kills()
            if self._kills > kills and self._group.was_full():
                return True
        if record.memory and (record.code or record.signal):
            return True  # it asked for too much shared memory, and failed because of it
        files = max(LIBRARIES, record.files) if self.recipe.mounts else 0
        more = record.peak - self.limits.memory_bytes - files
        over = more > 0 and not (self.recipe.mounts and self._group)
        if over:  # the size of all files that the bot brought, with its program
            over = more > sum(path.stat().st_size for path in (self._root / "box").rglob("*") if path.is_file())
        if not over and (self._kills > kills or self._killed_by_others(record)):
            raise MachineryError("a program was killed, but not by itself or its limits: did the machine lack memory?")
        return over

    def _overran(self, record: wire.Record) -> bool:
        """Whether the kernel has ended it for its processor time, before process 1 did."""
        most = self.limits.cpu_seconds
        ended = record.signal == signal.SIGKILL and most is not None and record.cpu_seconds >= most
        return record.status == wire.SIGNALLED and most is not None and (ended or record.signal == signal.SIGXCPU)

    def _killed_by_others(self, record: wire.Record) -> bool:
        """A bot cannot send SIGKILL unseen. Of a build, only the number of the kernel's victims tells."""
        if record.status not in (wire.EXITED, wire.SIGNALLED) or self._overran(record):
            return False
        if self.recipe.policy.confined:
            return record.signal == signal.SIGKILL and not record.own_hand
        failed = record.code or record.signal
        return bool(failed) and self._group is None and cgroups.machine_kills() > self._machine_kills

    # shutdown

    def kill(self) -> None:
        """Ask process 1 to end the bot, if one runs. The record follows. Any thread may call this, at any time."""
        with contextlib.suppress(OSError):
            self._socket.send(wire.KILL_MESSAGE)

    def close(self) -> None:
        """Take the jail down with everything in it, and wait until it is gone. Idempotent."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(MachineryError):
                process.stop(0)
        self._cleanup.close()

    def _leave(self) -> None:
        """Process 1 exits when its socket closes, with everything inside. The slot must not be free before that."""
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


def _give_way(leader: int) -> None:
    """Where the kernel weighs sessions, a new one does not inherit the priority of its processes, so it is told."""
    with contextlib.suppress(OSError):  # it has ended, there is no such weight, or we may not set so many in a second
        if (nice := os.getpriority(os.PRIO_PROCESS, leader)) > 0:
            Path(f"/proc/{leader}/autogroup").write_text(f"{nice}")


def _readable(fd: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(max(0.0, 1000 * seconds)))
