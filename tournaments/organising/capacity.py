"""How many machines a contest needs, from the time that its matches take.

    matches per hour = teams ÷ teams at a table × matches of a team per hour
    cores            = matches per hour × seconds per match ÷ 3600 ÷ LOAD, and OVERHEAD for the portal itself

One core plays one match at a time, because the bots of a match take turns to think.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from games.engine import Game
from tournaments.models import Match
from tournaments.organising import durations, workload

LOAD = 0.7  # of a core may be planned: builds, rounds that begin at once and lost machines take the rest
OVERHEAD = 2  # cores of the machine with the web server, the database and the broker
SAMPLE = 500  # recent matches


@dataclass(frozen=True, slots=True)
class Measured:
    """How long a match of a game takes. `matches` were played here; 0: it is an estimate for quick bots."""

    seconds: float
    matches: int
    seats: int


@dataclass(frozen=True, slots=True)
class Need:
    """What a contest needs."""

    per_hour: float  # matches
    busy: float  # cores that play all the time
    cores: int  # that are needed, the portal's own included
    machines: int

    def words(self) -> str:
        machine = "machine" if self.machines == 1 else "machines"
        return f"{self.per_hour:.0f} matches an hour keep {self.busy:.1f} cores busy: {self.machines} {machine}"


def measured(game: Game) -> Measured:
    """From the latest matches of this game in all contests, or else a guess from its rules."""
    done = Match.objects.done().filter(contest__game_slug=game.slug, started_at__isnull=False)
    played = list(done.order_by("-finished_at").values_list("started_at", "finished_at", "games")[:SAMPLE])
    if (each := workload.took(played).a_match) is not None:
        return Measured(each.total_seconds(), len(played), game.seats[1])
    options = json.dumps(game.options({}, game.presets[0].name), sort_keys=True)
    return Measured(durations.guessed(game.slug, options, game.fair_games()).total_seconds(), 0, game.seats[1])


def need(teams: int, every: timedelta, seconds: float, seats: int, cores: int) -> Need:
    """`every`: the time between two matches of a team. `seats`: teams at a table. `cores` of a machine."""
    per_hour = teams / seats * 3600 / every.total_seconds()
    busy = per_hour * seconds / 3600
    wanted = ceil(busy / LOAD) + OVERHEAD
    return Need(per_hour, busy, wanted, ceil(wanted / cores))
