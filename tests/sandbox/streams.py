"""A jailed bot's streams. Needs no package, so that other users than root can run it with the system's Python."""

from __future__ import annotations

import os
import select
import time

from submissions.sandbox import JailedProcess

MEGABYTE = 1 << 20


def hear(process: JailedProcess, seconds: float = 60.0) -> tuple[bytes, bytes]:
    """All of its output until both streams end or the time is up, which is a failure unless the test chose it."""
    said = {process.stdout: b"", process.stderr: b""}
    poll = select.poll()
    for fd in said:
        poll.register(fd, select.POLLIN)
    deadline = time.monotonic() + seconds
    left = 2
    while left and (rest := deadline - time.monotonic()) > 0:
        for fd, _ in poll.poll(1000 * rest):
            data = os.read(fd, 65_536)
            if not data:
                poll.unregister(fd)
                left -= 1
            elif len(said[fd]) < 1_000_000:
                said[fd] += data
    return said[process.stdout], said[process.stderr]


def converse(process: JailedProcess, words: bytes, seconds: float = 10.0) -> tuple[bytes, bytes]:
    """Write all of `words` and the end of input while reading both streams. Returns its output on them."""
    said = {process.stdout: b"", process.stderr: b""}
    poll = select.poll()
    for fd in said:
        poll.register(fd, select.POLLIN)
    poll.register(process.stdin, select.POLLOUT)
    deadline, left = time.monotonic() + seconds, 2
    while left and (rest := deadline - time.monotonic()) > 0:
        for fd, _ in poll.poll(1000 * rest):
            if fd == process.stdin:
                try:
                    words = words[os.write(fd, words[:65_536]) :] if words else b""
                except BrokenPipeError:
                    words = b""
                if not words:
                    poll.unregister(fd)
                    process.close_input()
            elif data := os.read(fd, 65_536):
                said[fd] += data
            else:
                poll.unregister(fd)
                left -= 1
    return said[process.stdout], said[process.stderr]
