"""A port at which clients come in. The door greets those whose team is known, refuses the others, and blocks nobody.

One thread looks after all clients that are not in yet. A client whose address does not belong to a single team has a
second to say who it is with `{"type":"login","token":"…"}`. Reconnecting within five seconds is refused without a word,
because clients end for good after a message, and the five seconds start again. They are counted by a team's own
address, by the team once it has sent its token, and otherwise by the address of the refused client. Teams behind one
address therefore do not shut each other out.
"""

from __future__ import annotations

import logging
import selectors
import socket
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from threading import Thread
from time import monotonic, sleep

from games.engine import Fault, Game
from games.frames import BadLength, Frames, frame, read_object
from games.server.teams import Roster, Team
from games.sockets import PAUSE

logger = logging.getLogger(__name__)

LOGIN = 1.0
"""Seconds that a client has to say who it is."""

LEAVE = 1.0
"""Seconds that a refused client has to read the message before its connection is closed."""

WAITING = 512
"""The most clients that wait at the door. If more arrive, the oldest is disconnected."""

TIRED = 0.05
"""Seconds to wait after a failure to accept a connection."""

REMEMBERED = 65_536
"""How many addresses and teams are remembered with their last attempt."""

UNKNOWN = (
    "I don't know which team this connection belongs to. Connect from the address that your team has registered, or "
    'send {"type":"login","token":"..."} within a second.'
)

NO_TEAM = (
    "I don't know which team this connection belongs to: no team has this token. Check that it is complete, and "
    "that your team has not made a new one."
)


Report = Callable[[str, Team | None, str], None]
"""Called for every client that was not let in: its address, its team where known, and why, in words that follow
"it"."""


class Attempts:
    """When each address or team last tried to connect."""

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._last: dict[Hashable, float] = {}

    def early(self, who: Hashable, now: float) -> str:
        """Note an attempt. Returns why it comes too early, or blank when it does not."""
        last = self._last.pop(who, None)
        self._last[who] = now  # the latest come last
        while len(self._last) > REMEMBERED:
            del self._last[next(iter(self._last))]
        if last is None or now >= last + self._pause:
            return ""
        return f"came again after {now - last:.1f} seconds: it must wait {self._pause:g} between two attempts"


@dataclass(eq=False)
class _Guest:
    """A client that is not in yet, or on its way out."""

    stream: socket.socket
    address: str
    ends: float  # when we stop waiting for it
    leaving: bool = False
    frames: Frames = field(default_factory=Frames)


class Door:
    """Listens at an address, or on a socket that listens. In its own thread it calls `welcome(team, stream)` for every
    client that it lets in, after greeting it in the way of the game. Until `close`."""

    def __init__(
        self,
        place: tuple[str, int] | socket.socket,
        game: Game,
        roster: Roster,
        welcome: Callable[[Team, socket.socket], None],
        report: Report = lambda address, team, words: None,
    ) -> None:
        self._game = game
        self._roster = roster
        self._welcome = welcome
        self._report = report
        self._attempts = Attempts()
        self._guests: dict[socket.socket, _Guest] = {}  # the oldest first
        self._listener = place if isinstance(place, socket.socket) else socket.create_server(place, backlog=1024)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._open = True
        self._thread = Thread(target=self._attend, name=f"door {self.port}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop letting clients in. Idempotent."""
        self._open = False
        self._thread.join()

    def _attend(self) -> None:
        while self._open:
            for key, _ in self._selector.select(0.1):
                try:
                    if key.fileobj is self._listener:
                        self._accept()
                    elif guest := self._guests.get(key.fileobj):  # type: ignore[call-overload]
                        self._hear(guest)
                except Exception:  # a failure with one client must not close the door to others
                    logger.exception("unexpected failure at port %d", self.port)
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
        except OSError:  # it has disconnected again, or we have no descriptors left until others go
            sleep(TIRED)
            return
        now, address = monotonic(), plain(host)
        stream.setblocking(False)
        if team := self._roster.at(address):
            self._let_in(address, team, address, stream)
            return
        guest = self._guests[stream] = _Guest(stream, address, now + LOGIN)
        self._selector.register(stream, selectors.EVENT_READ)
        if len(self._guests) > WAITING:
            self._dismiss(next(iter(self._guests.values())))
        self._hear(guest)

    def _hear(self, guest: _Guest) -> None:
        """Handle a guest's message: a login, or input that no longer matters."""
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
        token = _token(bodies[0])
        team = self._roster.with_token(token)
        if team is None:
            why = "sent a token that is no team's" if token else "sent something else than a login"
            self._refuse(guest, why, NO_TEAM if token else UNKNOWN)
        else:
            self._forget(guest)
            self._let_in(guest.address, team, team, guest.stream)

    def _let_in(self, address: str, team: Team, who: Hashable, stream: socket.socket) -> None:
        """Let a team in unless it comes too early. `who` is what its attempts are counted by."""
        if early := self._attempts.early(who, monotonic()):
            stream.close()
            self._report(address, team, early)
            return
        try:
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _keep_alive(stream)
            stream.send(frame(self._game.greeting(team.id)))
        except OSError:  # it has disconnected again
            stream.close()
            return
        try:
            self._welcome(team, stream)
        except Exception:
            stream.close()
            raise

    def _give_up(self, guest: _Guest) -> None:
        if guest.leaving:
            self._dismiss(guest)
        else:
            self._refuse(guest, "did not say who it is")

    def _refuse(self, guest: _Guest, why: str, message: str = UNKNOWN) -> None:
        """Send `message`, and close only after it was read: what the client still sends would reset the connection."""
        now = monotonic()
        self._report(guest.address, None, why)
        if self._attempts.early(guest.address, now):
            self._dismiss(guest)
            return
        guest.leaving, guest.ends = True, now + LEAVE
        try:
            guest.stream.send(frame(self._game.refusal(guest.address, message)))
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
    """Notice within half a minute that a machine has disappeared."""
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):
            stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _token(body: bytes) -> str:
    """Return the token of a login; blank for everything else."""
    try:
        message = read_object(body)
    except Fault:
        return ""
    token = message.get("token")
    return token if message.get("type") == "login" and type(token) is str else ""


def plain(host: str) -> str:
    """Return an address in the form in which it is registered, IPv4 in its own."""
    address = ip_address(host.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
