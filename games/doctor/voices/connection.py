"""The voice for programs that are TCP clients."""

from __future__ import annotations

import socket
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import cast

from games.doctor.session import Session
from games.doctor.visit import QUIET, Exchange, Manner, Patient, Visit, judged
from games.engine import Action, Event, Options, Seat, Setting, State
from games.frames import BadLength, Frames, frame, read_object
from games.programs import Client
from games.sockets import SocketWire

_CHUNK = 64 * 1024


class ConnectionVoice:
    """One client and its connection."""

    def __init__(self, patient: Patient, manner: Manner) -> None:
        self.visit = Visit(manner)
        self._patient = patient
        self._manner = manner
        self._session: Session | None = None
        self._stream: socket.socket | None = None
        self._frames = Frames()
        self._raw = b""  # what came since the last whole message
        self._messages: list[bytes] = []
        self._spoilt = False  # it announced a message of an impossible length
        self._number = 0

    def begin(self, seat: Seat, options: Options, setting: Setting) -> None:
        self._wire = cast(SocketWire, self._patient.game.wire(seat, options, setting))
        if self._session is None:
            self._start()

    def _start(self) -> None:
        program, patient = cast(Client, self._patient.program), self._patient
        listeners = program.listeners
        self.visit.address = " ".join(map(str, listeners[0].getsockname()[:2]))
        self._session = session = Session(program.start(), self.visit)
        for listener in listeners:
            session.watch(listener.fileno(), partial(self._accept, listener))
        self.visit.connected = session.wait(lambda: self._stream is not None, patient.startup, patient.startup)
        if self.visit.connected:
            self._send(self._wire.greeting)
        else:
            self.visit.ended = session.ended()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            stream, _ = listener.accept()
            if self._stream is not None:
                self._hang_up()
            stream.setblocking(False)
            self._stream = stream
            assert self._session is not None
            self._session.watch(stream.fileno(), self._hear)

    def _hang_up(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None and self._session is not None:
            self._session.unwatch(stream.fileno())
            stream.close()

    def _hear(self) -> None:
        assert self._stream is not None
        try:
            data = self._stream.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._hang_up()
            return
        self._raw += data
        try:
            found = self._frames.add(data)
        except BadLength:
            found = []
        self._spoilt = self._spoilt or self._frames.spoilt
        if found and not self._frames.unfinished:
            self._raw = b""
        self._messages += found

    def _send(self, body: bytes) -> None:
        if self._stream is not None:
            with suppress(OSError):
                self._stream.sendall(frame(body))

    def tell(self, event: Event) -> None:
        self._wire.tell(event)
        for body in self._wire.owed:
            self._send(body)
        self._wire.owed.clear()

    def ask(self, state: State) -> Action | None:
        session, wire = self._session, self._wire
        assert session is not None
        if self._number == self._manner.answers:
            return None
        self._number += 1
        request = wire.request(self._number, wire.clock.left)
        exchange = Exchange(sent=request.decode("ascii"), limit=wire.clock.left)
        if not self.visit.exchanges:
            session.rest(QUIET)
        exchange.early, self._messages = self._messages, []
        self.visit.exchanges.append(exchange)
        started = perf_counter()
        self._send(request)
        came = session.wait(lambda: bool(self._messages) or self._spoilt, exchange.limit, self._patient.patience)
        exchange.seconds = perf_counter() - started
        if came and not self._spoilt:
            session.rest()
        exchange.came, self._messages = self._messages, []
        exchange.rest = self._raw
        exchange.silent = not exchange.came
        if exchange.silent:
            exchange.exit = session.ended()
            exchange.busy = exchange.exit is None and session.busy()
        return judged(exchange, lambda body: wire.answer(read_object(body), self._number, body), state)

    def end(self) -> None:
        """Nothing in the protocol tells a client to end."""
        self._hang_up()
        if self._session is not None:
            self.visit.ended = self.visit.ended or self._session.ended()
            self._session.process.stop(0.0)
