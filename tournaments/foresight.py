"""What organisers are shown before they act: the bracket as it is or would be, and what an act would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from contest.models import Team
from tournaments import schedule, stages
from tournaments.formats import FormatError
from tournaments.formats.plan import Chair, Place, Plan, TablePlan
from tournaments.models import Match, Stage


@dataclass(frozen=True, slots=True)
class ChairView:
    """A chair in words. `kind`: team, absent (a team without a bot, the house plays), house, or open."""

    text: str
    kind: str
    seed: int | None = None
    place: int | None = None  # once the table is decided


@dataclass(frozen=True, slots=True)
class TableView:
    name: str
    chairs: list[ChairView]
    decided: bool
    matches: list[Match] = field(default_factory=list)  # the void ones too, oldest first


@dataclass(frozen=True, slots=True)
class RoundView:
    name: str
    tables: list[TableView]


@dataclass(frozen=True, slots=True)
class Bracket:
    """`rounds` is empty when there are too few teams. `absent`: entrants whose chair the house takes."""

    rounds: list[RoundView]
    absent: list[Team]
    teams: int


@dataclass(frozen=True, slots=True)
class Change:
    """A table at which others would meet."""

    name: str
    leaving: list[str]
    coming: list[str]


@dataclass(frozen=True, slots=True)
class Consequences:
    """What an act would change further: matches that would be void too, tables whose line-up would differ."""

    voided: list[Match]
    changes: list[Change]
    reopened: list[str]  # tables that are decided now and would not be any more


def bracket(stage: Stage) -> Bracket:
    """The stage as it stands, or as it would start now."""
    entrants = [*stage.left_out, *stages.current_order(stage)]
    teams = Team.objects.in_bulk(entrants)
    plan: Plan | None
    if stage.has_started:
        order = schedule.order_of(stage)
        plan = schedule.plan_of(stage)
        absent = [teams[team] for team in stage.left_out if team in teams]
    else:
        order = stages.drawn(stage)
        plan = stages.preview(stage)
        absent = stages.without_bot(entrants)
    if plan is None:
        return Bracket([], absent, len(entrants))
    words = _Words(plan, order, teams, {team.pk for team in absent}, _matches(stage))
    sizes = [len(tables) for tables in plan.rounds]
    rounds = [
        RoundView(stage.played_in.round_name(number, sizes, stage.options), [words.table(table) for table in tables])
        for number, tables in enumerate(plan.rounds, start=1)
    ]
    return Bracket(rounds, absent, len(entrants))


def _matches(stage: Stage) -> dict[Place, list[Match]]:
    found: dict[Place, list[Match]] = {}
    for match in stage.matches.select_related("table").order_by("number", "pk"):
        found.setdefault((match.table.round, match.table.number), []).append(match)
    return found


class _Words:
    """A plan with the names that people know."""

    def __init__(
        self,
        plan: Plan,
        order: Sequence[int],
        teams: Mapping[int, Team],
        absent: set[int],
        matches: Mapping[Place, list[Match]],
    ) -> None:
        self.names = {table.place: table.name for table in plan.tables()}
        self.order = order
        self.seeds = {team: number for number, team in enumerate(order, start=1)}
        self.teams = teams
        self.absent = absent
        self.matches = matches

    def table(self, table: TablePlan) -> TableView:
        chairs = [self.chair(chair, table) for chair in table.chairs]
        return TableView(table.name, chairs, table.decided, self.matches.get(table.place, []))

    def chair(self, chair: Chair, table: TablePlan) -> ChairView:
        if chair.team is not None:
            name = self.teams[chair.team].name if chair.team in self.teams else "?"
            place = table.places.index(chair.team) + 1 if table.decided else None
            return ChairView(name, "team", self.seeds[chair.team], place)
        if chair.house and len(chair.feed) == 2:
            seed = chair.feed[1]
            team = self.teams.get(self.order[seed - 1])
            why = "no bot" if team and team.pk in self.absent else "out"
            return ChairView(f"{team} ({why}): a house player", "absent", seed)
        if chair.house:
            return ChairView("A house player", "house")
        assert len(chair.feed) == 4
        _, round, number, place = chair.feed
        return ChairView(f"{'First' if place == 1 else 'Second'} of {self.names[round, number]}", "open")


def of_voiding(match: Match) -> Consequences:
    return _consequences(match.stage, without=match)


def of_leaving(stage: Stage, team: Team) -> Consequences:
    return _consequences(stage, out={team.pk})


def of_returning(stage: Stage, team: Team) -> Consequences:
    return _consequences(stage, back_in={team.pk})


def _consequences(
    stage: Stage, *, without: Match | None = None, out: Set[int] = frozenset(), back_in: Set[int] = frozenset()
) -> Consequences:
    try:
        now = schedule.plan_of(stage)
        then = schedule.foresee(stage, without=without, more_out=out, back_in=back_in)
    except FormatError:
        return Consequences([], [], [])
    names = {team.pk: team.name for team in Team.objects.filter(pk__in=stage.order)}
    changes, reopened = [], []
    for before, after in zip(now.tables(), then.plan.tables(), strict=True):
        leaving = [names.get(team, "?") for team in before.teams if team not in after.teams]
        coming = [names.get(team, "?") for team in after.teams if team not in before.teams]
        if leaving or coming:
            changes.append(Change(before.name, leaving, coming))
        if before.decided and not after.decided:
            reopened.append(before.name)
    return Consequences([match for match, _ in then.stale], changes, reopened)
