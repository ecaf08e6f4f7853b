"""The consequences for a stage if a match or a team were removed or put back. Nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum

from contest.models import Team
from tournaments.formats.plan import Plan, Ranked, TablePlan
from tournaments.kinds.plans import Settled
from tournaments.models import Match, Stage

OUT = 10**9  # the rank of a team that is out: after all others
Ranks = Mapping[int, int | None]
"""Ranks by team. None: it has no rank, or none yet."""


@dataclass(frozen=True, slots=True)
class Imagined:
    """An imagined change: matches (by id) replaced by another or by None; void matches restored; teams that leave or
    return."""

    replaced: Mapping[int, Match | None] = field(default_factory=dict)
    restored: Sequence[Match] = ()
    out: Set[int] = frozenset()
    back: Set[int] = frozenset()
    as_: Stage | None = None  # the stage with other settings; None: with its present ones


class Vacancy(StrEnum):
    """What becomes of the seats that nobody takes instead."""

    NONE = ""
    OPEN = "open"  # their teams are still in and may get them again
    NEXT = "next"  # their teams have left the stage: the next in line takes them, or a house player
    GONE = "gone"  # the plan has no such table any more


@dataclass(frozen=True, slots=True)
class Change:
    """A table at which other teams would meet."""

    name: str
    leaving: list[str]
    coming: list[str]
    vacancy: Vacancy = Vacancy.NONE


@dataclass(frozen=True, slots=True)
class Shift:
    """A team whose rank would change. None: no rank, or not known yet.

    `so_far`: matches that are open again may move it once more.
    """

    team: Team
    before: int | None
    after: int | None
    so_far: bool = False

    @property
    def way(self) -> str:
        """The direction: up, down, or blank if it is unknown."""
        if self.before is None or self.after is None or self.so_far:
            return ""
        return "up" if self.after < self.before else "down"

    @property
    def words(self) -> tuple[str, str]:
        """Both ranks in words."""
        said = [
            "none yet" if rank is None else "out" if rank == OUT else str(rank) for rank in (self.before, self.after)
        ]
        return said[0], f"{said[1]} so far" if self.so_far else said[1]


@dataclass(frozen=True, slots=True)
class StageImpact:
    """`voided`: further matches that would be void. `reopened`: tables decided now that would be open again.

    If a match is restored, `restored` are further matches that would count again, and `replaced` are those without a
    result that would have been played in the place of any of them.
    """

    stage: Stage
    voided: list[Match] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    reopened: list[str] = field(default_factory=list)
    shifts: list[Shift] = field(default_factory=list)
    followers: list[Stage] = field(default_factory=list)  # have begun with the best of this one, which would change
    replaced: Sequence[Match] = ()
    restored: Sequence[Match] = ()

    @property
    def is_empty(self) -> bool:
        matches = self.voided or self.replaced or self.restored
        return not (matches or self.changes or self.reopened or self.shifts or self.followers)


def of_plans(stage: Stage, now: Plan, then: Settled) -> StageImpact:
    """The difference between the plan now and another one."""
    before, after = _ranks(now), _ranks(then.plan)
    names = dict(Team.objects.filter(contest=stage.contest_id).values_list("pk", "name"))
    tables = {table.key: table for table in now.tables()}
    later = {table.key: table for table in then.plan.tables()}
    changes, reopened = [], []
    for place in sorted({*tables, *later}):  # in formats by rounds, later rounds are drawn when their time comes
        table, other = tables.get(place), later.get(place)
        was, will = table.teams if table else (), other.teams if other else ()
        name = table.name if table else later[place].name
        leaving = [names.get(team, "?") for team in was if team not in will]
        coming = [names.get(team, "?") for team in will if team not in was]
        if leaving or coming:
            left = any(after.get(team) == OUT for team in was if team not in will)
            changes.append(Change(name, leaving, coming, _vacancy(other, leaving, coming, left)))
        if table and table.decided and not (other and other.decided):
            reopened.append(name)
    voided = [match for match, _ in then.stale]
    shifts = shifts_of(before, after, _so_far(stage, then.plan))
    return StageImpact(stage, voided, changes, reopened, shifts, _followers(stage, before, after))


def _vacancy(then: TablePlan | None, leaving: Sequence[str], coming: Sequence[str], left: bool) -> Vacancy:
    """`left`: one of the teams that leave the table has left the stage."""
    if then is None:
        return Vacancy.GONE
    if len(leaving) <= len(coming):
        return Vacancy.NONE
    return Vacancy.NEXT if left else Vacancy.OPEN


def _so_far(stage: Stage, plan: Plan) -> set[int]:
    """The teams whose rank depends on tables that are not decided.

    In a bracket a rank is certain once everybody else of that round has finished it.
    """
    open_rounds = [table.round for table in plan.tables() if not table.decided]
    if plan.done or not open_rounds:
        return set()

    def is_open(ranked: Ranked) -> bool:
        return not stage.played_in.is_bracket() or ranked.round >= min(open_rounds)

    return {ranked.team for ranked in plan.ranking if ranked.rank is not None and is_open(ranked)}


def _ranks(plan: Plan) -> dict[int, int | None]:
    return {ranked.team: OUT if ranked.is_out else ranked.rank for ranked in plan.ranking}


def shifts_of(before: Ranks, after: Ranks, so_far: Set[int] = frozenset()) -> list[Shift]:
    """The teams whose rank would change, sorted by their new rank."""
    moved = [team for team in {**before, **after} if before.get(team) != after.get(team)]
    teams = Team.objects.in_bulk(moved)
    shifts = [Shift(teams[team], before.get(team), after.get(team), team in so_far) for team in moved if team in teams]
    return sorted(shifts, key=lambda shift: (shift.after is None, shift.after or 0, shift.before or 0))


def _followers(stage: Stage, before: Ranks, after: Ranks) -> list[Stage]:
    """Stages that have begun with the best of this one. They go on unchanged, although other teams are the best now."""
    begun = stage.followers.filter(entry=Stage.Entry.BEST, state__in=Stage.UNDER_WAY)
    return [follower for follower in begun if best(before, follower.best) != best(after, follower.best)]


def best(ranks: Ranks, count: int | None) -> set[int]:
    """The teams with the best ranks, up to `count`."""
    placed = [team for team, rank in sorted(ranks.items(), key=lambda it: it[1] or 0) if rank not in (None, OUT)]
    return set(placed[:count])
