"""The protocol `question`: every question starts a new process of the bot.

The process reads the whole question and the end of its input. All that it prints is the answer. What was written
completely counts, whatever happens to the process afterwards. Its exit status does not matter, and a process that dies
or is still busy when its time is up has answered if it has printed whole lines that are an answer. Only forbidden
system calls and floods are faults in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from random import Random
from time import perf_counter

from games.debug import LIMIT, DebugLog
from games.engine import Action, Event, Fault, FaultKind, Game, Options, Seat, Setting, Wire
from games.participants import Decision, PassiveParticipant
from games.programs import Answer, ExitStatus, Program

KEPT = 1000
"""Bytes of a failed answer that are kept."""


class QuestionPlayer(PassiveParticipant):
    """A bot that answers every question in a process of its own and carries nothing over from one to the next.

    Starting counts as thinking, so every question has the allowance for it.
    """

    tell: Callable[[Event], None]
    """The wire's own method of the current game: this saves a call for every event."""

    def __init__(self, program: Program, *, startup: float = 5.0, debug_limit: int = LIMIT) -> None:
        self.debug = DebugLog(debug_limit, program.box)
        self._program = program
        self._startup = startup

    def introduce(self, game: Game) -> str:
        assert game.introduction is not None
        answer = self._put(game.introduction, game.seconds(game.options(), 1), 0)
        try:
            return game.read_name(completed(answer))
        except Fault:  # a missing name costs nothing
            return ""

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._seconds = cache(partial(game.seconds, options))
        self._wire: Wire = game.wire(seat, options, setting)
        self.tell = self._wire.tell

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        question, lines = self._wire.question()
        started = perf_counter()
        answer = self._put(question, self._seconds(lines), place)
        ms = 1000 * (perf_counter() - started)
        action = read(answer, self._wire.parse)
        return Decision(action, ms, 1000 * answer.exit.cpu_seconds, answer.output.rstrip())

    def _put(self, question: bytes, seconds: float, place: int) -> Answer:
        answer = self._program.ask(question, seconds=seconds + self._startup)
        if answer.errors:
            self.debug.add(place, answer.errors)
        return answer


def read(answer: Answer, parse: Callable[[bytes], Action]) -> Action:
    """Return what was answered. Raises Fault. When an answer cannot be read, how the process ended says more than
    that."""
    output = completed(answer)
    try:
        return parse(output)
    except Fault as fault:
        raise _failure(answer) or fault from None


def completed(answer: Answer) -> bytes:
    """Return what a process printed, if it counts. Raises Fault."""
    end, output = answer.exit, answer.output
    if end.status in (ExitStatus.VIOLATION, ExitStatus.OUTPUT):
        raise _with_answer(end.fault(), output)
    failure = _failure(answer)
    if failure is not None and not output.endswith(b"\n"):
        raise failure
    if not output:
        raise end.fault()
    return output


def _failure(answer: Answer) -> Fault | None:
    """Return why a process did not end by itself, or None when it did."""
    if answer.exit.status is ExitStatus.EXITED:
        return None
    partial_line = bool(answer.output) and not answer.output.endswith(b"\n")
    if answer.timed_out:
        detail = "did not end its line in time" if partial_line else "did not answer in time"
        return _with_answer(Fault(FaultKind.TIMEOUT, detail), answer.output)
    fault = answer.exit.fault()
    if partial_line and fault.kind is FaultKind.CRASH:
        fault = Fault(fault.kind, f"{fault.detail} in the middle of a line")
    return _with_answer(fault, answer.output)


def _with_answer(fault: Fault, output: bytes) -> Fault:
    return Fault(fault.kind, fault.detail, output[:KEPT].rstrip() or None)
