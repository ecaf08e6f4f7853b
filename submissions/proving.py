"""Prove that a game can be played in a language: a cell of the table of games and languages.

Two programs prove a cell: the random player of the kit, and a plain one (`plain/` in the game's folder), which speaks
the protocol without the kit. They are built and play a short match in the jail, with the memory of the smallest preset
that allows the language.
"""

from __future__ import annotations

import hashlib
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from django.db import DatabaseError
from django.utils import timezone

from contest.languages import Programs
from contest.models import Proof
from contest.words import printable
from games import GAMES, referee
from games.engine import Game, MachineryError
from games.kits import example
from games.libraries import Library
from games.options import Preset
from games.players import PROTOCOLS, HousePlayer, Seated
from games.record import verify
from games.toolchains import recognise
from submissions.build import MEGABYTE
from submissions.languages import LANGUAGES, Language
from submissions.sandbox import Jail, Limits, build, probe

BUSY = 75
"""Exit status of `manage.py prove --missing` if another process of the portal proves (EX_TEMPFAIL)."""
PLAYERS = ("kit", "plain")
TITLES = {"kit": "kit", "plain": "plain player"}
ROOM = 256 * MEGABYTE
"""Of memory, for a program that uses a library."""
SEED = 1998
GAMES_PLAYED = 2
LEAST = 4
"""Without a preset that allows the language, a program gets so many times the least memory that its language needs."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A game and a language, which two programs prove together."""

    game: Game
    language: Language

    def __str__(self) -> str:
        return f"{self.game.title} in {self.language.name}"

    def program(self, player: str) -> tuple[str, bytes] | None:
        """The name and source of one of the PLAYERS. None if the game has none in this language."""
        if player == "kit":
            if self.language.slug not in self.game.kit_sources:
                return None
            name = example(self.game, self.language.slug)
            return name, (self.game.folder / "kit" / name).read_bytes()
        return plain_programs(self.game).get(self.language.slug)

    def kit(self) -> dict[str, bytes]:
        """The kit files that every program in the language is built with."""
        names = self.game.kit_sources.get(self.language.slug, ())
        return {name: (self.game.folder / "kit" / name).read_bytes() for name in names}

    def missing(self) -> str:
        """The first program that the game lacks, as people call it. Blank if it has both."""
        return next((TITLES[player] for player in PLAYERS if self.program(player) is None), "")

    def digest(self) -> str:
        """Of the programs, and of how the language is built and run."""
        found = hashlib.sha256(repr(self.language.recipe).encode())
        for part in (self.program("kit"), self.program("plain"), sorted(self.kit().items())):
            found.update(repr(part).encode())
        return found.hexdigest()

    @property
    def is_in_a_preset(self) -> bool:
        """Whether a preset names the language. Organisers who start from it wait for these cells."""
        return any(self.language.slug in it.languages for it in self.game.presets)

    @property
    def limits(self) -> Limits:
        allowed = [it.memory_mb * MEGABYTE for it in self.game.presets if self.language.slug in it.languages]
        usual = min(it.memory_mb * MEGABYTE for it in self.game.presets if not it.languages)
        return Limits(memory_bytes=min(allowed, default=max(usual, LEAST * self.language.memory_floor)))


