"""The command lines of everything that needs a portal."""

from __future__ import annotations

import os
import traceback
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable
from functools import partial
from typing import Any

from games.portal import account, contests, matches, practice, session, trials, versions, watch
from games.portal.session import Session
from games.portal.trouble import DONE, INTERRUPTED, Trouble

Run = Callable[[Session], int | None]  # returns the exit status; None: done
DEBUG = "KIBITZ_DEBUG"
"""With this variable, an error that nobody expected shows its traceback."""


def carry_out(run: Run, arguments: Namespace) -> int:
    """Run a command of a portal and return its exit status. What goes wrong becomes a sentence."""
    here = Session(arguments)
    try:
        return run(here) or DONE
    except Trouble as trouble:
        return _tell(here, _explained(here, run, trouble))
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        here.screen.bar.clear()
        return _tell(here, Trouble("Interrupted.", status=INTERRUPTED, code="interrupted"))
    except Exception as error:
        if os.environ.get(DEBUG):
            traceback.print_exc()
        said = f"Something unexpected happened: {type(error).__name__}: {error}"
        hint = f"Is this kibitz as new as the portal? Set {DEBUG}=1 for details."
        return _tell(here, Trouble(said, hint, code="unexpected"))


WHERE: dict[Run, str] = {
    **dict.fromkeys((versions.version, versions.activate), "`kibitz versions` lists your versions."),
    **dict.fromkeys((practice.practices,), "`kibitz practices` lists your orders."),
    **dict.fromkeys((trials.trials,), "`kibitz trials` lists your trials."),
    **dict.fromkeys(
        (matches.match, matches.record, matches.log, matches.stderr, watch.watch), "`kibitz matches` lists the matches."
    ),
}
"""Where to look for what a command did not find."""


def _explained(here: Session, run: Run, trouble: Trouble) -> Trouble:
    """For what the portal does not find: whether it is the contest, and where to look for the right name."""
    if trouble.code != "not_found" or trouble.hint or not here.names_contest:
        return trouble
    try:
        here.find_contest()
    except Trouble as other:
        return other
    trouble.hint = WHERE.get(run, "")
    return trouble


def _tell(here: Session, trouble: Trouble) -> int:
    here.screen.bar.clear()
    if here.screen.as_json:
        here.screen.error(trouble.as_value())
    else:
        here.screen.note(" ".join(filter(None, (trouble.said, trouble.hint))))
    return trouble.status


class Commands:
    """Adds commands to a command line."""

    def __init__(self, commands: _SubParsersAction[Any]) -> None:
        self.commands = commands

    def add(self, name: str, run: Run, help: str, *, contest: bool = True, portal: bool = True) -> ArgumentParser:
        one: ArgumentParser = self.commands.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.")
        one.set_defaults(run=partial(carry_out, run))
        one.add_argument("--json", action="store_true", help="print JSON for programs")
        if portal:
            one.add_argument("--portal", metavar="PORTAL", help="its address, or a part of it")
        if contest:
            one.add_argument("-c", "--contest", metavar="CONTEST", help="the name in its address")
        return one


def add(commands: _SubParsersAction[Any]) -> None:
    these = Commands(commands)
    _account(these)
    _contests(these)
    _versions(these)
    _matches(these)
    _practice(these)
    _trials(these)
    one = these.add("api", session.api, "send any request to the API, and print the answer")
    one.add_argument("path", metavar="PATH", help="below /api/v1, such as contests/{contest}/teams")
    one.add_argument("-X", "--method", metavar="METHOD", help="GET, or POST if there are data")
    one.add_argument("-d", "--data", metavar="JSON", help="or @FILE")
    one.add_argument("-f", "--field", metavar="NAME=VALUE", action="append", help="of the data; a value may be JSON")
    one.add_argument("--key", metavar="KEY", help="a name for this request: it happens only once")
    one.add_argument("--raw", action="store_true", help="print the answer byte for byte")


