"""The day of a stage that has not started: when its rounds probably begin and end, and what to look at before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.utils import timezone

from contest.formatting import duration
from tournaments import kinds
from tournaments.kinds.planned import PLANNED
from tournaments.models import Round, Stage
from tournaments.organising.deadlines import too_early_for
from tournaments.organising.durations import StageBudget, stage_budget
from tournaments.organising.stages import drawn
from tournaments.organising.timetable import RoundWish, count_of, rounds_of


@dataclass(frozen=True, slots=True)
class RoundForeseen:
    """A round with its probable begin and end. None: they follow from something unknown, such as a start by hand."""

    row: Round | RoundWish
    name: str
    usual: timedelta
    begins: datetime | None
    ends: datetime | None


@dataclass(frozen=True, slots=True)
class Day:
    """A stage as it would be played now. `budget`: on which the estimates rest."""

    budget: StageBudget
    rounds: Sequence[RoundForeseen]
    warnings: Sequence[str]


def stored_day(stage: Stage) -> Day | None:
    """The day of a stage as it is stored. None once it has started, with too few teams, and if it has no rounds."""
    budget = None if stage.has_started or kinds.of(stage) is not PLANNED else stage_budget(stage)
    return None if budget is None else day_of(stage, rounds_of(stage, 0), budget, timezone.now())


def day_of(stage: Stage, arranged: Sequence[Round | RoundWish], budget: StageBudget, now: datetime) -> Day:
    """The day of a stage (which may be unsaved) with this timetable, which may have more or fewer rounds than its
    plan."""
    rows = {row.number: row for row in arranged}
    rounds: list[RoundForeseen] = []
    over = stage.due_at
    for number, each in enumerate(budget.by_round, start=1):
        row = rows.get(number, RoundWish(number))
        begins = None if row.hold or (number == 1 and over is None) else _begins(row, over)
        over = begins and begins + each.usual
        rounds.append(RoundForeseen(row, each.name, each.usual, begins, over))
    warnings = [*_of_start(stage, rounds, now), *_of_rounds(rounds, now), *_of_clocks(rounds)]
    arranged_rows = (row for row in rows.values() if row.hold or row.starts_at or row.break_minutes is not None)
    last = max((row.number for row in arranged_rows if row.number > 1), default=0)
    able = drawn(stage) if last else []  # of those expected, some may be left out
    count = count_of(kinds.of(stage).sketch(stage, able)) or len(rounds)
    if last > count or 0 < last == max(rows) < count:  # lines left blank wait for nothing
        warnings.append(_of_count(last, count, len(able) or budget.teams))
    return Day(budget, rounds, warnings)


def _begins(row: Round | RoundWish, over: datetime | None) -> datetime | None:
    """When a round begins if the round before is over at that moment. None: not known."""
    if row.starts_at is not None:
        return row.starts_at if over is None else max(row.starts_at, over)
    return over and over + timedelta(minutes=row.break_minutes or 0)


# Warnings -------------------------------------------------------------------------------------------------------------


def _of_start(stage: Stage, rounds: Sequence[RoundForeseen], now: datetime) -> Iterator[str]:
    """A stage on hold without a start must begin before the first of its rounds that has one."""
    due = stage.due_at or next((each.begins for each in rounds if each.begins), None)
    if due is None:
        return
    is_held = any(each.row.hold for each in rounds[:1])
    if due == stage.due_at and due <= now and stage.state == Stage.State.DRAFT and not is_held:
        yield f"The start of this stage, {_said(due)}, has passed. It starts as soon as you publish it."
    if due < (closing := stage.contest.upload_deadline):
        matches = "it" if stage.options.get("freeze_versions", True) else "its first matches"
        closes = f"This stage would start before uploads close ({_said(closing)})."
        yield f"{closes} Versions uploaded later would not play in {matches}."
    elif early := too_early_for(stage, now):
        yield early


def _of_rounds(rounds: Sequence[RoundForeseen], now: datetime) -> Iterator[str]:
    for each in rounds:
        if each.row.number > 1 and each.row.starts_at and each.row.starts_at <= now:
            yield f"{each.name}: the start, {_said(each.row.starts_at)}, has passed."
        if each.row.release_at and each.row.release_at <= now:
            yield f"{each.name}: the time at which its results become public, {_said(each.row.release_at)}, has passed."
    for one, following in pairwise(rounds):
        start = following.row.starts_at
        if one.ends and start and following.row.number > 1 and not following.row.hold and start < one.ends:
            yield (
                f"{one.name} probably ends {_said(one.ends)}, which is after the start of {following.name}, "
                f"{_said(start)}."
            )


def _of_clocks(rounds: Sequence[RoundForeseen]) -> Iterator[str]:
    """Of clocks that change between two rounds, in the zone of the contest."""
    known = [(each, timezone.localtime(each.begins)) for each in rounds if each.begins]
    for (one, before), (other, after) in pairwise(known):
        change = (after.utcoffset() or timedelta()) - (before.utcoffset() or timedelta())
        if change:
            way = "forward" if change > timedelta() else "back"
            yield (
                f"Between {one.name} and {other.name}, the clocks go {way} by {duration(change)}: from {before:%Z} to "
                f"{after:%Z}."
            )


def _of_count(arranged: int, planned: int, teams: int) -> str:
    said = f"With {teams} teams, this stage has {planned} round{'' if planned == 1 else 's'}, but its timetable has"
    then = "Not all of these will be played." if arranged > planned else "The others start as their teams are known."
    return f"{said} {arranged}. {then}"


def _said(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return f"{local:%a} {local.day} {local:%b}, {local:%H:%M %Z}"
