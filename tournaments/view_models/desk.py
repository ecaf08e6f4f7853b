"""Rehearsals, reviews, and what is public of each stage, as the desk shows them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

from contest.models import Contest, Team
from tournaments import formats
from tournaments.formats import FormatError
from tournaments.formats.plan import TablePlan
from tournaments.models import Match, Rehearsal, Review, Stage
from tournaments.organising import impact, rehearsals, releases, reviews, workload
from tournaments.organising.durations import match_budget
from tournaments.organising.timetable import name_of
from tournaments.results import visibility

SHOWN = 60  # tables of a round


@dataclass(frozen=True, slots=True)
class SeatSeen:
    name: str
    kind: str  # team, house, open
    place: int | None = None
    score: float | None = None
    advances: bool = False


@dataclass(frozen=True, slots=True)
class TableSeen:
    name: str
    seats: list[SeatSeen]
    matches: int  # that were played
    is_bye: bool  # and its name does not say so


@dataclass(frozen=True, slots=True)
class RoundSeen:
    name: str
    tables: list[TableSeen]
    more: int  # tables that are not shown
    matches: int


def rehearsal_seen(rehearsal: Rehearsal, most: int | None = SHOWN) -> dict[str, Any]:
    """What has been played so far. `most`: tables of a round; None shows all. Only `outdated` where nobody can read it
    any more."""
    stage = rehearsal.stage
    try:
        plan = rehearsals.plan_of(rehearsal)
        outdated = rehearsals.is_outdated(rehearsal)
    except FormatError:  # an older version of the portal knew this format
        return {"outdated": True}
    results = rehearsals.results_of(rehearsal)
    teams = Team.objects.in_bulk(rehearsal.order)
    played = {place: len(numbers) for place, numbers in results.items()}
    format = formats.get(rehearsal.format)
    sign = -1 if stage.contest.game.low_wins else 1
    sizes = [len(tables) for tables in plan.rounds]
    rounds = []
    for number, tables in enumerate(plan.rounds, start=1):
        shown = [_table(table, teams, played.get(table.key, 0), sign) for table in tables[:most]]
        name = format.round_name(number, sizes, rehearsal.terms)
        matches = sum(played.get(table.key, 0) for table in tables)
        rounds.append(RoundSeen(name, shown, len(tables) - len(shown), matches))
    took = rehearsal.finished_at - rehearsal.started_at if rehearsal.finished_at and rehearsal.started_at else None
    all_ms = None if took is None else took.total_seconds() * 1000
    return {
        "outdated": outdated,
        "rounds": rounds,
        "ranking": [(teams[it.team], it) for it in plan.ranking if it.team in teams],
        "matches": len(rehearsal.results),
        "known": sum(len(table.matches) for table in plan.tables()),
        "all_ms": all_ms,
        "each_ms": all_ms / len(rehearsal.results) if all_ms and rehearsal.results else None,
        **_estimate(stage, rounds),
    }


def _estimate(stage: Stage, rounds: list[RoundSeen]) -> dict[str, Any]:
    """How long the stage takes with the teams' bots: round after round, with as many matches at a time as workers."""
    at_once = max(1, workload.processes())
    turns = sum(ceil(round.matches / at_once) for round in rounds)
    one = match_budget(stage)
    return {"one": one, "at_once": at_once, "usual": one.usual * turns}


def _table(table: TablePlan, teams: dict[int, Team], played: int, sign: int) -> TableSeen:
    """`sign` is -1 in games where the lowest score wins: their plans hold negated points."""
    seats = []
    for seat in table.seats:
        if table.is_bye and seat.house:
            continue
        if seat.team is None:
            seats.append(SeatSeen("House player", "house") if seat.house else SeatSeen("Not known yet", "open"))
            continue
        name = teams[seat.team].name if seat.team in teams else "?"
        score = None if seat.score is None else sign * seat.score
        seats.append(SeatSeen(name, "team", seat.place, score, seat.team in table.advancing))
    needs_badge = table.is_bye and not table.name.endswith("bye")
    return TableSeen(table.name, sorted(seats, key=lambda it: it.place or 99), played, needs_badge)


def review_seen(review: Review) -> dict[str, Any]:
    """Its pairs of matches; `fallen`: those whose old match became void meanwhile; `live`: those that wait for teams'
    own programs; `impact`: of applying it, once all are played."""
    pairs = reviews.pairs_of(review)
    is_open = review.state == Review.State.OPEN
    waiting = [pair for pair in pairs if pair.new.state in (Match.State.QUEUED, Match.State.RUNNING)]
    is_ready = is_open and not waiting
    return {
        "pairs": pairs,
        "changed": [pair for pair in pairs if pair.is_changed],
        "fallen": [pair for pair in pairs if is_open and not pair.stands],
        "live": [pair for pair in waiting if pair.new.live],
        "played": sum(pair.is_played for pair in pairs),
        "is_open": is_open,
        "is_ready": is_ready,
        "impact": impact.of_review(review, pairs) if is_ready else None,
    }


def other_rules(stage: Stage) -> list[tuple[str, object, object]]:
    """Game options that have changed since the latest match: name, value then, value now."""
    then = stage.matches.done().order_by("-resulted").values_list("options", flat=True).first()
    now = stage.contest.full_options()
    return [(name, then.get(name), value) for name, value in now.items() if then.get(name) != value] if then else []


@dataclass(frozen=True, slots=True)
class StageResults:
    """A stage with what is public of it. `released`: how many rounds, in words."""

    stage: Stage
    released: str
    rounds: int
    next_round: int | None
    results: int
    shown: int

    @property
    def waits_for_release(self) -> bool:
        """Whether results of it that there are, or will be, need a release."""
        return self.shown < self.results or (self.stage.release == Stage.Release.ROUNDS and not self.stage.has_ended)


def released_of_stages(contest: Contest) -> list[StageResults]:
    """All stages except drafts."""
    public = visibility.public(contest).matches()
    rows = []
    for stage in contest.stages.exclude(state=Stage.State.DRAFT):
        done = Match.objects.done().filter(stage=stage)
        results, shown = done.count(), done.filter(pk__in=public.values("pk")).count()
        rounds = releases.rounds_of(stage)
        rows.append(StageResults(stage, _released(stage), rounds, releases.next_round(stage), results, shown))
    return rows


def _released(stage: Stage) -> str:
    if stage.release != Stage.Release.ROUNDS:
        return ""
    if not stage.released:
        return "no round is released yet"
    return f"released up to {name_of(stage, stage.released)}"
