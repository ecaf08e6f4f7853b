"""Who holds the write lock of an SQLite database, and what to do if that process does not go on.

The kernel lists the locks in /proc/locks. We never open the lock's file: closing it would release all locks that this
process has on it.

- A process that is stopped is continued. If it is stopped again and again, it is killed.
- One of the portal's own processes that has the lock and has done nothing for `LONGEST_PAUSE` seconds is killed. SQLite
  drops the transaction, and the lease of what it worked on brings that back.
- Anything else is let alone: commands that somebody started, processes that wait for the disk, and those of others.
"""

from __future__ import annotations

import logging
import os
import re
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from contest.server import by_hand

logger = logging.getLogger(__name__)

WRITE_LOCK = 120  # the byte of the file `…-shm` that the writer locks (SQLite's "WAL-index format", 2.3.1)
CONTINUED_AT_MOST = 2  # times, before a process is killed that is stopped again
LONGEST_PAUSE = 12.0  # seconds without any processor time
SERVERS = re.compile(rb"[\0 \[](celeryd?|gunicorn|%s)(?=[\0 :]|$)" % "|".join(by_hand.SERVERS).encode())
"""A command line of ours, or the title that celery, gunicorn and our forks (contest/server/forked.py) give themselves,
in which words are separated by spaces."""
LINE = re.compile(r"^\d+: POSIX +\S+ +WRITE (\d+) \S+:(\d+) (\d+) (\d+|EOF)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds the write lock."""

    pid: int
    state: str  # the kernel's letter: T is stopped
    ticks: int  # of the processor that it has used
    is_server: bool  # one that the portal starts


def holder_of(database: str) -> Holder | None:
    """The process that holds the write lock. None if there is none, it is this process, or it cannot be seen."""
    try:
        file = os.stat(f"{database}-shm")
        locks = Path("/proc/locks").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    for pid, inode, first, last in LINE.findall(locks):
        covers = int(first) <= WRITE_LOCK and (last == "EOF" or int(last) >= WRITE_LOCK)
        if int(inode) == file.st_ino and covers and int(pid) not in (0, os.getpid()) and _has_open(pid, file):
            return _process(int(pid))
    return None


def _has_open(pid: str, file: os.stat_result) -> bool:
    """Whether it is really this file: another file system may have the same number of an inode."""
    with suppress(OSError):
        for entry in Path("/proc", pid, "fd").iterdir():
            with suppress(OSError):
                if os.path.samestat(entry.stat(), file):
                    return True
    return False


def _process(pid: int) -> Holder | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None
    return Holder(pid, fields[0], int(fields[11]) + int(fields[12]), bool(SERVERS.search(b"\0" + command)))


class Watcher:
    """Looks at the holder again and again while somebody waits for the lock."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._last: Holder | None = None
        self._since = 0.0  # when it was first seen without doing anything
        self._continued = 0

    def look(self) -> None:
        """See who holds the lock, and continue or kill a process that does not go on."""
        holder = holder_of(self._database)
        if holder is None:
            self._last = None
        elif holder.state == "T":
            self._go_on(holder)
        elif self._last is None or (holder.pid, holder.ticks) != (self._last.pid, self._last.ticks):
            self._last, self._since = holder, monotonic()
        elif holder.is_server and holder.state != "D" and monotonic() - self._since > LONGEST_PAUSE:
            _send(holder, signal.SIGKILL, f"has held the database's write lock for {LONGEST_PAUSE:g} s, doing nothing")

    def _go_on(self, holder: Holder) -> None:
        self._continued += 1
        stubborn = self._continued > CONTINUED_AT_MOST and holder.is_server
        what = "is stopped while it holds the database's write lock"
        _send(holder, signal.SIGKILL if stubborn else signal.SIGCONT, what)


def _send(holder: Holder, number: signal.Signals, what: str) -> None:
    action = "killed" if number == signal.SIGKILL else "continued"
    try:
        os.kill(holder.pid, number)
    except OSError as error:
        action = f"it could not be {action} ({error.strerror})"
    logger.warning("process %d %s: %s", holder.pid, what, action)
