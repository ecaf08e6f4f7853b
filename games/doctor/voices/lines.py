"""The voice for programs that read and write lines for as long as a game or a match lasts."""

from __future__ import annotations

from time import perf_counter
from typing import cast

from games.doctor.session import Session
from games.doctor.visit import QUIET, Exchange, Manner, Patient, Visit, judged
from games.engine import Action, Event, Options, Seat, Setting, State, Wire
from games.routines import RoutineWire

WARMING = 0.3
"""Seconds in which a program that was just started may print something before it is asked."""


class LineVoice:
    """One process and its lines."""

    def __init__(self, patient: Patient, manner: Manner) -> None:
        self.visit = Visit(manner)
        self._patient = patient
        self._manner = manner
        self._session: Session | None = None
        self._wire: Wire | None = None
        self._asked = 0

    def begin(self, seat: Seat, options: Options, setting: Setting) -> None:
        game = self._patient.game
        self._options = options
        self._wire = game.wire(seat, options, setting, self._wire)
        if self._session is None:
            self._session = Session(self._patient.program.start(), self.visit)

    def tell(self, event: Event) -> None:
        assert self._wire is not None
        self._wire.tell(event)

    def ask(self, state: State) -> Action | None:
        assert self._wire is not None
        if self._asked == self._manner.answers:
            return None
        question, lines = self._wire.question()
        exchange = self.put(question, self._patient.game.seconds(self._options, lines))
        self._asked += 1
        return judged(exchange, self._wire.parse, state)

    def put(self, question: bytes, seconds: float, *, free: bool = False) -> Exchange:
        """Put a question and note everything that comes, until a moment after the answer."""
        session, patient = self._session, self._patient
        assert session is not None
        *news, last = question.splitlines(keepends=True)
        exchange = Exchange(sent=last.decode("ascii", "backslashreplace"), free=free)
        first = not self.visit.exchanges
        exchange.limit = seconds + (patient.startup if first else 0.0)
        self.visit.exchanges.append(exchange)
        if first:
            session.rest(WARMING)
        if self._manner.in_pieces and news:
            self._send(b"".join(news))
            session.rest(QUIET)
        exchange.early = session.lines()
        started = perf_counter()
        self._send(last if self._manner.in_pieces else question)
        if session.wait(lambda: b"\n" in session.output, exchange.limit, patient.patience):
            exchange.seconds = perf_counter() - started
            session.rest()
            exchange.came = session.lines()
            exchange.rest = bytes(session.output)
        else:
            exchange.seconds = perf_counter() - started
            self._give_up(session, exchange)
        return exchange

    def _send(self, data: bytes) -> None:
        assert self._session is not None
        self._session.send(data.replace(b"\n", self._manner.line_end))

    def _give_up(self, session: Session, exchange: Exchange) -> None:
        """See what it does when nothing more can come."""
        exchange.silent = True
        exchange.exit = session.ended()
        if exchange.exit is None and session.output_open:
            exchange.busy = session.busy()
            partial = bytes(session.output)
            session.finish(self._patient.patience)
            exchange.late = [line for line in (*session.lines(), bytes(session.output)) if line]
            exchange.rest = partial
        else:
            exchange.rest = bytes(session.output)

    def farewell(self) -> bytes:
        assert self._wire is not None
        return self._wire.farewell()

    def end(self) -> None:
        session = self._session
        if session is None:
            return
        if not self.visit.spoilt:
            self._send(self.farewell())
            self.visit.ended = session.finish(self._patient.patience)
        else:
            session.process.stop(0.0)


class RoutineVoice(LineVoice):
    """For programs whose routines a harness calls: its lines, with a greeting and an end of their own."""

    def ask(self, state: State) -> Action | None:
        if not self.visit.exchanges:
            wire = cast(RoutineWire, self._wire)
            greeting = self.put(wire.greeting(), 0.0, free=True)
            greeting.readable = [True] * (len(greeting.early) + len(greeting.came))
            if greeting.spoilt:
                return None
        return super().ask(state)

    def end(self) -> None:
        if not self.visit.spoilt and self.visit.exchanges and self._manner.answers is None:
            question, lines = cast(RoutineWire, self._wire).ending()
            ending = self.put(question, self._patient.game.seconds(self._options, lines), free=True)
            ending.readable = [True] * (len(ending.early) + len(ending.came))
        super().end()
