"""The voice for programs that are started anew for every question."""

from __future__ import annotations

from time import perf_counter

from games.doctor.session import Session
from games.doctor.visit import Exchange, Manner, Patient, Visit, can_be_read, judged
from games.engine import Action, Event, Options, Seat, Setting, State, Wire


class QuestionVoice:
    """A process for each question. All that it prints is its answer."""

    def __init__(self, patient: Patient, manner: Manner) -> None:
        self.visit = Visit(manner)
        self._patient = patient
        self._manner = manner

    def begin(self, seat: Seat, options: Options, setting: Setting) -> None:
        game = self._patient.game
        self._options = options
        self._wire: Wire = game.wire(seat, options, setting)
        if game.introduction is not None and not self.visit.exchanges:
            self._put(game.introduction, game.seconds(options, 1)).free = True

    def tell(self, event: Event) -> None:
        self._wire.tell(event)

    def ask(self, state: State) -> Action | None:
        if self.visit.spoilt or len(self.visit.exchanges) == self._manner.answers:
            return None
        question, lines = self._wire.question()
        exchange = self._put(question, self._patient.game.seconds(self._options, lines))
        action = judged(exchange, self._wire.parse, state)
        ended = self.visit.ended  # its exit status matters only where the answer is wrong
        if exchange.fault is not None and ended is not None and (ended.code or ended.signal):
            exchange.exit = ended
        self._tell_lines_apart(exchange)
        return action

    def _put(self, question: bytes, seconds: float) -> Exchange:
        patient = self._patient
        exchange = Exchange(sent=question.decode("ascii", "backslashreplace"), limit=seconds + patient.startup)
        self.visit.exchanges.append(exchange)
        session = Session(patient.program.start(), self.visit)
        started = perf_counter()
        session.send(question.replace(b"\n", self._manner.line_end))
        session.end_input()
        session.wait(lambda: False, exchange.limit, patient.patience)
        exchange.seconds = perf_counter() - started
        ended = session.ended()
        if ended is None:
            exchange.busy = session.busy()
            session.process.stop(0.0)
        self.visit.ended = ended
        output = bytes(session.output)
        exchange.came = [output] if output else []
        exchange.readable = [True] * len(exchange.came)
        exchange.silent = not output
        exchange.exit = ended if not output else None
        return exchange

    def _tell_lines_apart(self, exchange: Exchange) -> None:
        """Of an answer that cannot be read, note its lines one by one, because one of them may be the answer."""
        if exchange.fault is None or not exchange.came:
            return
        lines = [line for line in exchange.came[0].splitlines() if line.strip()]
        if len(lines) > 1:
            exchange.came = lines
            exchange.readable = [can_be_read(self._wire.parse, line) for line in lines]

    def end(self) -> None:
        """Every process has ended already."""
