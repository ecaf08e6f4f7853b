"""`dealer`, as the Even Steven problem prints it: games on standard input, their results on standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter
from typing import BinaryIO

from games import get, rng
from games.build import HOUSE, house_seated, program_of
from games.commands import JUDGED, PLAYED, Command
from games.engine import CHANCE, OVER, Event, Fault, FaultKind, Opening, OptionError, Options, Setting
from games.even_steven.judge import GamesError, parse_line
from games.even_steven.rules import AFTER_FAULT, UNNECESSARILY
from games.even_steven.wire import DEBUG
from games.players import Participant, ProcessPlayer
from games.programs import Program, pinned

USAGE = "dealer BOT [ARGUMENT...], and on standard input a line `N seed` for each game"


def dealer(words: Sequence[str]) -> int:
    """Run `dealer BOT [ARGS…]`: play the games of standard input to its end, or to a line that describes none.

    The exit status is 1 when the bot lost unnecessarily or made a fault. No more games are played then.
    """
    if not words:
        raise OptionError(f"name a bot to play: {USAGE}")
    options = get("even_steven").options()
    table = Dealer(sys.stdout.buffer, options)
    player = table.player = _player(words[0], words[1:], table)
    problems: list[tuple[int, str]] = []
    try:
        with pinned():
            for opening in _games(sys.stdin.buffer, problems):
                table.play(opening)
            table.end()
    except Fault as fault:
        answer = "" if fault.answer is None else f", and wrote {_shown(fault.answer)}"
        where = f"game {table.number}: " if table.playing else ""
        print(f"dealer: {where}{words[0]} {fault.detail}{answer} ({AFTER_FAULT[fault.kind]})", file=sys.stderr)
        return JUDGED
    finally:
        player.close(0, grace=0.0)
        sys.stderr.write("".join(piece.text for piece in player.debug.pieces()))
    if problems:
        raise GamesError(problems)
    return JUDGED if table.blundered else PLAYED


def _games(lines: Iterable[bytes], problems: list[tuple[int, str]]) -> Iterator[Opening]:
    """Yield the games of the input, each as soon as its line is read, up to the first bad line, which becomes a
    problem."""
    for number, line in enumerate(lines, 1):
        try:
            opening = parse_line(line.decode("utf-8", "backslashreplace"))
        except ValueError as error:
            problems.append((number, str(error)))
            return
        if opening:
            yield opening


class Dealer:
    """Deals to one player and writes what happens."""

    player: Participant

    def __init__(self, out: BinaryIO, options: Options) -> None:
        self.number = 0  # of the game
        self.playing = False
        self.blundered = False  # a game was lost unnecessarily
        self._out = out
        self._game = get("even_steven")
        self._options = options

    def play(self, opening: Opening) -> None:
        """Play the next game. Raises Fault."""
        self.number += 1
        self.write(b"Game %d" % self.number)
        self.playing = True
        setting = Setting((1,), 1, self.number)
        self.player.begin(
            self._game, 0, self._options, rng.Portable(opening["seed"], opening["cards"], self.number), setting
        )
        state = self._game.start(self._options, number=self.number, opening=opening)
        while state.turn != OVER:
            if state.turn == CHANCE:
                self._tell(*state.deal(self._game.shuffle(0, self.number, opening)))
                continue
            action, *_ = self.player.decide(state.legal, 0)
            if not state.is_legal(action):
                raise Fault(FaultKind.ILLEGAL, state.objection(action))
            self._tell(state.event(action), *state.apply(action))
        result = state.result()
        self._tell(result)
        self.playing = False
        self.blundered |= result["verdict"] == UNNECESSARILY
        self.write(b"YOU " + result["verdict"].upper().encode("ascii"))

    def end(self) -> None:
        """End after the last game. Raises Fault when the player does not end."""
        if isinstance(self.player, Evensteven):
            self.player.leave(self._options["time_limit"])

    def write(self, line: bytes) -> None:
        self._out.write(line + b"\n")
        self._out.flush()

    def _tell(self, *events: Event) -> None:
        for event in events:
            seen = self._game.see(event, 0)
            if seen is not None:
                self.player.tell(seen)


class Evensteven(ProcessPlayer):
    """A bot's process. Lines that begin with `*` are copied as they come."""

    def __init__(self, program: Program, copy: Callable[[bytes], None]) -> None:
        super().__init__(program)
        self._copy = copy

    def _start(self) -> None:
        super()._start()
        self._next_line, self._ask = self._ask, self._answer

    def _answer(self, question: bytes, started: float, seconds: float, place: int) -> bytes:
        """Like LinePipes.ask, but return the first line that is not for debugging."""
        line = self._next_line(question, started, seconds, place)
        while line.startswith(DEBUG):
            self._copy(line)
            if perf_counter() - started > seconds:
                raise Fault(FaultKind.TIMEOUT, "did not answer in time")
            line = self._next_line(b"", started, seconds, place)
        return line

    def leave(self, seconds: float) -> None:
        """Close its input, and copy what it still says until it closes its output. Raises Fault."""
        if self._pipes is None:  # no game was played
            return
        self.finish()
        started = perf_counter()
        while perf_counter() - started < seconds:
            try:
                line = self._answer(b"", started, seconds, 0)
            except Fault as fault:
                if fault.kind is FaultKind.TIMEOUT:
                    break
                if isinstance(fault.answer, bytes) and fault.answer.startswith(DEBUG):  # the end of its output
                    self._copy(fault.answer)
                return
            print(f"dealer: nobody asked for the line {_shown(line)}", file=sys.stderr)
        raise Fault(FaultKind.TIMEOUT, "did not terminate")


def _player(bot: str, arguments: Sequence[str], table: Dealer) -> Participant:
    """Return the player of that name. Raises OptionError with a text for people."""
    game = get("even_steven")
    if bot == "random" or bot.startswith(HOUSE):
        if arguments:
            raise OptionError(f"house players take no arguments such as {arguments[0]}")
        return house_seated(game, bot.removeprefix(HOUSE)).player
    return Evensteven(program_of(game, bot, arguments), table.write)


def _shown(line: bytes | str) -> str:
    text = line if isinstance(line, str) else line.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 60 else text[:60] + "…")


COMMANDS = {
    "dealer": Command(
        dealer,
        "BOT [ARGUMENT...]: the dealer of Even Steven: games on standard input, their results on standard output",
    ),
}
