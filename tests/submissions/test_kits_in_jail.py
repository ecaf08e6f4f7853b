"""The kits' random players as the portal treats them: built and played in the jail, in the preset's memory."""

from contextlib import ExitStack

import pytest

import games
from games import referee
from games.engine import Game, Preset
from games.kits import kit_files
from games.players import HousePlayer, ProcessPlayer, Seated
from games.record import verify
from submissions import sandbox
from submissions.languages import LANGUAGES

MEGABYTE = 1 << 20
CASES = [
    pytest.param(game, preset, language, id=f"{game.slug}-{language}")
    for game in games.GAMES.values()
    for preset in game.presets
    for language in game.kit_sources
]


def random_player(game: Game, language: str) -> str:
    """The kit's random player: the file that a student uploads first."""
    return next(name for name in kit_files(game, language) if name.startswith("random"))


@pytest.mark.parametrize(("game", "preset", "language"), CASES)
def test_four_random_players_of_a_kit_play_without_a_fault(game: Game, preset: Preset, language: str) -> None:
    table = LANGUAGES[language]
    if not table.installed():
        pytest.skip(f"{table.name} is not installed (Debian package {table.package})")
    folder = game.folder / "kit"
    name = random_player(game, language)
    support = {file: (folder / file).read_bytes() for file in game.kit_sources[language]}
    built = sandbox.build(table, (folder / name).read_bytes(), name, support)
    assert built.ok, built.log
    assert built.artifact is not None
    # Where the preset does not take the language at all, an organiser who adds it has to give it more memory.
    memory = max(preset.memory_mb * MEGABYTE, 0 if language in preset.languages else 4 * table.memory_floor)
    limits = sandbox.Limits(memory_bytes=memory)
    with ExitStack() as stack:
        seats = [
            Seated(
                f"{language} {seat}",
                name,
                ProcessPlayer(stack.enter_context(sandbox.Jail.open(built.artifact, table, limits))),
            )
            for seat in range(game.seats[1] - 1)
        ]
        seats.append(Seated("house", "house:random", HousePlayer(game.house[0])))
        options = game.options({"target": 75}, preset.name)
        match = referee.play(game, seats, seed=1998, options=options, preset=preset.name, games=2)
    assert match.faults == [[]] * len(seats)
    assert match.record["result"]["disqualified"] == []
    assert verify(match.record) is None
