"""Estimates of how long a match and a whole stage take, for organisers before the start."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
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
from tournaments import kinds
from tournaments.formats.plan import Plan
from tournaments.kinds.expected import ExpectedRound, Times
from tournaments.models import Match, Record, Stage
from tournaments.organising import admission, workload

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


@dataclass(frozen=True, slots=True)
class Pace:
    """The most matches of a ladder, with all teams available. `in_all`: until its end; None if it has none.

    `record`: bytes in one record. `measured`: the values come from this contest.
    """

    an_hour: int
    in_all: int | None
    record: int
    measured: bool

    @property
    def bytes_a_day(self) -> int:
        return 24 * self.an_hour * self.record

    @property
    def bytes_in_all(self) -> int | None:
        return None if self.in_all is None else self.in_all * self.record


@dataclass(frozen=True, slots=True)
class StageBudget:
    """A whole stage with this many teams. Play-offs are not included; with series there may be `most_matches`.

    `by_round`: the rounds, which are played one after another, with `at_once` matches in parallel.
    """

    one: Budget
    teams: int
    by_round: Sequence[ExpectedRound]
    matches: int
    most_matches: int
    at_once: int
    pace: Pace | None = None  # of a ladder

    @property
    def rounds(self) -> int:
        return len(self.by_round)

    @property
    def usual(self) -> timedelta:
        return sum((each.usual for each in self.by_round), timedelta())

    @property
    def games(self) -> int:
        return self.matches * self.one.games


def stage_budget(stage: Stage, in_turn: Collection[int] | None = None) -> StageBudget | None:
    """How long a stage that has not started (and may be unsaved) takes with all expected teams.

    `in_turn`: the rounds whose tables play one after the other; None: as it is stored. A ladder has no matches to
    count. Returns None if every version is a match, or if there are too few teams.
    """
    if in_turn is None:
        in_turn = stage.timetable.filter(in_turn=True).values_list("number", flat=True)
    one, at_once = match_budget(stage), max(1, workload.processes())
    teams = expected(stage)
    found = kinds.of(stage).expected(stage, teams, Times(one.usual, at_once, in_turn))
    if found is None:
        return None
    pace = None if found.an_hour is None else _pace(stage, one, found.an_hour, found.in_all)
    return StageBudget(one, teams, found.rounds, found.matches, found.most_matches, at_once, pace)


def _pace(stage: Stage, one: Budget, an_hour: int, in_all: int | None) -> Pace:
    record, measured = record_size(stage.contest, one.games)
    return Pace(an_hour, in_all, record, measured)


def whole_plan(stage: Stage, plan: Plan | None = None) -> Plan | None:
    """The plan of a stage or, before it is drawn, as it would be with as many teams as will probably play."""
    kind = kinds.of(stage)
    if stage.has_started or (plan is not None and plan.rounds):
        return plan or kind.plan(stage)
    return kind.sketch(stage, [-place for place in range(1, expected(stage) + 1)]) or plan


def expected(stage: Stage) -> int:
    """The number of teams that will play, as far as it can be known now."""
    if stage.awaits_source:
        return len(admission.candidates(stage)[: stage.best])
    return len(admission.current_order(stage))
