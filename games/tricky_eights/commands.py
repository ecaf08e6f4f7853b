"""`te_dispatch` and `te_server`, as the Utah problem prints them ("Running a game")."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TextIO

from games import get
from games.commands import JUDGED, PLAYED, Command, play_local, report
from games.debug import DebugLog
from games.engine import Action, Event, Game, MachineryError, OptionError, Options, Seat, Setting
from games.logs import Journal, write_logs
from games.participants import Decision, PassiveParticipant, Seated
from games.referee import Match, play
from games.tricky_eights.rules import LETTERS, SEATS
from games.tricky_eights.wire import LineWire

SERVER = "te_server"
LOG = Path("te.log")


def te_dispatch(words: Sequence[str]) -> int:
    """Run `te_dispatch te_server BOT BOT BOT BOT SEED`: a game between four players, with te.log in the current
    folder."""
    usage = f"te_dispatch {SERVER} PLAYER PLAYER PLAYER PLAYER SEED"
    if not words or words[0] != SERVER:
        raise OptionError(f"the server must come first, and it is {SERVER}: {usage}")
    *players, seed = words[1:] or [""]
    if len(players) != len(SEATS):
        named = len(players) if _is_number(seed) else len(words) - 1
        were = "was" if named == 1 else "were"
        raise OptionError(f"Tricky Eights is played by four players, and {named} {were} named: {usage}")
    return _finish(play_local(_game(), players, _seed(seed), _game().options(), log=LOG), players)


def te_server(words: Sequence[str]) -> int:
    """Run `te_server SEED`: deal and referee over standard input and output, for a process that routes the lines.

    Every printed line begins with the letter of the player it is for. A `take` or `play` wants one line of input: the
    card, with or without that letter before it. Nobody is timed.
    """
    if len(words) != 1:
        raise OptionError("te_server takes one number, the seed of the deals: te_server 13")
    options = _game().options()
    seats = [Seated(name, "routed", RoutedPlayer(sys.stdin, sys.stdout)) for name in SEATS]
    seed, preset = _seed(words[0]), _game().preset().name
    journal = Journal(_game(), seats, seed, options, LOG)
    with journal.kept():
        match = play(_game(), seats, seed=seed, options=options, preset=preset, on_event=journal.hear)
    return _finish(match, (), sys.stderr)


class RoutedPlayer(PassiveParticipant):
    """A player somewhere behind our own standard input and output, which all four share."""

    def __init__(self, answers: TextIO, questions: TextIO) -> None:
        self.debug = DebugLog(0)
        self._answers = answers
        self._questions = questions

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._letter = LETTERS[seat]
        self._wire = LineWire(seat)

    def tell(self, event: Event) -> None:
        self._wire.tell(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        self._send(self._wire.question()[0])
        line = self._answers.readline()
        if not line:
            raise MachineryError(f"the input ended before the answer of {self._letter}")
        answer = line.rstrip("\n").encode("utf-8", "surrogateescape")
        first, _, rest = answer.strip().partition(b" ")
        if first == self._letter.encode("ascii"):
            answer = rest
        return Decision(self._wire.parse(answer), 0, None, answer)

    def _send(self, lines: bytes) -> None:
        for line in lines.decode("ascii").splitlines():
            self._questions.write(f"{self._letter} {line}\n")
        self._questions.flush()

    def finish(self) -> None:
        self._send(self._wire.farewell())


def _game() -> Game:
    return get("tricky_eights")


def _seed(text: str) -> int:
    if not _is_number(text):
        raise OptionError(f"the seed is a whole number, not {text!r}")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


COMMANDS = {
    "te_dispatch": Command(te_dispatch, "te_server BOT BOT BOT BOT SEED: a game of Tricky Eights; writes te.log"),
    "te_server": Command(
        te_server, "SEED: the server of Tricky Eights alone, over standard input and output; writes te.log"
    ),
}
"""The game's own commands (games.commands)."""


def _finish(match: Match, bots: Sequence[str], where: TextIO | None = None) -> int:
    write_logs(_game(), match.record, LOG)
    report(_game(), match, bots, where)
    return JUDGED if match.record["result"]["disqualified"] else PLAYED
