"""What would follow from an act of an organiser, in all stages of a contest at once, and in its standings.

It is computed as the act itself would be: by the plans of the formats from the results that would remain
(`kinds.plans.ByPlan.settle`), and by the same chain of ratings. Nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from django.db.models import QuerySet

from contest.models import Contest, Team
from tournaments.formats import FormatError
from tournaments.formats.plan import Plan
from tournaments.formats.rating_systems import standing
from tournaments.kinds import judged
from tournaments.kinds.planned import PLANNED
from tournaments.kinds.plans import Settled
from tournaments.models import Match, Review, Stage
from tournaments.organising.reviews import Pair
from tournaments.results import ratings, standings

OUT = 10**9  # the rank of a team that is out: after everybody
Ranks = Mapping[int, int | None]
"""By team. None: it has no rank, or none yet."""


@dataclass(frozen=True, slots=True)
class Change:
    """A table at which others would meet."""

    name: str
    leaving: list[str]
    coming: list[str]


@dataclass(frozen=True, slots=True)
class Shift:
    """A team that would stand elsewhere. None: without a rank, or it is open."""

    team: Team
    before: int | None
    after: int | None

    @property
    def way(self) -> str:
        """Which: up, down, or nothing where nobody can tell."""
        if self.before is None or self.after is None:
            return ""
        return "up" if self.after < self.before else "down"

    @property
    def words(self) -> tuple[str, str]:
        """Both ranks."""
        said = ["–" if rank is None else "out" if rank == OUT else str(rank) for rank in (self.before, self.after)]
        return said[0], said[1]


@dataclass(frozen=True, slots=True)
class StageOutlook:
    """`voided`: matches that would be void besides; `reopened`: tables decided now that would not be any more."""

    stage: Stage
    voided: list[Match] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    reopened: list[str] = field(default_factory=list)
    shifts: list[Shift] = field(default_factory=list)
    followers: list[Stage] = field(default_factory=list)  # that have begun with the best of this one, and others now

    @property
    def is_empty(self) -> bool:
        return not (self.voided or self.changes or self.reopened or self.shifts or self.followers)


@dataclass(frozen=True, slots=True)
class Outlook:
    """`stages`: those that have begun; `coming`: those that would be drawn anew with other entrants."""

    stages: list[StageOutlook]
    coming: list[Stage]
    standings: list[Shift]  # of the contest, by rating

    @property
    def voided(self) -> list[Match]:
        return [match for stage in self.stages for match in stage.voided]


def of_leaving(team: Team) -> Outlook:
    return _of_team(team, out={team.pk})


def of_returning(team: Team) -> Outlook:
    return _of_team(team, back={team.pk})


def _of_team(team: Team, out: Set[int] = frozenset(), back: Set[int] = frozenset()) -> Outlook:
    begun, coming, gone = [], [], []
    for stage in _stages(team.contest):
        if not stage.has_started:
            if stage.state == Stage.State.PUBLISHED and (back or team.pk in stage.order):
                coming.append(stage)
            continue
        if stage.played_in.continuous and out:
            begun.append(StageOutlook(stage, list(_open_of(team, stage))))
        if stage.played_in.runs or stage.played_in.continuous:
            continue  # what it has played there stays as it is
        found = _settled(stage, out=out, back=back)
        if found is None:
            continue
        now, then = found
        begun.append(_stage(stage, now.plan, then, _ranks(now.plan), _ranks(then.plan)))
        gone += [match for match, _ in then.stale]
    return Outlook(begun, coming, _standings(team.contest, without=gone, out=out, back=back))


def _open_of(team: Team, stage: Stage) -> QuerySet[Match]:
    """Of a ladder: matches that the team does not come to play."""
    return stage.matches.valid().open().filter(seats__team=team).select_related("table")


def of_voiding(match: Match) -> Outlook:
    stage = match.stage
    gone, seen = [match], StageOutlook(stage)
    if not (stage.played_in.runs or stage.played_in.continuous) and (found := _settled(stage, {match.pk: None})):
        now, then = found
        seen = _stage(stage, now.plan, then, _ranks(now.plan), _ranks(then.plan))
        gone += seen.voided
    return Outlook([seen], [], _standings(stage.contest, without=gone))


def of_review(review: Review, pairs: Sequence[Pair]) -> Outlook:
    """If it were applied now; of what is played so far."""
    stage = review.stage
    pairs = [pair for pair in pairs if pair.stands and pair.is_played]
    further: list[Match] = []
    if stage.played_in.continuous:
        seen = StageOutlook(stage)
    elif stage.played_in.runs:
        seen = StageOutlook(stage, shifts=_shifts(*_judged(stage, pairs)))
    else:
        seen = StageOutlook(stage)
        if (found := _settled(stage, {pair.old.pk: pair.new for pair in pairs})) is not None:
            now, then = found
            seen = _stage(stage, now.plan, then, _ranks(now.plan), _ranks(then.plan))
            further = [match for match, _ in then.stale]
    replaced = {pair.old.pk for pair in pairs}
    gone = [*(pair.old for pair in pairs), *(match for match in further if not match.pending)]
    coming = [pair.new for pair in pairs if pair.new not in further]
    voided = [match for match in seen.voided if match.pk not in replaced]
    return Outlook([replace(seen, voided=voided)], [], _standings(stage.contest, without=gone, adding=coming))


def _stages(contest: Contest) -> list[Stage]:
    return list(contest.stages.exclude(state=Stage.State.DRAFT).select_related("contest", "source"))


def _settled(
    stage: Stage,
    replaced: Mapping[int, Match | None] = MappingProxyType({}),
    *,
    out: Set[int] = frozenset(),
    back: Set[int] = frozenset(),
) -> tuple[Settled, Settled] | None:
    """As it stands and as it would (ByPlan.foresee). None: there is no plan."""
    try:
        return PLANNED.foresee(stage), PLANNED.foresee(stage, replaced, more_out=out, back_in=back)
    except FormatError:
        return None


def _stage(stage: Stage, now: Plan, then: Settled, before: Ranks, after: Ranks) -> StageOutlook:
    names = dict(Team.objects.filter(contest=stage.contest_id).values_list("pk", "name"))
    tables = {table.key: table for table in now.tables()}
    later = {table.key: table for table in then.plan.tables()}
    changes, reopened = [], []
    for place in sorted({*tables, *later}):  # by rounds, what follows is drawn when its time comes
        table, other = tables.get(place), later.get(place)
        was, will = table.teams if table else (), other.teams if other else ()
        name = table.name if table else later[place].name
        leaving = [names.get(team, "?") for team in was if team not in will]
        coming = [names.get(team, "?") for team in will if team not in was]
        if leaving or coming:
            changes.append(Change(name, leaving, coming))
        if table and table.decided and not (other and other.decided):
            reopened.append(name)
    voided = [match for match, _ in then.stale]
    return StageOutlook(stage, voided, changes, reopened, _shifts(before, after), _followers(stage, before, after))


def _ranks(plan: Plan) -> dict[int, int | None]:
    return {ranked.team: OUT if ranked.is_out else ranked.rank for ranked in plan.ranking}


def _shifts(before: Ranks, after: Ranks) -> list[Shift]:
    """Those whose rank would be another, from the first of then."""
    moved = [team for team in {**before, **after} if before.get(team) != after.get(team)]
    teams = Team.objects.in_bulk(moved)
    shifts = [Shift(teams[team], before.get(team), after.get(team)) for team in moved if team in teams]
    return sorted(shifts, key=lambda shift: (shift.after is None, shift.after or 0, shift.before or 0))


def _followers(stage: Stage, before: Ranks, after: Ranks) -> list[Stage]:
    """Stages that have begun with the best of this one: they go on as they are, although others are the best now."""
    begun = stage.followers.filter(entry=Stage.Entry.BEST, state__in=Stage.UNDER_WAY)
    return [follower for follower in begun if best(before, follower.best) != best(after, follower.best)]


def best(ranks: Ranks, count: int | None) -> set[int]:
    """The teams of the first ranks."""
    placed = [team for team, rank in sorted(ranks.items(), key=lambda it: it[1] or 0) if rank not in (None, OUT)]
    return set(placed[:count])


def _judged(stage: Stage, pairs: Iterable[Pair]) -> tuple[Ranks, Ranks]:
    said = {pair.old.pk: pair.new.seats.all()[0].verdict for pair in pairs}
    rows = judged.ranking(stage)
    before = {row.team.pk: OUT if row.is_out else row.rank for row in rows}
    others = [
        replace(row, runs=[replace(run, verdict=said.get(run.match.pk, run.verdict)) for run in row.runs])
        for row in rows
    ]
    return before, {row.team.pk: OUT if row.is_out else row.rank for row in judged.ranked(others)}


def _standings(
    contest: Contest,
    without: Sequence[Match],
    adding: Sequence[Match] = (),
    *,
    out: Set[int] = frozenset(),
    back: Set[int] = frozenset(),
) -> list[Shift]:
    """How the order by rating would change. Who is out has no rank there."""
    gone = [match.pk for match in without if match.state == Match.State.DONE]
    if not (gone or adding or out or back):
        return []
    played = list(Match.objects.filter(pk__in=gone).prefetch_related("seats"))
    rows = standings.of_contest(contest)
    before = {row.team.pk: row.rank if row.team.is_competing else OUT for row in rows}
    skills = ratings.imagined(contest, played, adding) if gone or adding else standings.skills_of(contest)
    if skills is None:  # of a ladder with very many results since
        return []
    fewer, more = (Counter(seat.team_id for match in some for seat in match.seats.all()) for some in (played, adding))
    left = {row.team.pk for row in rows if not row.team.is_competing} - back | out
    level = {
        row.team.pk: standing(skills[row.team.pk], row.record.matches - fewer[row.team.pk] + more[row.team.pk])
        for row in rows
        if row.team.pk in skills and row.team.pk not in left
    }
    values = sorted(level.values(), reverse=True)
    after = {team: values.index(value) + 1 for team, value in level.items()}
    return _shifts(before, after | dict.fromkeys(left & before.keys(), OUT))
