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

from contest.refusal import Refused
from games.engine import Game
from tournaments.models import Match
from tournaments.organising import durations, workload

LOAD = 0.7  # of a core may be planned: builds, rounds that begin at once and lost machines take the rest
OVERHEAD = 2  # cores of the machine with the web server, the database and the broker
SAMPLE = 500  # recent matches
PACES = {
    "ladder": "{} teams on a ladder, each with a match every {}",
    "swiss": "{} teams in a Swiss system with a round every {}",
    "round_robin": "{} teams in a round robin with a round every {}",
    "single_elimination": "{} teams in an elimination with a round every {}",
}
"""The formats whose teams play at a pace. In a round, every team plays once; the first round of
an elimination is its largest."""


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


@dataclass(frozen=True, slots=True)
class Answer:
    """What a contest needs, and the figures that this stands on."""

    need: Need
    teams: int
    format: str  # one of PACES
    every: timedelta
    seconds: float  # that a match takes
    source: str  # of the seconds, in words
    seats: int  # teams at a table
    cores: int  # of a machine

    @property
    def words(self) -> str:
        machine = "machine" if self.need.machines == 1 else "machines"
        pace = PACES[self.format].format(f"{self.teams:,}", _span(self.every))
        return f"{pace}: {self.need.machines:,} {machine} with {self.cores} cores each."

    @property
    def stands_on(self) -> str:
        return (
            f"({self.need.busy:.1f} cores at {LOAD:.0%} load, and {OVERHEAD} cores for the portal, its database and "
            "its broker.)"
        )

    @property
    def doubt(self) -> str:
        """Why more machines do not help, as a sentence. Blank if they do."""
        if self.seconds <= self.every.total_seconds():
            return ""
        return (
            "A match takes longer than a team has until its next one, and a team plays one match at a time. No number "
            "of machines keeps this pace."
        )


def _span(time: timedelta) -> str:
    """Exact, unlike durations elsewhere, because somebody has typed it."""
    seconds = time.total_seconds()
    number, unit = (seconds, "second") if seconds < 60 else (seconds / 60, "minute")
    return f"{number:g} {unit}s" if number != 1 else unit


def answer(
    game: Game,
    teams: int,
    every: timedelta,
    cores: int,
    *,
    format: str = "ladder",
    seconds: float | None = None,
    seats: int | None = None,
) -> Answer:
    """What a contest needs. Without `seconds`, a match takes as long as on this installation. Raises Refused."""
    found = measured(game)
    took = seconds if seconds is not None else found.seconds
    at_table = seats if seats is not None else 2 if format == "round_robin" else found.seats
    if min(teams, took, at_table, cores, every.total_seconds()) <= 0:
        raise Refused("Every number must be more than 0.")
    if seconds is not None:
        source = "as you said"
    elif found.matches:
        source = f"measured in the latest {found.matches} matches of {game.title} here"
    else:
        source = f"a guess for quick bots: no match of {game.title} was played here yet"
    return Answer(need(teams, every, took, at_table, cores), teams, format, every, took, source, at_table, cores)


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
