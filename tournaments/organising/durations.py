"""Estimates of how long a match usually takes, for organisers before the start."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

from django.db.models import Avg
from django.db.models.functions import Length

import games
from contest.models import Contest
from games import referee
from games.format import thinking_times
from games.players import HousePlayer, Seated
from games.record import dumps, games_played
from submissions.models import CheckGame, Submission, pack
from tournaments.models import Match, Record, Stage
from tournaments.organising import workload

START = 0.1  # seconds to start a bot
SAMPLE = 50  # recent matches from which to estimate
CHECKS = 6  # without matches: recent check games, whose records are read


@dataclass(frozen=True, slots=True)
class Budget:
    """One match. `measured`: `usual` comes from matches here. `checked`: without matches, it comes from the thinking
    times in the check games of versions; without those, from a game of house players."""

    games: int
    usual: timedelta
    measured: bool
    checked: bool = False


def budget(contest: Contest, games_: int | None) -> Budget:
    """How long a match with this many games takes under the contest's present rules. None: the rules decide."""
    if games_ is None:
        games_ = typical_games(contest)
    seen = workload.recent(contest).a_game
    if seen is not None:
        return Budget(games_, games_ * seen, measured=True)
    seats, checked = contest.game.seats[1], _thought_per_game(contest)
    thought = _thought_by_house(contest.game_slug, _options_of(contest)) if checked is None else seats * checked
    usual = games_ * timedelta(seconds=START * seats + thought)
    return Budget(games_, usual, measured=False, checked=checked is not None)


def match_budget(stage: Stage) -> Budget:
    """How long one of its matches takes."""
    openings = stage.played_in.openings(stage.options, stage.contest.game)
    return budget(stage.contest, len(openings) or stage.options.get("games"))


@lru_cache(maxsize=64)
def _thought_by_house(slug: str, options: str) -> float:
    """Seconds that house players think in a game of their own."""
    return sum(map(sum, thinking_times(_house_match(slug, options, 1).record))) / 1000


@lru_cache(maxsize=64)
def _bytes_of_a_game(slug: str, options: str) -> int:
    """The size of one game in a stored record."""
    return len(pack(dumps(_house_match(slug, options, 1).record)))


def record_size(contest: Contest, games_: int) -> tuple[int, bool]:
    """The size of a record with this many games in bytes, and whether it was measured in this contest."""
    seen = _bytes_of_a_record(contest)
    return (games_ * _bytes_of_a_game(contest.game_slug, _options_of(contest)), False) if seen is None else (seen, True)


def _bytes_of_a_record(contest: Contest) -> int | None:
    """The average over the latest matches."""
    latest = Match.objects.done().filter(contest=contest).order_by("-resulted").values_list("pk", flat=True)[:SAMPLE]
    size = Record.objects.filter(match__in=list(latest)).aggregate(size=Avg(Length("data")))["size"]
    return None if size is None else round(size)


def typical_games(contest: Contest) -> int:
    """The number of games in a match if the rules decide it: as measured here, or between two equal players."""
    latest = Match.objects.done().filter(contest=contest, games__gt=0).order_by("-resulted")
    seen = list(latest.values_list("games", flat=True)[:SAMPLE])
    if seen:
        return round(sum(seen) / len(seen))
    return _games_of_equals(contest.game_slug, _options_of(contest))


@lru_cache(maxsize=64)
def _games_of_equals(slug: str, options: str) -> int:
    return games_played(_house_match(slug, options, None).record)


def _house_match(slug: str, options: str, games_: int | None) -> referee.Match:
    """A match of the first house player against itself."""
    game = games.get(slug)
    seats = [Seated(f"Player {number}", "house", HousePlayer(game.house[0])) for number in range(game.seats[1])]
    return referee.play(game, seats, seed=1, options=json.loads(options), preset=game.presets[0].name, games=games_)


def _options_of(contest: Contest) -> str:
    return json.dumps(contest.full_options(), sort_keys=True)


def _thought_per_game(contest: Contest) -> float | None:
    """Seconds that the most recently checked bots thought in a game. None if none has passed its check."""
    passed = CheckGame.objects.filter(submission__team__contest=contest, submission__state=Submission.State.READY)
    found = [(checked.record_data(), checked.seat) for checked in passed.exclude(record=b"").order_by("-pk")[:CHECKS]]
    played = sum(games_played(record) for record, _ in found)
    return sum(sum(thinking_times(record)[seat]) for record, seat in found) / 1000 / played if played else None
