"""A port at which clients come in: greets those whose team is known, refuses the others, blocks nobody.

One thread looks after everybody who is not yet in. A client whose address is no single team's has a second to say who
it is with `{"type":"login","token":"…"}`. Who comes again within five seconds is shut out without a word (a message
would end it for good), and the five seconds start again.
"""

from __future__ import annotations

import os
import select
import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from threading import Lock, Thread
from time import monotonic, sleep

from games.barracuda.server.teams import Roster, Team
from games.barracuda.wire import greeting, refusal
from games.connections import Line
from games.engine import Fault
from games.frames import BadLength, Frames, frame, read_object
from games.sockets import PAUSE

LOGIN = 1.0
"""Seconds in which a client may say who it is."""

LEAVE = 1.0
"""Seconds in which a client that was refused may take note of it before its connection is closed."""

WAITING = 512
"""Clients that wait at the door at most. When there are more, the first ones must go."""

TIRED = 0.05
"""Seconds to wait when nobody could be accepted."""

REMEMBERED = 65_536
"""Addresses whose last attempt is remembered."""

UNKNOWN = (
    "I don't know which team this connection belongs to. Connect from the address that your team has registered, or "
    'send {"type":"login","token":"..."} within a second.'
)


class Attempts:
    """When each address last tried to connect."""

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._last: dict[str, float] = {}

    def early(self, address: str, now: float) -> bool:
        """Note an attempt. Whether it comes too early."""
        last = self._last.pop(address, None)
        self._last[address] = now  # the latest stand last
        while len(self._last) > REMEMBERED:
            del self._last[next(iter(self._last))]
        return last is not None and now < last + self._pause


class TeamLine(Line):
    """A line whose connections come from a door, while another thread plays on it."""

    def __init__(self) -> None:
        super().__init__()
        self._bell, self._rope = os.pipe()
        os.set_blocking(self._rope, False)
        self._lock = Lock()
        self._arrived: socket.socket | None = None
        self._newest: socket.socket | None = None
        self.watch(self._bell, self._answer_bell)

    def attach(self, stream: socket.socket) -> None:
        """The client has a new connection, which replaces its older one. For any thread."""
        with self._lock:
            if self._newest is not None:
                with suppress(OSError):  # it has gone already
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

    def alive(self) -> bool:
        """Whether the client is connected. For any thread."""
        with self._lock:
            return self._newest is not None and _open_at(self._newest)

    def close(self) -> None:
        """Hang up for good. Nobody plays on it any more."""
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
    """Whether the other side has not hung up, even if it has sent what nobody has read."""
    try:
        poll = select.poll()
        poll.register(stream, getattr(select, "POLLRDHUP", 0))  # Linux; elsewhere only when all was read
        if poll.poll(0):
            return False
        return stream.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except (OSError, ValueError):  # the player has dropped it
        return False


@dataclass(eq=False)
class _Guest:
    """A client that is not in yet, or on its way out."""

    stream: socket.socket
    address: str
    ends: float  # when our patience does
    leaving: bool = False
    frames: Frames = field(default_factory=Frames)


class Door:
    """Listens at an address and calls `welcome(team, stream)` in its own thread for every client that it lets in, which
    has been greeted. Until `close`."""

    def __init__(
        self, address: tuple[str, int], roster: Roster, welcome: Callable[[Team, socket.socket], None]
    ) -> None:
        self._roster = roster
        self._welcome = welcome
        self._attempts = Attempts()
        self._guests: dict[socket.socket, _Guest] = {}  # the first ones first
        self._listener = socket.create_server(address, backlog=1024)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._open = True
        self._thread = Thread(target=self._attend, name=f"door {self.port}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let nobody in any more. Idempotent."""
        self._open = False
        self._thread.join()

    def _attend(self) -> None:
        while self._open:
            for key, _ in self._selector.select(0.1):
                if key.fileobj is self._listener:
                    self._accept()
                elif guest := self._guests.get(key.fileobj):  # type: ignore[call-overload]
                    self._hear(guest)
            now = monotonic()
            for guest in [guest for guest in self._guests.values() if guest.ends <= now]:
                self._give_up(guest)
        for guest in list(self._guests.values()):
            self._dismiss(guest)
        self._selector.close()
        self._listener.close()

    def _accept(self) -> None:
        try:
            stream, (host, *_) = self._listener.accept()
        except OSError:  # it has gone again, or we have no descriptors left until others go
            sleep(TIRED)
            return
        now, address = monotonic(), _plain(host)
        if self._attempts.early(address, now):
            stream.close()
            return
        stream.setblocking(False)
        if team := self._roster.at(address):
            self._let_in(team, stream)
            return
        guest = self._guests[stream] = _Guest(stream, address, now + LOGIN)
        self._selector.register(stream, selectors.EVENT_READ)
        if len(self._guests) > WAITING:
            self._dismiss(next(iter(self._guests.values())))
        self._hear(guest)

    def _hear(self, guest: _Guest) -> None:
        """What a guest says: a login, or nothing that matters any more."""
        try:
            data = guest.stream.recv(4096)
            if not data:
                self._dismiss(guest)
                return
            bodies = [] if guest.leaving else guest.frames.add(data)
        except BlockingIOError:
            return
        except (OSError, BadLength):
            self._dismiss(guest)
            return
        if not bodies:
            return
        team = self._roster.with_token(_token(bodies[0]))
        if team is None:
            self._refuse(guest)
        else:
            self._forget(guest)
            self._let_in(team, guest.stream)

    def _let_in(self, team: Team, stream: socket.socket) -> None:
        try:
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _keep_alive(stream)
            stream.send(frame(greeting(team.id)))
        except OSError:  # it has gone again
            stream.close()
            return
        self._welcome(team, stream)

    def _give_up(self, guest: _Guest) -> None:
        if guest.leaving:
            self._dismiss(guest)
        else:
            self._refuse(guest)

    def _refuse(self, guest: _Guest) -> None:
        """Say so, and close only when it has read it: what it still sends would reset the connection."""
        guest.leaving, guest.ends = True, monotonic() + LEAVE
        try:
            guest.stream.send(frame(refusal(guest.address, UNKNOWN)))
            guest.stream.shutdown(socket.SHUT_WR)
        except OSError:
            self._dismiss(guest)

    def _dismiss(self, guest: _Guest) -> None:
        self._forget(guest)
        guest.stream.close()

    def _forget(self, guest: _Guest) -> None:
        if self._guests.pop(guest.stream, None) is not None:
            self._selector.unregister(guest.stream)


def _keep_alive(stream: socket.socket) -> None:
    """Notice within half a minute that a machine has gone without a word."""
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):
            stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _token(body: bytes) -> str:
    """Of a login; blank for everything else."""
    try:
        message = read_object(body)
    except Fault:
        return ""
    token = message.get("token")
    return token if message.get("type") == "login" and type(token) is str else ""


def _plain(host: str) -> str:
    """An address as it is registered: those of IPv4 in their own form."""
    address = ip_address(host.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