@dataclass(frozen=True, slots=True)
class Hello:
    """A language, whose hello bot answers one line. Organisers may offer what is installed until that fails."""

    language: Language

    def __str__(self) -> str:
        return self.language.name

    def missing(self) -> str:
        return "" if self.language.slug in hello_bots() else "hello bot"

    def digest(self) -> str:
        return hashlib.sha256(repr((self.language.recipe, hello_bots().get(self.language.slug))).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the attempt to prove a cell. `problems` has a sentence for each of the PLAYERS that failed."""

    problems: dict[str, str]
    seconds: float


def turn(cell: Cell) -> tuple[bool, int]:
    """The order in which to prove cells: first what organisers wait for after a portal's first start. Those are the
    languages of presets, and those that need no compiler, which take a second or two each."""
    soon = cell.is_in_a_preset or not cell.language.recipe.build
    return not soon, list(LANGUAGES).index(cell.language.slug)


def cells() -> list[Cell]:
    """The whole table."""
    return [Cell(game, language) for game in GAMES.values() for language in LANGUAGES.values()]


@cache
def plain_programs(game: Game) -> dict[str, tuple[str, bytes]]:
    """Name and source of the plain players of a game, by language."""
    return _programs_in(game.folder / "plain")


@cache
def hello_bots() -> dict[str, tuple[str, bytes]]:
    """Name and source of the hello bot of every language: it plays Tricky Eights by the line protocol, and repeats any
    other line."""
    return _programs_in(Path(__file__).parent / "hello")


def _programs_in(folder: Traversable) -> dict[str, tuple[str, bytes]]:
    paths = sorted(folder.iterdir(), key=lambda path: path.name) if folder.is_dir() else []
    return {recipe.language: (path.name, path.read_bytes()) for path in paths if (recipe := recognise(path.name))}


@cache
def programs(game: Game | None, slug: str) -> Programs:
    """What contest.languages asks for (settings.PROOF_PROGRAMS). None: the hello bot."""
    cell = Cell(game, LANGUAGES[slug]) if game else Hello(LANGUAGES[slug])
    return Programs(cell.digest(), cell.missing())


def record(cell: Cell | Hello, problem: str, seconds: float) -> Proof:
    """Keep what this machine has found out about a cell or a language. A blank problem is a proof."""
    found: dict[str, Any] = {
        "problem": printable(problem),
        "digest": cell.digest(),
        "toolchain": cell.language.toolchain()[:200],
        "level": probe().name,
        "seconds": seconds,
        "proved_at": timezone.now(),
        "seen_at": timezone.now(),
    }
    game = cell.game.slug if isinstance(cell, Cell) else ""
    return Proof.objects.update_or_create(found, game_slug=game, language=cell.language.slug, host=_host())[0]


def _host() -> str:
    return socket.gethostname()[:100]


def kept(cell: Cell | Hello) -> Proof | None:
    """What this machine found out last. None if it has not tried, or the database does not say."""
    try:
        game = cell.game.slug if isinstance(cell, Cell) else ""
        here = Proof.objects.filter(game_slug=game, language=cell.language.slug)
        return here.filter(host=_host()).first()
    except DatabaseError:
        return None


def is_current(cell: Cell | Hello, proof: Proof) -> bool:
    """Whether a machine need not try again: nothing has changed since it succeeded."""
    return not proof.problem and (proof.digest, proof.toolchain, proof.level) == (
        cell.digest(),
        cell.language.toolchain()[:200],
        probe().name,
    )


def tidy() -> None:
    """Say that this machine is here. Remove its proofs in languages that it no longer has, and those of machines that
    are gone."""
    Proof.objects.filter(host=_host()).update(seen_at=timezone.now())
    Proof.objects.of_machines_gone().delete()
    gone = [slug for slug, language in LANGUAGES.items() if not language.installed()]
    Proof.objects.filter(host=_host(), language__in=gone).delete()


@lru_cache(maxsize=64)
def prove_library(language: Language, library: Library, version: str) -> str:
    """Build and run the program that uses a library. Returns why it failed, blank if it did not."""
    made = build(language, library.proof.encode(), f"Proof{language.extensions[0]}")
    if made.artifact is None:
        return f"{made.reason} {made.log}".strip()
    with Jail.open(made.artifact, language, Limits(memory_bytes=ROOM)) as jail:
        said = jail.ask(b"", seconds=10)
    return "" if said.output.split() == [b"ok"] else f"{said.exit}: {said.errors.decode('utf-8', 'replace')[-1000:]}"


def greet(language: Language) -> str:
    """Build and run a language's hello bot. Returns why it failed, blank if it answered."""
    name, source = hello_bots()[language.slug]
    made = build(language, source, name)
    if made.artifact is None:
        return f"It does not build: {made.reason}\n{made.log}".strip()
    with Jail.open(made.artifact, language, Limits(memory_bytes=LEAST * language.memory_floor)) as jail:
        said = jail.ask(b"hello\n", seconds=60)  # far more than any needs: a busy machine must not withdraw a language
    if said.output == b"got hello\n":
        return ""
    return f"It does not answer: {said.exit}\n{said.errors.decode('utf-8', 'replace')[-1000:]}".strip()


def prove(cell: Cell) -> Outcome:
    """Build and play a cell's programs on this machine. Raises MachineryError where the sandbox itself fails."""
    started = time.monotonic()
    problems, artifacts = {}, {}
    for player in PLAYERS:
        program = cell.program(player)
        if program is None:
            problems[player] = f"{cell.game.title} has no {TITLES[player]} for it."
            continue
        name, source = program
        made = build(cell.language, source, name, cell.kit())
        if made.artifact is None:
            problems[player] = f"It does not build: {made.reason}\n{made.log}".strip()
        else:
            artifacts[player] = made.artifact
    for some in _tables(cell.game, artifacts):
        problems |= _play(cell, some)
    return Outcome(problems, time.monotonic() - started)


def _tables(game: Game, artifacts: dict[str, bytes]) -> Iterator[dict[str, bytes]]:
    """Who plays together: all where there are seats enough."""
    if len(artifacts) <= game.seats[1]:
        if artifacts:
            yield artifacts
    else:
        yield from ({player: artifact} for player, artifact in artifacts.items())


def _play(cell: Cell, artifacts: dict[str, bytes]) -> dict[str, str]:
    """Play a match with house players in the other seats. Returns what went wrong, by player."""
    game = cell.game
    preset = game.presets[-1]
    with ExitStack() as stack:
        seats = [
            Seated(player, player, PROTOCOLS[game.protocol](stack.enter_context(_jail(cell, artifact, preset))))
            for player, artifact in artifacts.items()
        ]
        for seat in range(len(seats), game.seats[0]):
            seats.append(Seated(f"house {seat}", "house:random", HousePlayer(game.house[0])))
        options = game.options(dict(game.lengths[-1].options) if game.lengths else {}, preset.name)  # the shortest
        match = referee.play(game, seats, seed=SEED, options=options, preset=preset.name, games=GAMES_PLAYED)
    problems = {}
    for seat, player in enumerate(artifacts):
        if faults := match.faults[seat]:
            problems[player] = f"It made a fault in a match: {faults[0]['kind']}: {faults[0]['detail']}"
    if not problems and (wrong := verify(match.record)):
        raise MachineryError(f"the record of {cell} is wrong: {wrong}")
    return problems


def _jail(cell: Cell, artifact: bytes, preset: Preset) -> Jail:
    server = preset.server if cell.game.protocol == "socket" else None
    return Jail.open(artifact, cell.language, cell.limits, server)