def _account(these: Commands) -> None:
    one = these.add("login", account.login, "log in to a portal with a token", contest=False, portal=False)
    one.add_argument("address", metavar="PORTAL", help="such as https://portal.example")
    one.add_argument("--token", metavar="TOKEN", help="from your account page; asked for if left out")
    one = these.add("logout", account.logout, "forget the token of a portal", contest=False, portal=False)
    one.add_argument("address", metavar="PORTAL", nargs="?", help="the current one if left out")
    one.add_argument("--all", action="store_true", help="of all portals")
    these.add("whoami", account.whoami, "show who you are, and what your token may do", contest=False)
    these.add("portals", account.portals, "list the portals you are logged in to", contest=False, portal=False)
    one = these.add("use", account.use, "choose the contest for commands that name none", contest=False)
    one.add_argument("chosen", metavar="CONTEST")
    one.add_argument("--here", action="store_true", help="only in this folder, by a file .kibitz")


def _contests(these: Commands) -> None:
    one = these.add("contests", contests.contests, "list the contests", contest=False)
    one.add_argument("--mine", action="store_true", help="only those you take part in")
    one.add_argument("--phase", choices=("announced", "open", "closed", "ended"))
    one.add_argument("--game", metavar="GAME")
    _limit(one)
    one = these.add("enter", contests.enter, "enter a contest with a new team")
    one.add_argument("name", metavar="NAME", help="of the team")
    one.add_argument("--school", metavar="NAME", help="or company")
    one = these.add("join", contests.join, "join a team by its code")
    one.add_argument("code", metavar="CODE")
    these.add("team", contests.team, "show your team and its code")
    one = these.add("kit", contests.kit, "download a starter kit")
    one.add_argument("language", metavar="LANGUAGE", help="such as c, or all")
    one.add_argument("-o", "--output", metavar="FOLDER", help="where to unpack it")
    these.add("stages", contests.stages, "list the stages")
    one = these.add("standings", contests.standings, "show the standings, and the champion")
    _stage(one)
    _limit(one)
    one = these.add("questions", contests.questions, "show questions and answers")
    _limit(one)
    one = these.add("ask", contests.ask, "ask the organisers a question")
    one.add_argument("subject", metavar="SUBJECT")
    one.add_argument("text", metavar="TEXT", nargs="?")
    one = these.add("news", contests.news, "show the announcements")
    _limit(one)


def _versions(these: Commands) -> None:
    one = these.add("submit", versions.submit, "upload your program as a new version of your bot")
    one.add_argument("source", metavar="FILE", nargs="+", help="the source, several, a folder, or an archive")
    one.add_argument("--entry", metavar="FILE", help="the file of several that starts the program")
    one.add_argument("--arguments", metavar="WORDS", help="of a TCP client, such as '--host HOST --port PORT'")
    one.add_argument("--wait", action="store_true", help="until it is ready (exit status 0) or rejected (1)")
    one.add_argument("--strategy", metavar="FILE", help="a text about the strategy")
    one.add_argument("--language", metavar="LANGUAGE", help="if the file's extension does not tell")
    one.add_argument("--no-activate", action="store_true", help="leave the active version as it is")
    one.add_argument("--if-changed", action="store_true", help="do nothing if the newest version has the same source")
    one.add_argument("--key", metavar="KEY", help="a name for this upload, such as a commit: it happens only once")
    _timeout(one)
    one = these.add("versions", versions.versions, "list your versions")
    _limit(one)
    one = these.add("version", versions.version, "show a version and its check")
    one.add_argument("number", metavar="VERSION", type=int, nargs="?", help="the newest if left out")
    one.add_argument("--wait", action="store_true", help="until it is ready or rejected")
    one.add_argument("--build-log", action="store_true", help="print the whole build log")
    one.add_argument("--source", action="store_true", help="print the source, or list its files")
    one.add_argument("--file", metavar="PATH", help="of the source: this one of several files")
    one.add_argument("-o", "--output", metavar="FILE", help="of the source; several files as a ZIP")
    _timeout(one)
    one = these.add("activate", versions.activate, "make a version the one that plays")
    one.add_argument("number", metavar="VERSION", type=int)
    these.add("withdraw", versions.withdraw, "withdraw your bot: no version plays")


