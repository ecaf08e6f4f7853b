"""The line to one team through all its connections, however often it reconnects."""

from __future__ import annotations

import os
import select
import socket
from contextlib import suppress
from threading import Lock

from games.connections import Line


class TeamLine(Line):
    """A line whose connections come from a door while another thread plays on it."""

    def __init__(self) -> None:
        super().__init__()
        self._bell, self._rope = os.pipe()
        os.set_blocking(self._rope, False)
        self._lock = Lock()
        self._arrived: socket.socket | None = None
        self._newest: socket.socket | None = None
        self.watch(self._bell, self._answer_bell)

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
            os.write(self._rope, b"!")

    def _answer_bell(self) -> None:
        os.read(self._bell, 4096)
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
        if self._bell >= 0:
            self.unwatch(self._bell)
            os.close(self._bell)
            os.close(self._rope)
            self._bell = self._rope = -1


def _open_at(stream: socket.socket) -> bool:
    """Whether the other side has not hung up, even if nobody has read what it sent."""
    try:
        poll = select.poll()
        poll.register(stream, getattr(select, "POLLRDHUP", 0))  # Linux; elsewhere only after everything was read
        if poll.poll(0):
            return False
        return stream.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except (OSError, ValueError):  # the player has dropped it
        return False
