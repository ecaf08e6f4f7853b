"""`./run languages --prove`: prove games in languages on this machine, and print the table of all of them.

The portal keeps the proofs. Organisers can offer what is installed, until its hello bot fails.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

from games import GAMES
from games.engine import MachineryError
from games.installed import named
from submissions import proving
from submissions.languages import LANGUAGES, Language
from submissions.proving import TITLES, Cell, Hello
from submissions.sandbox import probe, walls

PROVEN, FAILED, NOT_INSTALLED = "proven", "FAILED", "not installed"
LOWER = {
    "limits": {"KIBITZ_SANDBOX_WALLS": "namespaces", "KIBITZ_CGROUP": "off"},
    "landlock": {"KIBITZ_SANDBOX_WALLS": "landlock"},
}
"""What makes a worker use a weaker level than its best."""


class Command(BaseCommand):
    help = "Prove games in languages on this machine: build and play the programs that come with the games."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME", help="games and languages; all, if none are named")
        parser.add_argument("--missing", action="store_true", help="only what has no current proof; for workers")
        parser.add_argument("--levels", action="store_true", help="also at weaker sandbox levels, which is not kept")
        parser.add_argument("--unkept", action="store_true", help="print what comes out, and change no proof")

    def handle(self, *, names: list[str], missing: bool, levels: bool, unkept: bool, **_: Any) -> None:
        probe().demand()
        self.stdout.write(f"Sandbox level: {probe()}")
        cells = _wanted(names)
        with _alone(wait=not missing, say=self._say) as first:
            if not first:
                raise CommandError("Another process of this portal is proving.", returncode=proving.BUSY)
            self._greet({cell.language for cell in cells}, missing=missing, keep=not unkept)
            in_turn = sorted(cells, key=proving.turn)
            found = {cell: self._state(cell, missing=missing, keep=not unkept) for cell in in_turn}
            states = {cell: found[cell] for cell in cells}
            if not unkept:
                with suppress(DatabaseError):  # it was reported when the proofs were recorded
                    proving.tidy()
        self.stdout.write("\n".join(_table(states)))
        below: list[str] = []
        failed = [cell for cell, state in states.items() if state == FAILED]
        if levels:
            below = [name for name in _weaker() if not self._below(name, names)]
        if failed or below:
            raise CommandError(f"not proven: {', '.join([*map(str, failed), *(f'all at {name}' for name in below)])}")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    def _greet(self, languages: set[Language], *, missing: bool, keep: bool) -> None:
        """Run the hello bots first: organisers are waiting."""
        for hello in sorted(map(proving.Hello, languages), key=lambda it: list(LANGUAGES).index(it.language.slug)):
            if not hello.language.installed() or hello.missing() or (missing and _is_proven(hello)):
                continue
            try:
                problem = proving.greet(hello.language)
            except MachineryError as error:  # a busy machine says nothing about the language
                self.stdout.write(f"{hello}: the sandbox failed: {error}")
                continue
            self.stdout.write(f"{hello}: {problem or 'runs'}")
            if keep:
                self._keep(hello, problem, 0.0)

    def _keep(self, cell: Cell | Hello, problem: str, seconds: float) -> None:
        try:
            proving.record(cell, problem, seconds)
        except DatabaseError as error:
            self.stderr.write(f"Not kept, because the database does not take it: {error}")

    def _state(self, cell: Cell, *, missing: bool, keep: bool) -> str:
        if lacking := cell.missing():
            return f"no {lacking}"
        if not cell.language.installed():
            return NOT_INSTALLED
        if missing and _is_proven(cell):
            return PROVEN
        try:
            outcome = proving.prove(cell)
            problem = "\n".join(f"The {TITLES[player]}: {each}" for player, each in outcome.problems.items())
            seconds = outcome.seconds
        except MachineryError as error:
            problem, seconds, keep = f"The sandbox failed: {error}", 0.0, False
        said = f"{cell}: {problem}" if problem else f"{cell}: proven in {seconds:.1f} s, {cell.language.toolchain()}"
        self.stdout.write(said)
        if keep:
            self._keep(cell, problem, seconds)
        return FAILED if problem else PROVEN

    def _below(self, level: str, names: Sequence[str]) -> bool:
        """Prove at a weaker level, in a process of its own. Returns whether all went well."""
        self.stdout.write(f"\nAt the level {level}:")
        self.stdout.flush()
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "prove", "--unkept", *names]
        done = subprocess.run(command, env=os.environ | LOWER[level], check=False)
        return done.returncode == 0


def _wanted(names: Sequence[str]) -> list[Cell]:
    """The cells of these games and languages. Raises CommandError."""
    slugs = {name.lower() for name in names if name.lower() in GAMES}
    recipes = {name: named(name) for name in names if name.lower() not in GAMES}
    if unknown := [name for name, recipe in recipes.items() if recipe is None]:
        raise CommandError(f"there is no game and no language {' or '.join(map(repr, unknown))}")
    spoken = {recipe.language for recipe in recipes.values() if recipe is not None}
    return [
        cell
        for cell in proving.cells()
        if (not slugs or cell.game.slug in slugs) and (not spoken or cell.language.slug in spoken)
    ]


@contextmanager
def _alone(*, wait: bool, say: Callable[[str], None]) -> Iterator[bool]:
    """Hold the lock of this portal. Gives False if somebody else has it, unless we wait. Other portals of the machine
    keep proofs of their own, so they have a lock of their own."""
    with (settings.VAR_DIR / "proving").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not wait:
                yield False
                return
            say("Waiting: a worker of this portal is proving languages right now.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield True


def _is_proven(cell: Cell | Hello) -> bool:
    proof = proving.kept(cell)
    return proof is not None and proving.is_current(cell, proof)


def _weaker() -> Iterator[str]:
    """The levels below this machine's own that it can have."""
    if probe().name == "full" and not walls.missing():
        yield "limits"
    if probe().name in ("full", "limits"):
        yield "landlock"


def _table(states: dict[Cell, str]) -> Iterator[str]:
    games = list(dict.fromkeys(cell.game for cell in states))
    width = 2 + max(len(game.title) for game in games)
    width = max(width, 2 + max(map(len, states.values())))
    yield ""
    yield f"{'':<12}" + "".join(f"{game.title:<{width}}" for game in games).rstrip()
    rows: dict[str, dict[str, str]] = {}
    for cell, state in states.items():
        rows.setdefault(cell.language.name, {})[cell.game.slug] = state
    for name, row in rows.items():
        yield f"{name:<12}" + "".join(f"{row[game.slug]:<{width}}" for game in games).rstrip()
    proven = sum(state == PROVEN for state in states.values())
    yield f"\n{proven} of {len(states)} proven."
