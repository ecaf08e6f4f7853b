"""Pipes where the system cannot wait for them: a thread for each carries its bytes.

Everything here has the shape of the system's own calls (games.waiting), so nobody else notices. `opened` gives a pipe a
number, for `read`, `write`, `close` and `Poll`. Sockets can be registered with a `Poll` as well.
"""

from __future__ import annotations

import os
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from threading import Condition, Thread
from time import monotonic
from typing import IO

READABLE, WRITABLE = 1, 4
FULL = 256 * 1024
"""Bytes that are carried ahead of whoever reads them."""

_CHUNK = 64 * 1024
_numbers = count(1 << 30)  # above all numbers of sockets
_open: dict[int, _Pump] = {}


class _Pump:
    """One pipe and its thread. The thread alone touches the pipe, and closes it."""

    carries = READABLE

    def __init__(self, pipe: IO[bytes]) -> None:
        self.number = next(_numbers)
        self.changed = Condition()
        self.held = bytearray()
        self.ended = False  # reading: the other side has closed it; writing: the other side does not take any more
        self.abandoned = False  # we have closed it
        self.bells: list[socket.socket] = []
        self._pipe = pipe
        Thread(target=self._run, name=f"pipe {self.number}", daemon=True).start()

    def _run(self) -> None:
        with suppress(OSError, ValueError):
            self.carry(self._pipe)
        with self.changing():
            self.ended = True
        with suppress(OSError):
            self._pipe.close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the lock, then wake the thread and everybody who waits for this pipe."""
        with self.changed:
            yield
            self.changed.notify_all()
            for bell in self.bells:
                with suppress(OSError):  # it rings already, or nobody listens any longer
                    bell.send(b"!")

    def carry(self, pipe: IO[bytes]) -> None:
        raise NotImplementedError

    def ready(self) -> bool:
        raise NotImplementedError


class _Reader(_Pump):
    def carry(self, pipe: IO[bytes]) -> None:
        while data := os.read(pipe.fileno(), _CHUNK):
            with self.changing():
                self.held += data
            with self.changed:
                self.changed.wait_for(lambda: len(self.held) < FULL or self.abandoned)
            if self.abandoned:
                return

    def ready(self) -> bool:
        return bool(self.held) or self.ended

    def take(self, size: int) -> bytes:
        with self.changing():
            if not self.ready():
                raise BlockingIOError
            data = bytes(self.held[:size])
            del self.held[:size]
            return data


class _Writer(_Pump):
    carries = WRITABLE

    def carry(self, pipe: IO[bytes]) -> None:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.held or self.abandoned)
                data = bytes(self.held[:_CHUNK])
            if not data:
                return
            sent = os.write(pipe.fileno(), data)
            with self.changing():
                del self.held[:sent]

    def ready(self) -> bool:
        return len(self.held) < _CHUNK or self.ended

    def put(self, data: bytes) -> int:
        with self.changing():
            if self.ended or self.abandoned:
                raise BrokenPipeError
            room = _CHUNK - len(self.held)
            if data and room <= 0:
                raise BlockingIOError
            self.held += data[:room]
            return min(len(data), room)


def opened(pipe: IO[bytes], *, for_writing: bool = False) -> int:
    """Return a new number for that pipe. From now on it belongs to a thread."""
    pump = _Writer(pipe) if for_writing else _Reader(pipe)
    _open[pump.number] = pump
    return pump.number


def close(number: int) -> None:
    """Close a pipe. What was written to it is still sent. Idempotent."""
    if (pump := _open.pop(number, None)) is not None:
        with pump.changing():
            pump.abandoned = True


def read(number: int, size: int) -> bytes:
    """Return up to that many bytes, and none at the end. Raises BlockingIOError when there are none yet."""
    pump = _open[number]
    assert isinstance(pump, _Reader)
    return pump.take(size)


def write(number: int, data: bytes) -> int:
    """Return how many bytes were taken. Raises BlockingIOError when none were, and BrokenPipeError."""
    pump = _open.get(number)
    if not isinstance(pump, _Writer):
        raise BrokenPipeError
    return pump.put(data)


class Poll:
    """Waits for pipes and sockets, as `select.poll` does."""

    def __init__(self) -> None:
        self._pumps: dict[int, _Pump] = {}
        self._sockets: dict[int, int] = {}
        self._bell, self._rope = socket.socketpair()
        self._bell.setblocking(False)
        self._rope.setblocking(False)

    def __del__(self) -> None:
        self._bell.close()
        self._rope.close()

    def register(self, fd: int, events: int, /) -> None:
        if (pump := _open.get(fd)) is None:
            self._sockets[fd] = events
            return
        self._pumps[fd] = pump
        with pump.changed:
            pump.bells.append(self._rope)

    def unregister(self, fd: int, /) -> None:
        if (pump := self._pumps.pop(fd, None)) is None:
            del self._sockets[fd]
            return
        with pump.changed:
            pump.bells.remove(self._rope)

    def poll(self, milliseconds: float, /) -> list[tuple[int, int]]:
        """Return what is ready as (number, event), after at most that long."""
        ends = monotonic() + milliseconds / 1000
        while True:
            ready = [(fd, pump.carries) for fd, pump in self._pumps.items() if pump.ready()]
            left = 0.0 if ready else max(0.0, ends - monotonic())
            bell = self._bell.fileno()
            heard, _, _ = select.select([bell, *self._sockets], [], [], left)
            ready += [(each, READABLE) for each in heard if each != bell]
            if bell in heard:
                with suppress(BlockingIOError):
                    self._bell.recv(_CHUNK)
            if ready or monotonic() >= ends:
                return ready
