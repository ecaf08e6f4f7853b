"""What organisers are shown of a stage: the bracket, or the rounds, as they are or would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from contest.models import Team
from tournaments import admission, schedule, stages
from tournaments.formats.plan import Chair, Place, Plan, TablePlan
from tournaments.models import Match, Stage

PART = 60  # tables of a long round on one page
ORDINALS = {1: "First", 2: "Second", 3: "Third", 4: "Fourth"}


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
    number: int


@dataclass(frozen=True, slots=True)
class RoundName:
    number: int
    name: str
    tables: int


@dataclass(frozen=True, slots=True)
class Bracket:
    """A stage as its desk page shows it: all rounds of a tree; of other formats one, and so many tables of it.

    `rounds` is empty when there are too few teams or there is no plan. `absent`: entrants that cannot play.
    """

    rounds: list[RoundView]
    absent: list[Team]
    teams: int
    names: list[RoundName] = field(default_factory=list)  # all there are, where one is shown
    chosen: int = 0
    part: int = 1
    parts: int = 1
    asked: bool = False  # somebody has chosen this round, so it stays

    @property
    def earlier(self) -> int:
        return self.part - 1

    @property
    def later(self) -> int:
        return self.part + 1 if self.part < self.parts else 0


def bracket(stage: Stage, round: int | None = None, part: int = 1) -> Bracket:
    """The stage as it stands, or as it would start now. `round` and `part` choose what is shown of a long one."""
    entrants = [*stage.left_out, *admission.current_order(stage)]
    teams = Team.objects.in_bulk(entrants)
    if stage.awaits_source:
        order = places_of(stage)
        plan, absent = stages.planned(stage, order), []
        if plan is None:
            return Bracket([], [], len(order))
    elif stage.played_in.continuous:
        return Bracket([], admission.absent(stage.contest, entrants), len(entrants))
    elif stage.has_started:
        order = schedule.order_of(stage)
        plan = schedule.plan_of(stage)
        absent = [teams[team] for team in stage.left_out if team in teams]
    else:
        order = stages.drawn(stage)
        plan = stages.preview(stage)
        absent = admission.absent(stage.contest, entrants)
        if plan is None:
            return Bracket([], absent, len(entrants))
    return _shown(stage, plan, order, teams, absent, round, part)


def places_of(stage: Stage) -> list[int]:
    """Stand-ins for those who will come from a stage that is not finished: -1 is its first, and so on."""
    if stage.entry != Stage.Entry.BEST:
        return []
    most = len(admission.candidates(stage))
    return [-place for place in range(1, min(stage.best or most, most) + 1)]


def _shown(
    stage: Stage,
    plan: Plan,
    order: Sequence[int],
    teams: Mapping[int, Team],
    absent: list[Team],
    round: int | None,
    part: int,
) -> Bracket:
    sizes = [len(tables) for tables in plan.rounds]
    names = [
        RoundName(number, stage.played_in.round_name(number, sizes, stage.options), size)
        for number, size in enumerate(sizes, start=1)
    ]
    count = max(len(order), len(teams))
    shown: list[tuple[RoundName, Sequence[TablePlan]]]
    if stage.played_in.page == "bracket":
        shown = [(name, plan.rounds[name.number - 1]) for name in names]
        words = _Words(stage, plan, order, teams, absent, _matches(stage))
        return Bracket([_round(name, tables, words) for name, tables in shown], absent, count)
    chosen = round if round and round <= len(names) else _current(plan)
    tables = plan.rounds[chosen - 1] if plan.rounds else ()
    parts = max(1, -(-len(tables) // PART))
    part = min(max(1, part), parts)
    tables = tables[(part - 1) * PART : part * PART]
    words = _Words(stage, plan, order, teams, absent, _matches(stage, [table.place for table in tables]))
    rounds = [_round(names[chosen - 1], tables, words)] if names else []
    return Bracket(rounds, absent, count, names, chosen, part, parts, asked=round is not None)


def _current(plan: Plan) -> int:
    """The first round with something to play, or the last."""
    open_ = (number for number, tables in enumerate(plan.rounds, 1) if not all(table.decided for table in tables))
    return next(open_, len(plan.rounds))


def _round(name: RoundName, tables: Sequence[TablePlan], words: _Words) -> RoundView:
    return RoundView(name.name, [words.table(table) for table in tables], name.number)


def _matches(stage: Stage, places: Sequence[Place] | None = None) -> dict[Place, list[Match]]:
    """By table, the void ones too; of all tables or of these, which are of one round."""
    found: dict[Place, list[Match]] = {}
    matches = stage.matches.filter(pending=False).select_related("table").order_by("number", "pk")
    if places is not None:
        rounds, numbers = {place[0] for place in places}, {place[1] for place in places}
        matches = matches.filter(table__round__in=rounds, table__number__in=numbers)
    for match in matches.defer("openings", "options", "limits", "last_error"):
        found.setdefault((match.table.round, match.table.number), []).append(match)
    return found


class _Words:
    """A plan with the names that people know."""

    def __init__(
        self,
        stage: Stage,
        plan: Plan,
        order: Sequence[int],
        teams: Mapping[int, Team],
        absent: Sequence[Team],
        matches: Mapping[Place, list[Match]],
    ) -> None:
        self.source = stage.source
        self.names = {table.place: table.name for table in plan.tables()}
        self.order = order
        self.seeds = {team: number for number, team in enumerate(order, start=1)}
        self.teams = teams
        self.absent = {team.pk for team in absent}
        self.matches = matches

    def table(self, table: TablePlan) -> TableView:
        chairs = [self.chair(chair, table) for chair in table.chairs]
        return TableView(table.name, chairs, table.decided, self.matches.get(table.place, []))

    def chair(self, chair: Chair, table: TablePlan) -> ChairView:
        if chair.team is not None and chair.team < 0:
            return ChairView(f"No. {-chair.team} of {self.source}", "open", self.seeds[chair.team])
        if chair.team is not None:
            name = self.teams[chair.team].name if chair.team in self.teams else "?"
            place = table.places.index(chair.team) + 1 if table.decided and chair.team in table.places else None
            return ChairView(name, "team", self.seeds[chair.team], place)
        if chair.house and len(chair.feed) == 2:
            seed = chair.feed[1]
            team = self.teams.get(self.order[seed - 1])
            why = "no bot" if team and team.pk in self.absent else "out"
            return ChairView(f"{team} ({why}): a house player", "absent", seed)
        if chair.house:
            return ChairView("A house player", "house")
        if len(chair.feed) != 4:
            return ChairView("Not known yet", "open")
        _, round, number, place = chair.feed
        return ChairView(f"{ORDINALS.get(place, f'No. {place}')} of {self.names[round, number]}", "open")
