"""What the referee talks to: a bot's process over pipes, a house player.

A participant plays one seat of one game at a time: `begin`, then `tell` and `decide` as the game goes, `finish` when
nothing more will be asked (after a game, or after the last of them where `Game.lasting`), and `close` whatever
happened. A bot's mistakes come out of `decide` as `Fault`, ours out of
any method as `MachineryError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from time import perf_counter
from typing import Protocol

from games.debug import LIMIT, DebugLog
from games.engine import Action, Event, Game, House, MachineryError, Options, Seat, Setting, Wire
from games.engine import Player as HouseBot
from games.pipes import GRACE, LinePipes
from games.programs import Program
from games.questions import QuestionPlayer
from games.routines import RoutinePlayer
from games.sockets import SocketPlayer

Decision = tuple[Action, float, float | None, bytes | None]
"""What a participant decided, perhaps against the rules of the game: the action, the milliseconds it took by the wall
clock, the processor milliseconds since its last decision where known, and the answer as a bot wrote it."""


THINKING = 1.0
"""Milliseconds: a bot that takes longer for a decision is worth having its processor time read."""


class Participant(Protocol):
    """One player of a match, as the referee sees it. `place` is the index of the next event in the record."""

    debug: DebugLog

    def introduce(self, game: Game) -> str:
        """The bot's own name, where the game asks for it (`Game.introduction`); blank when it has none. Never a fault.

        Called at most once, before the first game."""

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        """Take a seat in a new game. `random` is for house players."""

    def tell(self, event: Event) -> None:
        """An event that this seat may see."""

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        """Decide for the seat, which is in turn. Raises Fault."""

    def listen(self, place: int) -> None:
        """Between two hands: keep what it wrote to standard error so far, so that its pipe does not fill up."""

    def settle(self, place: int) -> float:
        """The game has ended: processor milliseconds that no decision holds (`Game.exact_cpu`). Never a fault."""

    def finish(self) -> None:
        """Nothing more will be asked: send what is owed and the end of input, do not wait."""

    def close(self, place: int, grace: float = GRACE) -> None:
        """End everything `begin` started, at the latest after `grace` seconds. Idempotent."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A player of a match: its name, the record's `bot` (a file name or `house:NAME`), and the participant."""

    name: str
    bot: str
    player: Participant
    id: int | None = None  # the same throughout a tournament; None: its number among the players


class HousePlayer:
    """One of the house's own bots."""

    def __init__(self, house: House) -> None:
        self.debug = DebugLog(0)
        self._house = house
        self._bot: HouseBot

    def introduce(self, game: Game) -> str:
        return ""

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._bot = self._house.make(seat, options, random)

    def tell(self, event: Event) -> None:
        self._bot.tell(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        choices = legal()
        started = perf_counter()
        action = self._bot.choose(choices)
        ms = 1000 * (perf_counter() - started)
        if action not in choices:
            raise MachineryError(f"the house player {self._house.name} chose {action!r} among {choices!r}")
        return action, ms, None, None

    def listen(self, place: int) -> None:
        """It says nothing."""

    def settle(self, place: int) -> float:
        return 0.0

    def finish(self) -> None:
        """Nothing is owed."""

    def close(self, place: int, grace: float = GRACE) -> None:
        """Nothing was started."""


class ProcessPlayer:
    """A bot that runs as one process and is spoken to in lines over its standard input and output.

    The process is started for each game, or once for all of them where `Game.lasting`.

    What the bot is told is kept and written together with its next question, in one piece. Its processor time is known
    after the first decision (but for its start) that takes a millisecond or more: reading another process's clock costs
    a twentieth of the round trip with a bot that answers at once, and of such a bot nobody wants to know.
    """

    tell: Callable[[Event], None]
    """The wire's own of the current game: that saves a call for every event."""

    def __init__(self, program: Program, *, startup: float = 5.0, debug_limit: int = LIMIT) -> None:
        self.debug = DebugLog(debug_limit)
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
        self._processor: float | None = None  # seconds used up to its last decision, once it is worth knowing
        process = self._program.start()
        self._cpu_seconds = process.cpu_seconds
        self._pipes = LinePipes(process, self.debug)
        self._ask = self._pipes.ask

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        question, lines = self._question()
        starting, self._allowance = self._allowance, 0.0
        started = perf_counter()
        line = self._ask(question, started, self._seconds(lines) + starting, place)
        ms = 1000 * (perf_counter() - started)
        action = self._parse(line)
        if self._processor is None and (ms < THINKING or starting):
            return action, ms, None, line
        return action, ms, self._processor_ms(), line

    def _processor_ms(self) -> float | None:
        """What the process has used since its last decision; None the first time, or when it cannot be known."""
        before, self._processor = self._processor, self._cpu_seconds()
        if before is None or self._processor is None:
            return None
        return 1000 * (self._processor - before)

    def listen(self, place: int) -> None:
        if self._pipes is not None:
            self._pipes.listen(place)

    def settle(self, place: int) -> float:
        return 0.0

    def finish(self) -> None:
        if self._pipes is not None:
            self._pipes.finish(self._farewell())

    def close(self, place: int, grace: float = GRACE) -> None:
        pipes, self._pipes, self._wire = self._pipes, None, None
        if pipes is not None:
            pipes.close(place, grace)


class Speaker(Protocol):
    """Makes the participant that speaks to a program in one of the protocols."""

    def __call__(self, program: Program, *, startup: float = ..., debug_limit: int = ...) -> Participant: ...


PROTOCOLS: dict[str, Speaker] = {
    "lines": ProcessPlayer,
    "question": QuestionPlayer,
    "routines": RoutinePlayer,
    "socket": SocketPlayer,
}
"""How a bot is spoken to, by `Game.protocol`."""
