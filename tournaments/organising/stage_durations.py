"""Estimates of how long a whole stage usually takes, for organisers before the start."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from tournaments import kinds
from tournaments.kinds.expected import ExpectedRound, Times
from tournaments.models import Stage
from tournaments.organising import admission, workload
from tournaments.organising.durations import Budget, match_budget, record_size


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


def expected(stage: Stage) -> int:
    """The number of teams that will play, as far as it can be known now."""
    if stage.awaits_source:
        return len(admission.candidates(stage)[: stage.best])
    return len(admission.current_order(stage))
