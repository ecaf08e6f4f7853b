"""The table of cells: every game in every language, by the kit's random player and by a plain program that speaks the
protocol without a kit. Both are built and play in the jail, as workers prove it (submissions.proving).

A sample of the table is proven here: a game for each protocol in C, and in the part `kits` every game in C and Python,
and one game in each other language, in turn. The whole table takes a command, which proves it at every sandbox level:
`./run languages --prove --levels`. Cells that this machine cannot prove, because the language is not installed or the
game has no program, are all named nevertheless.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from games import GAMES
from games.engine import Game
from games.toolchains import recognise
from submissions.languages import LANGUAGES
from submissions.proving import PLAYERS, Cell, Outcome, cells, plain_programs, prove
from tests.sandbox.sandboxes import needs_jail

NOT_PROVEN = "not proven: {cell} ({player}) | {why}"
"""The reason of a test that is skipped. tests/conftest.py gathers the cells of each reason in one line."""


def sample() -> list[Cell]:
    """Every game in C and Python, and one game in each other language, so that all games have their turn."""
    others = [slug for slug in LANGUAGES if slug not in ("c", "python")]
    games = list(GAMES.values())
    turns = {slug: games[number % len(games)] for number, slug in enumerate(others)}
    return [cell for cell in cells() if turns.get(cell.language.slug, cell.game) is cell.game]


def cannot_be_proven_here(cell: Cell) -> bool:
    return bool(cell.missing()) or not cell.language.installed()


TRIED = [cell for cell in cells() if cell in sample() or cannot_be_proven_here(cell)]


@cache
def outcome(cell: Cell) -> Outcome:
    """Of both programs, which are built once and play together."""
    return prove(cell)


PROTOCOLS = ("tricky_eights", "intensity", "hearts", "barracuda")
"""A game for each."""


def cases() -> Iterator[Any]:
    """Each protocol in C is always proven, and the others in the part `kits`."""
    for cell in TRIED:
        always = cell.game.slug in PROTOCOLS and cell.language.slug == "c"
        marks = [] if always else [pytest.mark.long("kits")]
        yield pytest.param(cell, id=f"{cell.game.slug}-{cell.language.slug}", marks=marks)


@needs_jail
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("cell", list(cases()))
def test_a_cell_is_proven(cell: Cell, player: str) -> None:
    if cell.program(player) is None:
        pytest.skip(NOT_PROVEN.format(cell=cell, player=player, why="the game has no such program"))
    if not cell.language.installed():
        why = f"{cell.language.name} is not installed (./run languages {cell.language.slug})"
        pytest.skip(NOT_PROVEN.format(cell=cell, player=player, why=why))
    assert outcome(cell).problems.get(player) is None


def test_the_sample_has_every_language_and_every_game() -> None:
    assert {cell.language for cell in sample()} == set(LANGUAGES.values())
    assert {cell.game for cell in sample() if cell.language.slug not in ("c", "python")} == set(GAMES.values())
    assert len(sample()) == 2 * len(GAMES) + len(LANGUAGES) - 2


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_a_plain_program_uses_nothing_of_a_kit(game: Game) -> None:
    """It would not compile at a portal that has no kit, which is what it proves."""
    for slug, (name, source) in plain_programs(game).items():
        stems = {file.rpartition(".")[0].lower() for file in game.kit_sources.get(slug, ())}
        words = source.decode().lower()
        assert not [stem for stem in stems if f'"{stem}' in words or f"import {stem}" in words], name
        assert recognise(name) is LANGUAGES[slug].recipe


@needs_jail
def test_a_program_that_fails_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the two is told apart from the other: one does not compile, one plays a card that nobody holds."""
    cell = Cell(GAMES["tricky_eights"], LANGUAGES["c"])
    broken = b'#include <stdio.h>\nint main(void) { puts("d9"); puts("d9"); puts("d9"); return 0; }'
    programs = {"kit": ("random.c", b"int main(void) { return x; }"), "plain": ("plain.c", broken)}
    monkeypatch.setattr(Cell, "program", lambda self, player: programs[player])
    problems = prove(cell).problems
    assert "does not build" in problems["kit"]
    assert "'x' undeclared" in problems["kit"].replace("‘", "'").replace("’", "'")
    assert problems["plain"].startswith("It made a fault in a match: ")


def test_a_language_without_a_program_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cell, "program", lambda self, player: None)
    problems = prove(Cell(GAMES["hearts"], LANGUAGES["c"])).problems
    assert problems == {"kit": "Hearts has no kit for it.", "plain": "Hearts has no plain player for it."}
