"""The line to one team through all its connections, however often it reconnects."""

from __future__ import annotations

import select
import socket
from contextlib import suppress
from threading import Lock

from games.connections import STAMPS, Line


class TeamLine(Line):
    """A line whose connections come from a door while another thread plays on it."""

    stamped = STAMPS  # the threads of a server compete, and clocks of clients elsewhere must not run meanwhile

    def __init__(self) -> None:
        super().__init__()
        self._bell, self._rope = socket.socketpair()
        self._bell.setblocking(False)
        self._rope.setblocking(False)
        self._lock = Lock()
        self._arrived: socket.socket | None = None
        self._newest: socket.socket | None = None
        self.watch(self._bell.fileno(), self._answer_bell)

    def attach(self, stream: socket.socket) -> None:
        """Replace the client's connection with a new one. For any thread."""
        with self._lock:
            if self._newest is not None:
                with suppress(OSError):  # it has already disconnected
                    self._newest.shutdown(socket.SHUT_RDWR)
            if self._arrived is not None:
                self._arrived.close()
            self._newest = self._arrived = stream
        with suppress(BlockingIOError):  # it rings already
            self._rope.send(b"!")

    def _answer_bell(self) -> None:
        self._bell.recv(4096)
        with self._lock:
            stream, self._arrived = self._arrived, None
        if stream is not None:
            self.adopt(stream)

    def hang_up(self) -> None:
        """End the current connection. The client may reconnect. For any thread."""
        with self._lock:
            if self._newest is not None:
                with suppress(OSError):
                    self._newest.shutdown(socket.SHUT_RDWR)

    def alive(self) -> bool:
        """Whether the client is connected. For any thread."""
        with self._lock:
            return self._newest is not None and _open_at(self._newest)

    def close(self) -> None:
        """Close the line for good, when nobody plays on it any longer."""
        with self._lock:
            arrived, self._arrived, self._newest = self._arrived, None, None
        if arrived is not None:
            arrived.close()
        self.drop()
        if self._bell.fileno() >= 0:
            self.unwatch(self._bell.fileno())
            self._bell.close()
            self._rope.close()


def _open_at(stream: socket.socket) -> bool:
    """Whether the other side has not hung up, even if nobody has read what it sent."""
    try:
        if hasattr(select, "POLLRDHUP"):  # Linux; elsewhere it shows only after everything was read
            poll = select.poll()
            poll.register(stream, select.POLLRDHUP)
            if poll.poll(0):
                return False
        elif not select.select([stream], [], [], 0)[0]:
            return True
        return stream.recv(1, socket.MSG_PEEK | getattr(socket, "MSG_DONTWAIT", 0)) != b""
    except BlockingIOError:
        return True
    except (OSError, ValueError):  # the player has dropped it
        return False
