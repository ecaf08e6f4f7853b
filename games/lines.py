"""The protocol `lines`: a bot is one process and answers questions line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from random import Random
from time import perf_counter
from typing import Protocol, runtime_checkable

from games.debug import LIMIT, DebugLog
from games.engine import Action, Event, Fault, FaultKind, Game, Options, Seat, Setting, Wire
from games.participants import Decided
from games.pipes import LinePipes
from games.programs import GRACE, Program

THINKING = 1.0
"""Milliseconds. Processor time is read only for bots that take at least this long for a decision."""


@runtime_checkable
class Accounting(Protocol):
    """A wire that knows where its bot's time went."""

    def account(self) -> str:
        """Return that for the bot's owner, in lines. Blank when there is nothing to tell."""


class ProcessPlayer:
    """A bot that runs as one process and reads and writes lines on its standard input and output.

    The process is started for each game, or once for all of them where `Game.lasting`.

    What the bot is told is kept and written together with its next question, in one piece. Its processor time is known
    after the first decision (other than its start) that takes a millisecond or more. Reading another process's clock
    costs a twentieth of the round trip with a bot that answers at once, and nobody asks about the time of such a bot.
    """

    tell: Callable[[Event], None]
    """The wire's own method of the current game: this saves a call for every event."""

    def __init__(self, program: Program, *, startup: float = 5.0, debug_limit: int = LIMIT) -> None:
        self.debug = DebugLog(debug_limit, program.box)
        self._program = program
        self._startup = startup
        self._pipes: LinePipes | None = None
        self._wire: Wire | None = None

    def introduce(self, game: Game) -> str:
        return ""

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._seconds = cache(partial(game.seconds, options))
        self._wire = wire = game.wire(seat, options, setting, self._wire)
        self.tell = wire.tell
        self._question, self._parse, self._farewell = wire.question, wire.parse, wire.farewell
        if self._pipes is None:
            self._start()

    def _start(self) -> None:
        self._allowance = self._startup  # extra seconds for the first answer
        self._processor: float | None = None  # seconds used up to its last decision, once worth knowing
        process = self._program.start()
        self._cpu_seconds = process.cpu_seconds
        self._pipes = LinePipes(process, self.debug)
        self._ask = self._pipes.ask

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decided:
        pipes = self._pipes
        assert pipes is not None
        question, lines = self._question()
        starting, self._allowance = self._allowance, 0.0
        started = perf_counter()
        line = self._ask(question, started, self._seconds(lines) + starting, place)
        ms = 1000 * (perf_counter() - started)
        try:
            action = self._parse(line)
        except Fault as fault:
            raise pipes.told(fault) from None
        if pipes.early and action not in legal():
            raise Fault(FaultKind.ILLEGAL, "answered before it was asked, and that is not allowed now", line)
        if self._processor is None and (ms < THINKING or starting):
            return action, ms, None, line, 0.0
        return action, ms, self._processor_ms(), line, 0.0

    def _processor_ms(self) -> float | None:
        """Return what the process has used since its last decision, or None the first time and when it cannot be
        known."""
        before, self._processor = self._processor, self._cpu_seconds()
        if before is None or self._processor is None:
            return None
        return 1000 * (self._processor - before)

    def flush(self) -> None:
        """It is told with its next question."""

    def listen(self, place: int) -> None:
        if self._pipes is not None:
            self._pipes.listen(place)

    def settle(self, place: int) -> float:
        return 0.0

    def finish(self) -> None:
        if self._pipes is not None:
            self._pipes.finish(self._farewell())

    def close(self, place: int, grace: float = GRACE) -> None:
        pipes, wire, self._pipes, self._wire = self._pipes, self._wire, None, None
        if pipes is not None:
            pipes.close(place, grace)
            if isinstance(wire, Accounting):
                self.debug.add(place, wire.account().encode())
