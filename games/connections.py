"""TCP connections to clients that may be slow, mute, deaf or malicious, and the line that outlives them.

Every message is written at once, header and body together. A client that does not read what it is sent loses its
connection.
"""

from __future__ import annotations

import secrets
import socket
import struct
import sys
from collections.abc import Callable
from functools import partial
from time import time

from games.frames import HEADER, LONGEST, BadLength, Frames, frame, whole
from games.pipes import FLOOD
from games.waiting import POLLIN, poll

LARGEST = 2**31 - 1
"""The largest request number. After it, numbers start again at 1."""

CLOSED = "closed the connection"
DEAF = "closed the connection, or did not read what it was sent"
SPOILT = f"sent a message that is empty or longer than {LONGEST} bytes"

_CHUNK = 64 * 1024
_LINUX_SO_TIMESTAMPNS = 35  # include/uapi/asm-generic/socket.h
_SO_TIMESTAMPNS = getattr(socket, "SO_TIMESTAMPNS", _LINUX_SO_TIMESTAMPNS)  # Python 3.11 has no name for it
_STAMPED = (socket.SOL_SOCKET, _SO_TIMESTAMPNS)
_STAMP = struct.Struct("@ll")  # seconds and nanoseconds
_PATIENCE = 64  # consecutive reads from a client that keeps writing


STAMPS = sys.platform == "linux"
"""Whether the kernel can tell when bytes arrived."""


class Connection:
    """One TCP connection to a client. It never blocks: a client that does not keep up is dropped.

    `stamped`: ask the kernel when bytes arrived.
    """

    def __init__(self, stream: socket.socket, *, stamped: bool = False) -> None:
        self._stream = stream
        self.late = 0.0
        """Seconds for which the last bytes that were read had lain here, if they are stamped."""
        self._read = self._read_stamped if stamped else partial(stream.recv, _CHUNK)
        if stamped:
            stream.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self._frames = Frames()
        stream.setblocking(False)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.fd = stream.fileno()
        self._acknowledge()

    def _acknowledge(self) -> None:
        """Acknowledge now: a client that sends a message in two pieces waits for that between them (Linux)."""
        if hasattr(socket, "TCP_QUICKACK"):
            self._stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def send(self, *bodies: bytes) -> bool:
        """Return whether the messages were sent, in one piece. If not, the connection is useless."""
        data = b"".join(map(frame, bodies))
        try:
            return self._stream.send(data) == len(data)
        except OSError:  # the client has gone, or does not read
            return False

    def receive(self) -> list[bytes] | None:
        """Return the complete messages that have arrived, without waiting, or None if no more can come."""
        try:
            data = self._read()
            if not data:
                return None
            if not self._frames.unfinished and (body := whole(data)):
                return [body]
            bodies = self._frames.add(data)
        except BlockingIOError:
            return []
        except (OSError, BadLength):
            return None
        if self._frames.unfinished:
            self._acknowledge()
        return bodies

    def _read_stamped(self) -> bytes:
        data, notes, _, _ = self._stream.recvmsg(_CHUNK, socket.CMSG_SPACE(_STAMP.size))
        self.late = next((_age(note) for level, kind, note in notes if (level, kind) == _STAMPED), 0.0)
        return data

    @property
    def spoilt(self) -> bool:
        """Whether further input can no longer be understood."""
        return self._frames.spoilt

    def close(self) -> None:
        self._stream.close()


def _age(stamp: bytes) -> float:
    """Seconds since the kernel's time stamp. Both are read from the wall clock, which may have been set meanwhile."""
    seconds, nanoseconds = _STAMP.unpack(stamp)
    age: float = time() - seconds - nanoseconds / 1e9
    return max(0.0, age)


class Line:
    """The line to one client through all its connections. For one thread. Others may look at `connection`."""

    stamped = False
    """Whether its connections ask the kernel when bytes arrived."""

    def __init__(self) -> None:
        self.late = 0.0  # as Connection.late, of what was received last
        self.connection: Connection | None = None
        self.ended = ""  # why the last connection was dropped, in words that follow "it"
        self.renewed = False  # whether the connection has changed since this was last set to False
        self._poll = poll()
        self._watched: dict[int, Callable[[], None]] = {}
        self._first = self._next = 1 + secrets.randbelow(LARGEST // 2)

    def number(self) -> int:
        """Return an unused request number for this line."""
        number, self._next = self._next, self._next % LARGEST + 1
        return number

    def is_older(self, number: object, than: int) -> bool:
        """Whether this is the number of an earlier request."""
        return (
            type(number) is int and number != than and (number - self._first) % LARGEST < (than - self._first) % LARGEST
        )

    def watch(self, fd: int, ready: Callable[[], None]) -> None:
        """Call `hear` whenever there is something to read from `fd`, while somebody waits on the line."""
        self._watched[fd] = ready
        self._poll.register(fd, POLLIN)

    def unwatch(self, fd: int) -> None:
        if self._watched.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def adopt(self, stream: socket.socket) -> None:
        """Use this connection to the client from now on."""
        self.drop()
        try:
            self.connection = Connection(stream, stamped=self.stamped)
        except OSError:  # it has disconnected again
            stream.close()
            return
        self._poll.register(self.connection.fd, POLLIN)
        self.renewed = True

    def drop(self, why: str = "") -> None:
        """Drop the connection, if there is one."""
        connection, self.connection = self.connection, None
        if connection is not None:
            self.ended = why
            self._poll.unregister(connection.fd)
            connection.close()

    def send(self, *bodies: bytes) -> None:
        """Send messages in one piece. They are lost when there is no connection."""
        if bodies and self.connection is not None and not self.connection.send(*bodies):
            self.drop(DEAF)

    def receive(self, seconds: float) -> list[bytes]:
        """Wait at most this long for something to happen. Returns the messages that arrived, often none."""
        ready_fds = self._poll.poll(1000 * seconds)
        connection = self.connection
        if connection is not None and len(ready_fds) == 1 and ready_fds[0][0] == connection.fd:  # the usual case
            return self._hear(connection)
        bodies: list[bytes] = []
        for fd, _ in ready_fds:
            connection = self.connection
            if connection is None or fd != connection.fd:
                if ready := self._watched.get(fd):
                    ready()
                continue
            bodies += self._hear(connection)
        return bodies

    def _hear(self, connection: Connection) -> list[bytes]:
        came = connection.receive()
        self.late = connection.late
        if came is None or connection.spoilt:
            self.drop(SPOILT if connection.spoilt else CLOSED)
        return came or []

    def stirs(self) -> bool:
        """Whether something is ready for `attend`."""
        return bool(self._poll.poll(0))

    def attend(self) -> int:
        """Handle everything that is ready, without waiting. Returns how many bytes of unrequested messages arrived."""
        ignored = 0
        for _ in range(_PATIENCE):
            if ignored > FLOOD or not self._poll.poll(0):
                break
            ignored += sum(HEADER + len(body) for body in self.receive(0))
        return ignored
