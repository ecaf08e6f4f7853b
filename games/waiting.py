"""Waiting for processes and connections together, on every system that Python runs on.

Linux and macOS can wait for pipes and sockets alike: `poll`, `read` and `write` are the system's own there. Windows can
wait for sockets only. So a thread of its own carries the bytes of each pipe (games.pumps), and the numbers that stand
for pipes are not the system's.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Protocol

from games import pumps

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

POLLIN: int = getattr(select, "POLLIN", pumps.READABLE)
POLLOUT: int = getattr(select, "POLLOUT", pumps.WRITABLE)


class Poll(Protocol):
    """What `select.poll` offers."""

    def register(self, fd: int, events: int, /) -> None: ...
    def unregister(self, fd: int, /) -> None: ...
    def poll(self, milliseconds: float, /) -> list[tuple[int, int]]: ...


PIPES_CAN_BE_POLLED = hasattr(select, "poll")

LAST_WORDS = 0.0 if PIPES_CAN_BE_POLLED else 0.5
"""Seconds until everything has arrived that a process wrote before it ended, where it has closed its streams."""

if PIPES_CAN_BE_POLLED:
    read: Callable[[int, int], bytes] = os.read
    write: Callable[[int, bytes], int] = os.write
else:
    read, write = pumps.read, pumps.write


def poll() -> Poll:
    """Return a new object with the interface of `select.poll`."""
    return select.poll() if PIPES_CAN_BE_POLLED else pumps.Poll()


def opened(pipe: IO[bytes], *, for_writing: bool = False) -> int:
    """Return the number for our end of a pipe to a process. Reading and writing by that number never blocks."""
    if not PIPES_CAN_BE_POLLED:
        return pumps.opened(pipe, for_writing=for_writing)
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def close(number: int, pipe: IO[bytes]) -> None:
    """Close our end of a pipe, once everything that was written to it has been taken. Idempotent."""
    if PIPES_CAN_BE_POLLED:
        pipe.close()
    else:
        pumps.close(number)


def make_room(pipe: int, size: int) -> None:
    """Let a pipe hold that many bytes, where the system allows it (Linux)."""
    if fcntl is not None and hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # this user already has many pipes
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, size)
