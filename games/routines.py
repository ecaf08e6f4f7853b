"""The protocol `routines`: one process for a whole match, with its clock read around every question.

Such a bot is charged for its own routines. It is not charged for starting, or for the reading, writing and waking up
between them and us. Only a harness in the bot's own process can tell these apart, and its word need not be believed. So
two clocks are read: the kernel's clock of the whole process, with all threads, which cannot be forged; and the
harness's own report in the answer. The report counts as long as the rest is no more than a harness needs (`Meter`). A
bot that reports too little, or thinks in another thread or after its answer, is charged for all the rest. So is one
that reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from random import Random
from time import perf_counter
from typing import Protocol, cast

from games.debug import LIMIT, DebugLog
from games.engine import Action, Event, Fault, Game, Options, Seat, Setting, Wire
from games.participants import Decision
from games.pipes import LinePipes
from games.programs import GRACE, Program

HARNESS_MS = 0.03
"""Processor milliseconds that a harness may need for a question, on average. Ours in C and Pascal take 0.006, and ours
in Python takes 0.023."""

SLACK_MS = 0.3
"""What it did not need for earlier questions is saved for later ones, up to this: now and then a page is loaded or an
interrupt is handled."""


class RoutineWire(Wire, Protocol):
    """The protocol of such a bot."""

    reported: float | None
    """Processor milliseconds by the report in the last answer."""

    def greeting(self) -> bytes:
        """Return the first question to a process, for which none of the bot's own routines is called."""

    def bare(self, line: bytes) -> bytes:
        """Return an answer as people are shown it, without its report."""

    def ending(self) -> tuple[bytes, int]:
        """Return all bytes owed at the end of a game, ending with a question, and the number of lines. Nothing is
        reported until `settled` has the answer."""

    def settled(self, line: bytes) -> None:
        """Take the answer to `ending`."""


class Meter:
    """Compares one process's two clocks, answer by answer."""

    def __init__(self) -> None:
        self._slack = SLACK_MS

    def charge(self, used: float, reported: float | None) -> float:
        """Return what the bot is charged, of the milliseconds `used` by the kernel's clock and those `reported` to
        us."""
        self._slack = min(self._slack + HARNESS_MS, SLACK_MS)
        free = min(max(used - (reported or 0.0), 0.0), self._slack)
        self._slack -= free
        return used - free


class RoutinePlayer:
    """A bot whose routines are called through the line protocol of its harness."""

    def __init__(self, program: Program, *, startup: float = 5.0, debug_limit: int = LIMIT) -> None:
        self.debug = DebugLog(debug_limit, program.box)
        self._program = program
        self._startup = startup
        self._pipes: LinePipes | None = None
        self._wire: RoutineWire | None = None

    def introduce(self, game: Game) -> str:
        return ""

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._seconds = cache(partial(game.seconds, options))
        self._seat = seat
        self._wire = cast(RoutineWire, game.wire(seat, options, setting, self._wire))
        self._last = self._lost = 0.0  # milliseconds of the last answer, and of answers without a decision
        if self._pipes is None:
            process = self._program.start()
            self._clock = process.cpu_seconds
            self._pipes = LinePipes(process, self.debug)
            self._meter = Meter()
            self._used = 0.0  # processor seconds up to the last answer
            self._greeted = False

    def tell(self, event: Event) -> None:
        assert self._wire is not None
        if event["event"] == "fault" and event["seat"] == self._seat:
            self._lost += self._last
        self._wire.tell(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        assert self._pipes is not None
        assert self._wire is not None
        self._last = 0.0
        if not self._greeted:
            self._greet(self._pipes, self._wire.greeting(), place)
        question, lines = self._wire.question()
        started = perf_counter()
        line = self._pipes.ask(question, started, self._seconds(lines), place)
        ms = 1000 * (perf_counter() - started)
        try:
            action = self._wire.parse(line)  # after a fault the clock runs on: the next answer brings its time
        except Fault as fault:
            raise self._pipes.told(fault) from None
        self._last = self._meter.charge(self._processor_ms(), self._wire.reported)
        spent, self._lost = self._last + self._lost, 0.0
        return Decision(action, ms, spent, self._wire.bare(line))

    def _greet(self, pipes: LinePipes, greeting: bytes, place: int) -> None:
        """Wait until it has started, which is not charged."""
        pipes.ask(greeting, perf_counter(), self._startup, place)
        self._greeted = True
        self._processor_ms()

    def _processor_ms(self) -> float:
        """Return what the process has used since this was last asked. Where nobody can tell, as on macOS and Windows,
        or of a bot that has died, it is what the harness reports."""
        before, now = self._used, self._clock()
        if now is None:
            assert self._wire is not None
            return self._wire.reported or 0.0
        self._used = now
        return 1000 * (now - before)

    def flush(self) -> None:
        """It is told with its next question."""

    def listen(self, place: int) -> None:
        if self._pipes is not None:
            self._pipes.listen(place)

    def settle(self, place: int) -> float:
        """Ask for the end of the game, so that the last results are handled within the time that is measured.

        A fault here has no decision to belong to: the next question meets it again.
        """
        if self._pipes is None or self._wire is None or not self._greeted:
            return 0.0
        question, lines = self._wire.ending()
        with suppress(Fault):
            self._wire.settled(self._pipes.ask(question, perf_counter(), self._seconds(lines), place))
        return self._lost + self._meter.charge(self._processor_ms(), self._wire.reported)

    def finish(self) -> None:
        if self._pipes is not None and self._wire is not None:
            self._pipes.finish(self._wire.farewell())

    def close(self, place: int, grace: float = GRACE) -> None:
        pipes, self._pipes, self._wire = self._pipes, None, None
        if pipes is not None:
            pipes.close(place, grace)
