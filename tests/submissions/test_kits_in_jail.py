"""The kits' random players in the portal's way: built and played in the jail, with the preset's memory."""

from contextlib import ExitStack
from functools import cache

import pytest

import games
from games import referee
from games.engine import Game
from games.kits import example
from games.options import Preset
from games.players import PROTOCOLS, HousePlayer, Seated
from games.record import verify
from submissions import sandbox
from submissions.languages import LANGUAGES
from submissions.pool import PORT
from tests.submissions.sandboxes import needs

MEGABYTE = 1 << 20
CASES = [
    pytest.param(game, preset, language, id=f"{game.slug}-{language}")
    for game in games.GAMES.values()
    for preset in game.presets
    for language in game.kit_sources
]


@cache
def built(game: Game, language: str) -> bytes:
    """The random player, built once for all presets."""
    folder = game.folder / "kit"
    name = example(game, language)
    support = {file: (folder / file).read_bytes() for file in game.kit_sources[language]}
    made = sandbox.build(LANGUAGES[language], (folder / name).read_bytes(), name, support)
    assert made.artifact is not None, made.log
    return made.artifact


@pytest.mark.parametrize(("game", "preset", "language"), CASES)
def test_the_random_players_of_a_kit_play_without_a_fault(game: Game, preset: Preset, language: str) -> None:
    table = needs(language)
    program = built(game, language)
    # If the preset does not allow the language at all, an organiser who adds it must allow more memory.
    memory = max(preset.memory_mb * MEGABYTE, 0 if language in preset.languages else 4 * table.memory_floor)
    limits = sandbox.Limits(memory_bytes=memory)
    port = PORT if game.protocol == "socket" else 0
    with ExitStack() as stack:
        seats = [
            Seated(
                f"{language} {seat}",
                example(game, language),
                PROTOCOLS[game.protocol](stack.enter_context(sandbox.Jail.open(program, table, limits, port=port))),
            )
            for seat in range(max(1, game.seats[1] - 1))
        ]
        if len(seats) < game.seats[1]:
            seats.append(Seated("house", "house:random", HousePlayer(game.house[0])))
        changes = {"target": min(75, preset.options["target"])} if "target" in preset.options else {}
        options = game.options(changes, preset.name)
        match = referee.play(game, seats, seed=1998, options=options, preset=preset.name, games=2)
    assert match.faults == [[]] * len(seats)
    assert match.record["result"]["disqualified"] == []
    assert verify(match.record) is None
