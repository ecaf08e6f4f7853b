"""What people choose to play by: a preset of the game, and how long it lasts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine import Game
from games.options import Length
from tournaments.models import CasualGame

WHOLE = Length("full", "Full game")


@dataclass(frozen=True, slots=True)
class Rules:
    """One choice. `options` are complete."""

    key: str
    title: str
    preset: str
    options: Mapping[str, Any]


def choices(game: Game) -> list[Rules]:
    """What a table of this game may be played by, the usual choice first. Presets that people cannot tell apart, since
    they differ only in what programs may be written in, count once."""
    known: list[Mapping[str, Any]] = []
    found = []
    for rules in _all(game):
        if rules.options not in known:
            known.append(rules.options)
            found.append(rules)
    return found


def _all(game: Game) -> Iterator[Rules]:
    several = len({repr(sorted(preset.options.items())) for preset in game.presets}) > 1
    for preset in game.presets:
        for length in game.lengths or (WHOLE,):
            options = game.options(length.options, preset.name)
            title = f"{preset.title}: {length.title}" if several else length.title
            yield Rules(f"{preset.name}.{length.name}", title, preset.name, options)


def terms(table: CasualGame) -> str:
    """What is played at a table, and how fast: `One hand · Quick`."""
    pace = CasualGame.Pace(table.pace).label.partition(":")[0]
    return " · ".join(filter(None, (title_of(table.game, table.options), pace)))


def title_of(game: Game, options: Mapping[str, Any]) -> str:
    """How a choice is called, by the options that a table has; blank where there is nothing to choose, or where the
    table was set otherwise."""
    found = choices(game)
    return next((rules.title for rules in found if rules.options == options), "") if len(found) > 1 else ""
