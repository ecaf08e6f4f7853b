"""What the referee talks to: a bot's process over pipes, a house player.

A participant plays one seat of one game at a time: `begin`, then `tell` and `decide` as the game goes, `finish` when
nothing more will be asked, and `close` whatever happened. A bot's mistakes come out of `decide` as `Fault`, ours out of
any method as `MachineryError`.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import NamedTuple, Protocol

from games.debug import LIMIT, DebugLog
from games.engine import Action, Event, Fault, FaultKind, Game, House, MachineryError, Options, Seat, Wire
from games.engine import Player as HouseBot
from games.programs import Process, Program

FLOOD = 64 * 1024
"""More bytes than this that are not an answer are the fault `output`."""

GRACE = 1.0
"""Seconds in which a process must end after its last input, before it is killed."""

_CHUNK = 64 * 1024


class Decision(NamedTuple):
    """What a participant decided, perhaps against the rules of the game."""

    action: Action
    ms: float  # wall clock
    cpu_ms: float | None  # all processor time since this participant's last decision, where known
    answer: bytes | None  # as the bot wrote it


class Participant(Protocol):
    """One player of a match, as the referee sees it. `place` is the index of the next event in the record."""

    debug: DebugLog

    def begin(self, game: Game, seat: Seat, options: Options, random: Random) -> None:
        """Take a seat in a new game. `random` is for house players."""

    def tell(self, event: Event) -> None:
        """An event that this seat may see."""

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        """Decide for the seat, which is in turn. Raises Fault."""

    def finish(self) -> None:
        """The game is over for this seat: send what is owed and the end of input, do not wait."""

    def close(self, place: int, grace: float = GRACE) -> None:
        """End everything `begin` started, at the latest after `grace` seconds. Idempotent."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A player of a match: its name, the record's `bot` (a file name or `house:NAME`), and the participant."""

    name: str
    bot: str
    player: Participant


class HousePlayer:
    """One of the house's own bots."""

    def __init__(self, house: House) -> None:
        self.debug = DebugLog(0)
        self._house = house
        self._bot: HouseBot

    def begin(self, game: Game, seat: Seat, options: Options, random: Random) -> None:
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
        return Decision(action, ms, None, None)

    def finish(self) -> None:
        """Nothing is owed."""

    def close(self, place: int, grace: float = GRACE) -> None:
        """Nothing was started."""


