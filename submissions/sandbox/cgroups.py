"""Memory and process limits and processor time by control groups, version 1 or 2, if this machine lets us create them.

Each jail has one group, named after the jail's slot (slots.py). A slot is locked while its jail lives. So a group that
exists when the slot is taken belongs to a dead worker and is removed. If that is impossible (it holds processes of
another PID namespace, which cannot be seen from here), it is left alone and another slot is used. A bot joins its group
before it execs, by writing to descriptors that were opened here. Process 1 of the jail stays outside and survives.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import time
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from games.engine import MachineryError
from submissions.sandbox import slots
from submissions.sandbox.native import state_folder

logger = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds that the killed processes of a group may take to disappear."""


def name_for(state: Path) -> str:
    """The name of our parent group: one per state folder, like the locks of slots. With one common name, `sweep` of one
    portal (or of a test with its own folder) would end the bots of another, whose locks it cannot see. Paths may be the
    same in two containers, so the name includes the folder's device and inode."""
    about = state.stat()
    return f"kibitz-{zlib.crc32(b'%s %d %d' % (os.fsencode(state), about.st_dev, about.st_ino)):08x}"


class Occupied(MachineryError):
    """The group cannot be removed: something in it is not ours to kill, or cannot be seen from here."""


SLACK, SLACK_MOST = 1 << 15, 1 << 19
"""How far the memory left by earlier processes may change before the limit is moved: a 128th of the memory, between
these numbers of bytes."""

BALLAST_MOST = 4 << 20
"""Bytes that earlier processes may have left, at most, by which the limit is raised for the next one."""

RELEASE = 0.2
"""Seconds within which the kernel frees the memory of a process that was killed, on a busy machine."""


EMPTY = "empty"
"""A group without processes. What version 1 tells it of limits that were met are those of the groups above."""


class Unavailable(Exception):
    """We cannot create a control group here; the text says why."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The files and their meaning. `folders` holds our parent folder in each hierarchy we need: memory, processes, and
    processor time if there is a third."""

    version: int
    folders: tuple[Path, ...]
    memory_limit: str
    swap_limit: str
    peak: str
    usage: str
    left: str  # what a group without processes holds; version 1 has a count without the kernel's page stock
    events: str  # the file with the counter `oom_kill`
    join: str  # writing "0" moves the writer. Version 1: `tasks`, since a thread that moves itself takes no global lock
    clock: Path | None  # our parent folder in the hierarchy that counts processor time
    time: str  # nanoseconds, or a table that begins with `usage_usec`


def _hierarchies() -> dict[str, Path]:
    """Where the controllers are mounted: {"memory": …, "pids": …, "2": the unified hierarchy}."""
    found: dict[str, Path] = {}
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields = line.split()
        rest = fields[fields.index("-") + 1 :]
        if rest[0] == "cgroup2":
            found["2"] = Path(fields[4])
        elif rest[0] == "cgroup":
            for option in rest[2].split(","):
                found[option] = Path(fields[4])
    return found


@cache
def layout() -> Layout:
    """The strongest layout that can be used here. Raises Unavailable."""
    chosen = os.environ.get("KIBITZ_CGROUP")  # a delegated group of version 2, or "off"
    if chosen == "off":
        raise Unavailable("KIBITZ_CGROUP is off")
    found, ours = _hierarchies(), name_for(state_folder())
    if chosen:
        return _version_2(Path(chosen))
    if "memory" not in found:
        if "2" not in found:
            raise Unavailable("they are not mounted")
        return _version_2(found["2"] / ours)
    if "pids" not in found:
        raise Unavailable("the pids controller is not mounted")
    folders = tuple(found[name] / ours for name in ("memory", "pids"))
    for folder in folders:
        _make(folder)
    (folders[0] / EMPTY).mkdir(exist_ok=True)
    clock = None
    if "cpuacct" in found:
        with contextlib.suppress(Unavailable):
            clock = found["cpuacct"] / ours
            _make(clock)
            folders = tuple(dict.fromkeys((*folders, clock)))
    with contextlib.suppress(OSError):
        (folders[0] / "memory.use_hierarchy").write_text("1")
    limits = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
    usage, kernel = "memory.usage_in_bytes", "memory.kmem.usage_in_bytes"
    left = kernel if (folders[0] / kernel).exists() else usage
    peak, events = "memory.max_usage_in_bytes", "memory.oom_control"
    return Layout(1, folders, *limits, peak, usage, left, events, "tasks", clock, "cpuacct.usage")


def _version_2(folder: Path) -> Layout:
    _make(folder)
    for group in (folder.parent, folder):
        have = (group / "cgroup.subtree_control").read_text().split()
        missing = [name for name in ("memory", "pids") if name not in have]
        try:
            if missing:
                (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in missing))
        except OSError as error:
            raise Unavailable(f"{group} cannot hand on the {' and '.join(missing)} controller: {error}") from error
    limits = ("memory.max", "memory.swap.max")
    usage = "memory.current"
    peak, events = "memory.peak", "memory.events"
    return Layout(2, (folder,), *limits, peak, usage, usage, events, "cgroup.procs", folder, "cpu.stat")


