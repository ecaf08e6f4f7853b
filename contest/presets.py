"""Contests as their organisers once ran them: a preset's settings around the game.

Its settings of the game (options, languages, memory) are in the game's folder; see games.engine.Preset. Its stages are
in tournaments.organising.presets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

import games
from contest import languages
from contest.models import Contest, User
from games.engine import Game
from games.options import Preset


@dataclass(frozen=True, slots=True)
class ContestDefaults:
    """A preset's settings of the contest around the game (docs/contests.md)."""

    team_size: int = 4
    source_kb: int = 256
    one_file: bool = False
    needs_strategy: bool = False
    approval_required: bool = False
    sanitize: bool = False
    live: bool = False  # teams' own programs may connect
    days_open: int = 28  # from opening to deadlines


DEFAULTS: dict[tuple[str, str], ContestDefaults] = {
    # "one source code file … and one text file describing your solution/strategy" (the Utah problem)
    ("tricky_eights", "utah-1998"): ContestDefaults(one_file=True, needs_strategy=True),
    # Teams of three, as in every ACM contest
    ("even_steven", "bospre-2009"): ContestDefaults(team_size=3, days_open=1),
    # An assignment: everyone works alone and submits "a single C file", and memory errors cost marks
    ("intensity", "comp1511-2018"): ContestDefaults(team_size=1, one_file=True, sanitize=True),
    # A challenge to a magazine's readers, who have a month
    ("hearts", "mactech-1998"): ContestDefaults(team_size=1, days_open=30),
    # Clients connect to the contest server for an open ladder, then for a final of those present
    ("barracuda", "barracuda-2014"): ContestDefaults(live=True, days_open=7),
}


def choices() -> list[tuple[Game, Preset]]:
    """Every preset of every game, in the order of the games."""
    return [(game, preset) for game in games.GAMES.values() for preset in game.presets]


def find(key: str) -> tuple[Game, Preset]:
    """Find a preset by `game:preset`, as forms and links write it. Raises OptionError."""
    slug, _, name = key.partition(":")
    game = games.get(slug)
    return game, game.preset(name)


def defaults(game: Game, preset: Preset, opens_at: datetime) -> dict[str, Any]:
    """Fields of a new Contest. Deadlines are at the end of a day in the current time zone.

    The languages that a preset names stay the contest's although they are missing here: the desk says how to install
    them, and bots in them are accepted from then on.
    """
    around = DEFAULTS.get((game.slug, preset.name), ContestDefaults())
    deadline = (opens_at + timedelta(days=around.days_open)).replace(hour=23, minute=59, second=0, microsecond=0)
    return {
        "game_slug": game.slug,
        "preset": preset.name,
        "opens_at": opens_at.replace(second=0, microsecond=0),
        "entry_deadline": deadline,
        "upload_deadline": deadline,
        "languages": list(preset.languages) or languages.offered(game),
        "memory_mb": preset.memory_mb,
        "startup_seconds": preset.startup,
        "team_size": around.team_size,
        "source_kb": around.source_kb,
        "one_file": around.one_file,
        "needs_strategy": around.needs_strategy,
        "approval_required": around.approval_required,
        "sanitize": around.sanitize,
        "live": around.live,
    }


def prepare(contest: Contest, by: User) -> None:
    """Add what other apps contribute to a preset, which is its draft stages. Call inside a transaction."""
    add_stages: Callable[[Contest, User], None] = import_string(settings.CONTEST_PREPARED_BY)
    add_stages(contest, by)
