"""`serve`: a contest server on this machine, for clients on this and other machines."""

from __future__ import annotations

import signal
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from types import FrameType
from typing import NoReturn

from games.barracuda import GAME
from games.barracuda.wire import MATCHES
from games.commands import PLAYED, PROGRAM, Command, parse_options
from games.engine import OptionError, Options
from games.record import dumps
from games.server import make_room
from games.server.door import Door
from games.server.ladder import Entrant, Ladder, Round
from games.server.practice import Practice
from games.server.teams import LARGEST, Everybody, Roster, Team, read_teams


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise OptionError(f"{self.prog}: {message}")


def serve(words: Sequence[str]) -> int:
    """Run `serve barracuda --port 9999 --test-port 19999` until it is interrupted."""
    arguments = _parser().parse_args(words)
    options: Options = GAME.options(parse_options(arguments.option))
    if arguments.games:
        options = GAME.with_games(options, arguments.games)
    if arguments.records:
        try:
            arguments.records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OptionError(f"cannot keep records in {arguments.records}: {error.strerror}") from None
    make_room()
    number = numbers()
    ladder = Ladder(GAME, options, number, lambda done: _told(done, arguments.records))
    practice = Practice(GAME, options, number)
    roster = _roster(arguments)
    for place, name in enumerate(arguments.house):
        ladder.enter(Team(LARGEST - place, f"House: {name}"), GAME.house_player(name))
    doors = [
        Door((arguments.host, arguments.port), GAME, roster, ladder.welcome),
        Door((arguments.host, arguments.test_port), GAME, roster, practice.welcome),
    ]
    print(f"Barracuda: contest at port {doors[0].port}, test bot at port {doors[1].port}", flush=True)
    try:
        ladder.start()
        _wait()
    finally:
        for door in doors:
            door.close()
        practice.close()
        ladder.close()
        print("\n".join(_table(ladder.standings())), flush=True)
    return PLAYED


def _parser() -> ArgumentParser:
    about = "Run a contest server on this machine. Press Ctrl-C to end it."
    parser = _Parser(prog=f"{PROGRAM} serve", description=about)
    parser.add_argument("game", choices=[GAME.slug])
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on; 127.0.0.1 accepts only this machine")
    parser.add_argument("--port", type=int, default=9999, help="port of the contest")
    parser.add_argument("--test-port", type=int, default=19999, help="port of the games against the test bot")
    parser.add_argument(
        "--teams", type=Path, metavar="FILE", help="lines ID, NAME, ADDRESS, TOKEN; without it, everybody may play"
    )
    parser.add_argument("--house", action="append", default=[], metavar="NAME", help="let a house player take part")
    parser.add_argument("--games", type=int, metavar="K", help="play exactly K games in a round")
    parser.add_argument("--records", type=Path, metavar="FOLDER", help="keep the record of each round in this folder")
    parser.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="change an option of the game"
    )
    return parser


def _roster(arguments: Namespace) -> Roster:
    if arguments.teams is None:
        return Everybody()
    try:
        return read_teams(arguments.teams.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"cannot read {arguments.teams}: {error}") from None


def numbers() -> Callable[[], int]:
    """Return a function that numbers matches. Each number occurs once in two million. A restarted server repeats none
    of its earlier numbers if it began fewer than one match a second on average."""
    counter = count(int(time.time()))
    return lambda: next(counter) % MATCHES


def _told(done: Round, records: Path | None) -> None:
    names = [entrant.team.name for entrant in done.entrants]
    parts = [
        f"{name} {rating:.0f} ({change:+.0f})"
        for name, rating, change in zip(names, done.ratings, done.changes, strict=True)
    ]
    print(
        f"round {done.number}: {names[0]} {done.games[0]}:{done.games[1]} {names[1]}   {', '.join(parts)}", flush=True
    )
    if records is not None:
        part = records / f"{done.number}.part"  # in one step: we may be ended at any moment
        part.write_text(dumps(done.record) + "\n", encoding="utf-8")
        part.rename(part.with_suffix(".json"))


def _table(standings: Sequence[Entrant]) -> list[str]:
    return [
        "Standings",
        *(
            f"{place:3}. {entrant.rating:6.0f} {entrant.team.name}: won {entrant.won} of {entrant.rounds} rounds"
            for place, entrant in enumerate(standings, 1)
        ),
    ]


TICK = 0.5
"""Longest time, in seconds, before a signal is handled."""


def _wait() -> None:
    """Wait until somebody interrupts or ends us, even where our parent ignores interrupts."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        while True:  # not `signal.pause`: it keeps sleeping when the signal came just before it
            time.sleep(TICK)
    except KeyboardInterrupt:
        return
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


COMMANDS = {
    "serve": Command(
        serve,
        "barracuda [--port N] [--test-port N] [--teams FILE] [--house NAME]: a contest server",
        lists_options=True,
    ),
}