class ProcessPlayer:
    """A bot that runs as one process for each game and is spoken to in lines over its standard input and output.

    What the bot is told is kept and written together with its next question, in one piece. The bot may be slow, dead,
    mute or deaf: nothing here blocks longer than the question's deadline, whatever it does with its three streams.
    Line k answers question k, whenever it arrives: lines written ahead wait for their question, a line that comes
    after its question was given up is dropped.
    """

    def __init__(self, program: Program, *, startup: float = 5.0, debug_limit: int = LIMIT) -> None:
        self.debug = DebugLog(debug_limit)
        self._program = program
        self._startup = startup
        self._process: Process | None = None

    def begin(self, game: Game, seat: Seat, options: Options, random: Random) -> None:
        self._game = game
        self._options = options
        self._wire: Wire = game.wire(seat, options)
        self.tell = self._wire.tell  # type: ignore[method-assign]  # saves a call for every event
        self._allowance = self._startup  # extra seconds for the first answer
        self._unsent = b""
        self._unread = b""  # written by the bot and not yet an answer
        self._late = 0  # lines still due for questions that were given up
        self._gone: Fault | None = None  # every further question is answered by this
        self._cpu = 0.0
        self._process = process = self._program.start()
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._deaf = False  # it closed its input

    def tell(self, event: Event) -> None:
        self._wire.tell(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        question, lines = self._wire.question()
        seconds = self._game.seconds(self._options, lines) + self._allowance
        self._allowance = 0.0
        started = perf_counter()
        try:
            line = self._ask(question, started, seconds, place)
        except Fault:
            self._late += 1
            raise
        ms = 1000 * (perf_counter() - started)
        action = self._wire.parse(line)
        assert self._process is not None
        cpu = self._process.cpu_seconds()
        if cpu is None:
            return Decision(action, ms, None, line)
        used, self._cpu = cpu - self._cpu, cpu
        return Decision(action, ms, 1000 * used, line)

    def finish(self) -> None:
        if self._process is not None:
            self._send(self._wire.farewell())
            self._process.close_input()

    def close(self, place: int, grace: float = GRACE) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.close_input()
        started = perf_counter()
        self._drain(place, grace)
        process.stop(max(0.0, grace - (perf_counter() - started)))

    # Speaking to the process

    def _ask(self, question: bytes, started: float, seconds: float, place: int) -> bytes:
        """Send a question and wait for its line, without the line end. Raises Fault."""
        if self._gone is not None and b"\n" not in self._unread:
            raise self._gone
        self._send(question)
        left = seconds
        if self._unread:
            self._attend(0, place)  # for what it wrote to standard error
        while True:
            line, end, rest = self._unread.partition(b"\n")
            if len(line) > FLOOD:
                raise self._flooded(line)
            if end:
                self._unread = rest
                if not self._late:
                    return line
                self._late -= 1
                continue
            if self._gone is not None:
                raise self._gone
            if left <= 0:
                raise self._timeout()
            self._attend(left, place)
            left = started + seconds - perf_counter()

    def _send(self, data: bytes) -> None:
        """Write what the pipe takes now; the rest follows when the bot reads."""
        if self._deaf:
            return
        if self._unsent:
            data = self._unsent + data
        try:
            sent = os.write(self._stdin, data)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            self._deaf = True  # it may still answer: lines written ahead count
            sent = len(data)
        if sent < len(data) or self._unsent:
            self._unsent = data[sent:]
            if self._unsent:
                self._poll.register(self._stdin, select.POLLOUT)
            else:
                self._poll.unregister(self._stdin)

    def _attend(self, seconds: float, place: int) -> None:
        """Wait until the bot wrote or read something, and move it along."""
        for fd, _ in self._poll.poll(1000 * seconds):
            if fd == self._stdout:
                data = os.read(fd, _CHUNK)
                if data:
                    self._unread += data
                else:
                    self._poll.unregister(fd)
                    self._gone = self._left(place)
            elif fd == self._stderr:
                self._listen(place)
            else:
                self._send(b"")

    def _listen(self, place: int) -> bool:
        """Keep a piece of standard error; False at its end."""
        try:
            data = os.read(self._stderr, _CHUNK)
        except BlockingIOError:
            return True
        if data:
            self.debug.add(place, data)
            return True
        self._poll.unregister(self._stderr)
        return False

    def _drain(self, place: int, seconds: float) -> None:
        """Keep what comes on standard error until it is closed, at most that long."""
        poll = select.poll()
        poll.register(self._stderr, select.POLLIN)
        deadline = perf_counter() + seconds
        left = seconds
        while poll.poll(max(0.0, 1000 * left)):
            data = os.read(self._stderr, _CHUNK)
            if not data:
                return
            self.debug.add(place, data)
            left = deadline - perf_counter()
            if left < 0:
                return

    # What went wrong

    def _left(self, place: int) -> Fault:
        """The bot's output has ended: wait a moment for the reason."""
        assert self._process is not None
        started = perf_counter()
        self._drain(place, GRACE)
        end = self._process.ended(max(0.0, GRACE - (perf_counter() - started)))
        fault = end.fault() if end else Fault(FaultKind.CRASH, "closed its output")
        partial = self._unread.rpartition(b"\n")[2]
        if partial and fault.kind is FaultKind.CRASH:
            return Fault(fault.kind, f"{fault.detail.removesuffix(' without an answer')} in the middle of a line", partial)
        return fault

    def _flooded(self, line: bytes) -> Fault:
        self._gone = Fault(FaultKind.OUTPUT, f"wrote more than {FLOOD} bytes that are not an answer", line[:200])
        self._unread = b""
        return self._gone

    def _timeout(self) -> Fault:
        assert self._process is not None
        end = self._process.ended(0)
        if end is not None:  # something it started holds its output open
            self._gone = end.fault()
            return self._gone
        if self._unread:
            return Fault(FaultKind.TIMEOUT, "did not end its line in time", self._unread)
        if self._unsent:
            return Fault(FaultKind.TIMEOUT, "did not answer in time, and did not read its input")
        return Fault(FaultKind.TIMEOUT, "did not answer in time")


PROTOCOLS: dict[str, Callable[[Program], Participant]] = {"lines": ProcessPlayer}
"""How a bot is spoken to, by `Game.protocol`."""
