"""What was noted while a program was examined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from games.engine import Action, Fault, FaultKind, Game, State
from games.programs import Exit, Program

QUIET = 0.03
"""Seconds after an answer in which a second one is waited for."""

PATIENCE = 3.0
"""Seconds for which a program may do nothing at all before it is given up."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How the questions are put."""

    line_end: bytes = b"\n"
    in_pieces: bool = False  # the news first, and the question a moment later
    answers: int | None = None  # after so many answers, its input ends; None: after the example


@dataclass(frozen=True, slots=True)
class Patient:
    """A program, and what is known about it."""

    game: Game
    program: Program
    language: str = ""  # of its entry (games.toolchains); blank: an executable
    names: Mapping[str, str] = field(default_factory=dict)  # its files, for games.explaining
    patience: float = PATIENCE
    startup: float = 5.0  # seconds that it may take for starting


@dataclass(slots=True)
class Exchange:
    """One question, and everything that came before the next one."""

    sent: str  # the question, as people read it
    free: bool = False  # any answer will do
    early: list[bytes] = field(default_factory=list)  # what was there before the question
    came: list[bytes] = field(default_factory=list)  # lines or messages after it; the first is the answer
    readable: list[bool] = field(default_factory=list)  # of `early` and `came`: whether it is an answer
    rest: bytes = b""  # a line or a message without its end
    late: list[bytes] = field(default_factory=list)  # what came only when its input had ended
    seconds: float = 0.0  # until the first answer, or until we gave up
    limit: float = 0.0  # seconds that it may take
    silent: bool = False  # no answer came
    busy: bool = False  # it was computing when we gave up
    fault: Fault | None = None  # of its first answer
    exit: Exit | None = None  # the program ended instead of answering

    @property
    def unasked(self) -> list[tuple[bytes, bool]]:
        """What was there before the question, and whether it can be read as an answer."""
        return list(zip(self.early, self.readable, strict=False))

    @property
    def answers(self) -> list[tuple[bytes, bool]]:
        """What came after the question, and whether it can be read as an answer."""
        return list(zip(self.came, self.readable[len(self.early) :], strict=True))

    @property
    def spoilt(self) -> bool:
        """Whether nothing can be played after it."""
        unexpected = self.early or len(self.came) > 1 or self.rest
        return bool(self.silent or self.fault or self.exit or unexpected)


@dataclass(slots=True)
class Visit:
    """All exchanges with one process, or with one process for each question."""

    manner: Manner
    exchanges: list[Exchange] = field(default_factory=list)
    errors: bytearray = field(default_factory=bytearray)  # the first of its standard error
    flooded: bool = False  # it wrote more than a referee takes
    ended: Exit | None = None  # after its input had ended; None: it went on
    connected: bool = True
    address: str = ""  # where it had to connect

    @property
    def last(self) -> Exchange | None:
        return self.exchanges[-1] if self.exchanges else None

    @property
    def spoilt(self) -> bool:
        return not self.connected or any(each.spoilt for each in self.exchanges)

    @property
    def stderr(self) -> str:
        return self.errors.decode("utf-8", "backslashreplace")


Parse = Callable[[bytes], Action]


def judged(exchange: Exchange, parse: Parse, state: State) -> Action | None:
    """Note what can be read in an exchange, and return the action of its first answer if it is legal."""
    exchange.readable = [can_be_read(parse, line) for line in (*exchange.early, *exchange.came)]
    if not exchange.came:
        return None
    line = exchange.came[0]
    try:
        action = parse(line)
        if not state.is_legal(action):
            raise Fault(FaultKind.ILLEGAL, state.objection(action), line)
    except Fault as fault:
        exchange.fault = fault
        return None
    return None if exchange.spoilt else action


def can_be_read(parse: Parse, line: bytes) -> bool:
    """Whether a line has the form of an answer. It need not be allowed now."""
    try:
        parse(line)
    except Fault as fault:
        return fault.kind is not FaultKind.GARBLED
    return True