def _make(folder: Path) -> None:
    if not folder.parent.is_dir():
        raise Unavailable(f"{folder.parent} does not exist")
    try:
        folder.mkdir(exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.mkdir(exist_ok=True)
        probe.rmdir()
    except OSError as error:
        raise Unavailable(f"we cannot write to {folder}: {error.strerror}") from error


class Group:
    """The control group of one jail. Process 1 gets `fds`: writing "0" there joins the group. With `timed` it also
    counts processor time, which costs a process that joins 20 µs. `peaks`: whether `peak` will be read."""

    def __init__(self, name: str, *, memory: int, processes: int, timed: bool = False, peaks: bool = True) -> None:
        self._layout = layout()
        folders = self._layout.folders
        self._paths = [f"{folder}/{name}" for folder in (folders if timed else folders[:2])]
        self.fds: list[int] = []
        self.clock = -1
        """Its processor time, for process 1; -1 if it is not counted."""
        self._events = self._peak = self._usage = self._left = -1
        self._memory, self._ballast, self._usage_before = memory, 0, 0
        self._full = self._own_oom = 0
        self._oom_events: list[int] = []  # version 1: its own with those of groups above, and these alone
        self._is_told = False  # whether the kernel counts there
        self._slack = min(max(SLACK, memory // 128), SLACK_MOST)
        self._limits: list[int] = []
        try:
            for path in self._paths:
                try:
                    os.mkdir(path)
                except FileExistsError:
                    clear(path)
                    os.mkdir(path)
            head, tail = self._paths[0], self._paths[:2][-1]
            self._limit(head, memory)
            _write(f"{tail}/pids.max", b"%d" % processes)
            self.fds = [os.open(f"{path}/{self._layout.join}", os.O_WRONLY | os.O_CLOEXEC) for path in self._paths]
            self._events = os.open(f"{head}/{self._layout.events}", os.O_RDONLY | os.O_CLOEXEC)
            self._left = os.open(f"{head}/{self._layout.left}", os.O_RDONLY | os.O_CLOEXEC)
            if timed and self._layout.clock is not None:
                self.clock = os.open(f"{self._layout.clock}/{name}/{self._layout.time}", os.O_RDONLY | os.O_CLOEXEC)
            if peaks:
                self._usage = os.open(f"{head}/{self._layout.usage}", os.O_RDONLY | os.O_CLOEXEC)
                with contextlib.suppress(OSError):  # version 2: no peak before Linux 5.19, no reset before 6.12
                    self._peak = os.open(f"{head}/{self._layout.peak}", os.O_RDWR | os.O_CLOEXEC)
            if self._layout.version == 1:
                self._oom_events = [os.eventfd(0), os.eventfd(0)]
                with contextlib.suppress(OSError):  # a real-time kernel does not count
                    for counter, group in zip(self._oom_events, (head, f"{folders[0]}/{EMPTY}"), strict=True):
                        events = os.open(f"{group}/{self._layout.events}", os.O_RDONLY | os.O_CLOEXEC)
                        try:
                            _write(f"{group}/cgroup.event_control", b"%d %d" % (counter, events))
                        finally:
                            os.close(events)
                    self._is_told = True
        except Occupied:
            self.close(patience=0.0)  # it may be half made
            raise
        except OSError as error:
            self.close()
            raise MachineryError(f"control group {name}: {error}") from error

    def kills(self) -> int:
        """How many of its processes the kernel has killed for lack of memory, whoever lacked it."""
        return _count(os.pread(self._events, 4096, 0), b"oom_kill")

    def was_full(self) -> bool:
        """Whether its own limit explains new `kills`, and not one of a group above. Version 2 counts them apart,
        version 1 tells all groups below. The peak would not do: it includes files, for which the kernel makes room."""
        before, now = self._full, self._full + 1
        if self._layout.version == 2:
            now = _count(os.pread(self._events, 4096, 0), b"oom")
        elif self._is_told:
            for counter in self._oom_events:
                os.eventfd_write(counter, 1)  # reading would wait for something to count
            own, above = map(os.eventfd_read, self._oom_events)  # the kernel tells the group above first
            self._own_oom += own - above
            now = self._own_oom
        self._full = max(before, now)
        return now > before

    def peak(self) -> int:
        """The most memory it has held since `renew`, in bytes; 0 if the kernel does not say."""
        return max(0, int(os.pread(self._peak, 32, 0)) - self._usage_before) if self._peak >= 0 else 0

    def cpu_seconds(self) -> float:
        """The processor time of all that was ever in it. Only where `clock` is open."""
        words = os.pread(self.clock, 64, 0).split()
        return int(words[1]) / 1e6 if words[0] == b"usage_usec" else int(words[0]) / 1e9

    def renew(self) -> None:
        """Prepare for another process: reset the peak, and discount what earlier processes left.

        The kernel releases what it held for a process (its stacks, its page tables) only milliseconds after its end.
        With a process per question that adds up to 2 MB on a busy machine. At a limit of 2 MB, one start in 1,000 was
        blamed for it. So the limit is raised by what is there before the start, and lowered again later.
        """
        left = self._left_over()
        if abs(left - self._ballast) > self._slack:
            self._move_limit(left)
        if self._peak >= 0:
            self._usage_before = int(os.pread(self._usage, 32, 0))
            with contextlib.suppress(OSError):
                os.pwrite(self._peak, b"0", 0)

    def _left_over(self) -> int:
        """What earlier processes left. A process that was killed with all its memory is waited for, or else the next
        one could have as much again."""
        deadline = time.monotonic() + RELEASE
        while (left := int(os.pread(self._left, 32, 0))) > BALLAST_MOST and time.monotonic() < deadline:
            time.sleep(0.001)
        return min(left, BALLAST_MOST)

    def _limit(self, folder: str, memory: int) -> None:
        self._limits = [os.open(f"{folder}/{self._layout.memory_limit}", os.O_WRONLY | os.O_CLOEXEC)]
        os.pwrite(self._limits[0], b"%d" % memory, 0)
        with contextlib.suppress(OSError):  # no swap accounting: then there is usually no swap either
            if self._layout.version == 2:
                _write(f"{folder}/{self._layout.swap_limit}", b"0")
            else:  # version 1 limits memory and swap together
                self._limits.append(os.open(f"{folder}/{self._layout.swap_limit}", os.O_WRONLY | os.O_CLOEXEC))
                os.pwrite(self._limits[1], b"%d" % memory, 0)

    def _move_limit(self, ballast: int) -> None:
        """Move both limits. The limit for memory and swap together may never be below that for memory alone."""
        upwards, self._ballast = ballast > self._ballast, ballast
        for fd in reversed(self._limits) if upwards else self._limits:
            with contextlib.suppress(OSError):
                os.pwrite(fd, b"%d" % (self._memory + ballast), 0)

    def release(self) -> None:
        """Close the descriptors, once process 1 has its own copies."""
        while self.fds:
            os.close(self.fds.pop())

    def close(self, patience: float = PATIENCE) -> None:
        """Remove the group. Never raises: what cannot be removed now is left to the next `sweep`. Idempotent."""
        self.release()
        for fd in (self._events, self._peak, self._usage, self._left, self.clock, *self._limits, *self._oom_events):
            if fd >= 0:
                os.close(fd)
        self._events = self._peak = self._usage = self._left = self.clock = -1
        self._limits, self._oom_events = [], []
        for path in self._paths:
            try:
                clear(path, patience)
            except Occupied as error:
                logger.warning("%s; left to the next sweep", error)


def machine_kills() -> int:
    """How many processes of this machine the kernel has killed for lack of memory, in whatever group."""
    return _count(Path("/proc/vmstat").read_bytes(), b"oom_kill")


def _count(table: bytes, name: bytes) -> int:
    """The counter of that name."""
    words = table.split()
    return int(words[words.index(name) + 1])


def _write(path: str, data: bytes) -> None:
    """Write to one of the kernel's files: in a sixth of the time that an object for it would take."""
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)


def clear(path: str | Path, patience: float = PATIENCE) -> None:
    """Kill everything in a group and remove it. Raises Occupied if it still exists after that many seconds."""
    deadline = time.monotonic() + patience
    while True:
        try:
            os.rmdir(path)
        except FileNotFoundError:
            return
        except OSError as error:
            if time.monotonic() >= deadline:
                raise Occupied(f"the control group {path} cannot be removed: {error.strerror}") from error
            _kill_all(path)
            time.sleep(0.005)
        else:
            return


def _kill_all(path: str | Path) -> None:
    """Kill every process of a group that is visible from this PID namespace; a 0 stands for one that is not."""
    with contextlib.suppress(OSError):
        Path(path, "cgroup.kill").write_text("1")  # version 2 since Linux 5.14, and all at once
    with contextlib.suppress(OSError):
        for pid in map(int, Path(path, "cgroup.procs").read_text().split()):
            if pid > 0:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)


def sweep() -> int:
    """Remove the groups of jails whose worker is gone. Returns how many there were.

    This only tidies up: what cannot be removed stays, with a line in the log. Never raises for it.
    """
    try:
        folders = layout().folders
    except Unavailable:
        return 0
    return sum(_sweep(group) for folder in folders for group in list(folder.iterdir()) if group.name.isdigit())


def _sweep(group: Path) -> bool:
    slot = slots.take_number(int(group.name))
    if slot is None:  # in use
        return False
    with contextlib.closing(slot):
        try:
            clear(group, patience=0.25)
        except Occupied as error:
            logger.warning("%s; left alone", error)
            return False
    return True
