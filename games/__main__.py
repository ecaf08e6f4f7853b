"""The command line of the games (docs/record.md): standard library only, from a bare clone or as a zip application."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
import unicodedata
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import NoReturn

from games import GAMES, PACKAGE_OF, compare
from games.again import again, position
from games.build import BuildError
from games.commands import PLAYED, PROGRAM, REFUSED, Command, list_games, play, positive, show, verify_records
from games.doctor.examinations import doctor
from games.doctor.visit import PATIENCE
from games.engine import MachineryError, OptionError
from games.portal import parsers


def _own(package: str) -> dict[str, Command]:
    """The commands that only this game has, such as those named in its original documents."""
    if find_spec(f"{package}.commands") is None:
        return {}
    found: dict[str, Command] = import_module(f"{package}.commands").COMMANDS
    return found


ABOUT = "Card games for programs: play bots against each other, at home and on the portal of a contest."
OWN = {name: command for package in PACKAGE_OF.values() for name, command in _own(package).items()}


class _Parser(ArgumentParser):
    """An argument parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} ({self.prog} --help says more)", file=sys.stderr)
        raise SystemExit(REFUSED)


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out a command line and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    codecs.register_error("told otherwise", partial(_told_otherwise, as_json="--json" in words))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # of a console or pipe that may know few characters
            stream.reconfigure(errors="told otherwise")
    try:
        if words and words[0] in OWN:  # these commands parse all of their options themselves
            status = _run_own(*words)
        else:
            arguments = _arguments(words)
            status = arguments.run(arguments)
        sys.stdout.flush()
        return status
    except BuildError as error:
        print(error.log, end="", file=sys.stderr)
        return _refuse(error)
    except (OptionError, MachineryError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # the reader of our output has closed it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return REFUSED
        return _refuse(error)
    except KeyboardInterrupt:
        return 130


ALIKE = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "−": "-"})


def _told_otherwise(error: UnicodeError, *, as_json: bool) -> tuple[str, int]:
    """What stands for characters that an encoding lacks: their escape in JSON, or else what looks most like them."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    if as_json:
        return json.dumps(text)[1:-1], error.end
    bare = "".join(it for it in unicodedata.normalize("NFKD", text.translate(ALIKE)) if not unicodedata.combining(it))
    return bare.encode("ascii", "replace").decode(), error.end


def _refuse(error: Exception) -> int:
    print(f"{PROGRAM}: {error}", file=sys.stderr)
    return REFUSED


def _arguments(words: Sequence[str]) -> Namespace:
    """Parse the words of a command. Options may stand anywhere, even between bots. A parser with several commands does
    not allow that by itself."""
    parser = _Parser(prog=PROGRAM, description=ABOUT)
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (_list, _play, _doctor, _verify, _again, _compare, _show):
        add(commands)
    parsers.add(commands)
    for name, command in OWN.items():
        commands.add_parser(name, help=command.help)
    if words and words[0] in commands.choices:
        return commands.choices[words[0]].parse_intermixed_args(words[1:])
    return parser.parse_args(words)


def _list(commands: _SubParsersAction[_Parser]) -> None:
    one = commands.add_parser("list", help="games, their bots' protocols, house players")
    _json(one)
    one.set_defaults(run=list_games)


def _play(commands: _SubParsersAction[_Parser]) -> None:
    one = commands.add_parser(
        "play",
        help="play a match of bots",
        description="BOT is a source file, a folder or an archive of several (built first, into a cache), an "
        "executable, house:NAME or random.",
    )
    one.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    one.add_argument("bot", metavar="BOT", nargs="*", default=[])
    one.add_argument("--seed", type=int, metavar="N", help="the seed of the cards; without it, a random one")
    one.add_argument("--games", type=positive, metavar="K", help="play K games; players change seats from game to game")
    one.add_argument("--record", metavar="FILE", help="write the record, JSON")
    one.add_argument("--log", metavar="FILE", help="write the game's own log; several games go to FILE-1, FILE-2, …")
    one.add_argument("--option", metavar="KEY=VALUE", action="append", default=[], help="change an option of the game")
    _json(one)
    one.set_defaults(run=play)


def _doctor(commands: _SubParsersAction[_Parser]) -> None:
    one = commands.add_parser(
        "doctor",
        help="find out why a bot does not speak its protocol as it should",
        description="Builds the bot as the portal does, drives it through the worked example of the game's document, "
        "and says in plain words what it does wrong. PROGRAM is what `play` takes as BOT. ARGUMENTs are passed to it. "
        "Exit status 0: nothing was found that costs points; 1: something was.",
    )
    one.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    one.add_argument("bot", metavar="PROGRAM")
    one.add_argument("argument", metavar="ARGUMENT", nargs="*", default=[])
    one.add_argument(
        "--patience",
        metavar="SECONDS",
        type=float,
        default=PATIENCE,
        help=f"how long a bot may do nothing at all before it is given up; {PATIENCE:g} if left out",
    )
    _json(one)
    one.set_defaults(run=doctor)


def _verify(commands: _SubParsersAction[_Parser]) -> None:
    one = commands.add_parser("verify", help="re-run the rules over records")
    one.add_argument("record", metavar="RECORD", nargs="+")
    _json(one)
    one.set_defaults(run=verify_records)


def _again(commands: _SubParsersAction[_Parser]) -> None:
    one = commands.add_parser(
        "again",
        help="play the deals of a record with your own bot in a seat",
        description="The same seed, options and seatings as the record, so the same hands are dealt, game by game. The "
        "first BOT takes the place of player N, and further BOTs take the other places in order. House players "
        "play in the places that remain. BOT is what `play` takes.",
    )
    one.add_argument("old", metavar="RECORD")
    one.add_argument("bot", metavar="BOT", nargs="+")
    one.add_argument(
        "--seat", type=positive, metavar="N", help="whose place it takes: 1 is the first player of the record"
    )
    one.add_argument(
        "--from",
        dest="position",
        type=position,
        metavar="GAME:EVENT",
        help="play on from that position: what was decided before it is given. EVENT counts from 0 within its game, as "
        "in the address of a replay. Without --seat, the BOT takes the seat that decides there",
    )
    one.add_argument("--record", metavar="FILE", help="write the record of the new match, JSON")
    _json(one)
    one.set_defaults(run=again)


def _compare(commands: _SubParsersAction[_Parser]) -> None:
    one = commands.add_parser(
        "compare",
        help="find out whether a new version of a bot is better than the old one",
        description="Both versions play the same deals in the same seats against the same opponents, pair by pair, "
        "until the answer is known. Exit status 0: NEW is better; 1: it is not; 3: undecided after "
        "--cap pairs. BOT, NEW and OLD are what `play` takes.",
    )
    compare.add_options(one)


def _show(commands: _SubParsersAction[_Parser]) -> None:
    one = commands.add_parser("show", help="print a record: hands, tricks, scores")
    one.add_argument("record", metavar="RECORD")
    one.add_argument("--game", type=positive, metavar="N", help="print game N alone")
    one.add_argument("--hand", type=positive, metavar="N", help="print hand N alone; without --game, of game 1")
    _json(one)
    one.set_defaults(run=show)


def _json(one: ArgumentParser) -> None:
    one.add_argument("--json", action="store_true", help="print JSON for programs")


def _run_own(name: str, *words: str) -> int:
    command = OWN[name]
    if words[:1] in (("-h",), ("--help",)) and not command.lists_options:
        print(f"usage: {PROGRAM} {name} {command.help}")
        return PLAYED
    return command.run(words)


if __name__ == "__main__":
    sys.exit(main())