def _matches(these: Commands) -> None:
    one = these.add("matches", matches.matches, "list matches, the newest first")
    one.add_argument("--mine", action="store_true", help="only those of your team")
    one.add_argument("--team", metavar="TEAM", help="its name, a part of it, or its number")
    _stage(one)
    one.add_argument("--round", metavar="N", type=int)
    one.add_argument("--state", choices=("queued", "running", "done", "void"))
    one.add_argument("--since", metavar="TIME", help="finished then or later, such as 2026-11-22T18:00Z")
    one.add_argument("--faults", action="store_true", help="only those with faults")
    _limit(one)
    one = these.add("match", matches.match, "show a match", contest=False)
    _match(one)
    one = these.add("record", matches.record, "download the record of a match", contest=False)
    _match(one)
    one.add_argument("-o", "--output", metavar="FILE", help="standard output if left out")
    one = these.add("log", matches.log, "print the game's own log of a match", contest=False)
    _match(one)
    one.add_argument("--game", metavar="N", type=int, default=1, help="which of its games")
    one.add_argument("-o", "--output", metavar="FILE", help="standard output if left out")
    one = these.add("stderr", matches.stderr, "show what your bots wrote to standard error", contest=False)
    _match(one)
    one = these.add("watch", watch.watch, "watch a contest, or a match, as it happens")
    one.add_argument("match", metavar="MATCH", type=int, nargs="?", help="the contest if left out")
    _stage(one)
    one.add_argument("--from-start", action="store_true", help="tell everything that has happened")
    one.add_argument("--game", metavar="N", type=int, help="of a match: only this game")
    one.add_argument("--pace", metavar="SECONDS", type=float, help="of a match: for each line")


def _practice(these: Commands) -> None:
    one = these.add("practice", practice.practice, "order practice games, which never count")
    one.add_argument("--version", metavar="VERSION", help="the newest ready one if left out")
    _opponents(one)
    one.add_argument("--seat", metavar="N", help="your seat, 0 for the first as in records; if left out, it changes")
    one.add_argument("--games", metavar="N", type=int, help="1 to 200")
    one.add_argument("--seed", metavar="N", type=int, help="of the first game; fresh deals if left out")
    one.add_argument("--again", metavar="MATCH", type=int, help="the deals of this match of yours")
    one.add_argument("--wait", action="store_true", help="until all games are played")
    one = these.add("practices", practice.practices, "list your practice, or show an order with its games")
    one.add_argument("order", metavar="ORDER", type=int, nargs="?")
    one.add_argument("--wait", action="store_true", help="until all games are played")
    one.add_argument("--cancel", action="store_true", help="cancel the order; games that were played stay")
    one.add_argument("--game", metavar="N", type=int, help="download the record of this game")
    one.add_argument("-o", "--output", metavar="FILE", help="of the record; standard output if left out")
    _limit(one)
    one = these.add("opponents", practice.opponents, "list who you can practise against, and your quota")
    one.add_argument("--accept", choices=("yes", "no"), help="whether other teams may practise against yours")


def _trials(these: Commands) -> None:
    one = these.add("trial", trials.trial, "find out whether a version is better than another")
    one.add_argument("new", metavar="NEW", type=int, help="the new version")
    one.add_argument("old", metavar="OLD", type=int, help="the old version")
    _opponents(one)
    one.add_argument("--measure", choices=("points", "wins"), help="what is compared; points if left out")
    one.add_argument(
        "--bounds", metavar=("LOW", "HIGH"), nargs=2, type=float, help="decide whether it is better by LOW or by HIGH"
    )
    one.add_argument("--cap", metavar="PAIRS", type=int, help="at most so many pairs of games")
    one.add_argument("--seed", metavar="N", type=int, help="of the deals; fresh ones if left out")
    one.add_argument("--wait", action="store_true", help="until it is better (exit status 0) or that is not shown (1)")
    one = these.add("trials", trials.trials, "list your trials, or show one")
    one.add_argument("trial", metavar="TRIAL", type=int, nargs="?")
    one.add_argument("--wait", action="store_true", help="for the answer, with the exit status of `trial`")
    one.add_argument("--cancel", action="store_true", help="cancel it")
    _limit(one)


def _opponents(one: ArgumentParser) -> None:
    one.add_argument(
        "--opponents",
        metavar="PLAYER",
        nargs="+",
        help="house:NAME, version:N, or a team; the strongest house player if left out",
    )


def _limit(one: ArgumentParser) -> None:
    one.add_argument("-n", "--limit", metavar="N", type=int, help="at most so many")


def _stage(one: ArgumentParser) -> None:
    one.add_argument("--stage", metavar="STAGE", help="its name or number")


def _match(one: ArgumentParser) -> None:
    one.add_argument("match", metavar="MATCH", type=int)


def _timeout(one: ArgumentParser) -> None:
    one.add_argument("--timeout", metavar="SECONDS", type=float, help="how long to wait at most")
