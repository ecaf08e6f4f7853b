"""The bracket or the rounds of a stage for organisers, as they are or as they would be drawn now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Count

from contest.models import Team
from games.phrases import listed
from tournaments import kinds
from tournaments.formats.plan import Feed, Plan, Seat, TableKey, TablePlan
from tournaments.kinds.plans import schools_to_part
from tournaments.models import Match, Stage, Table
from tournaments.models.matches import with_reasons
from tournaments.organising import admission, stages
from tournaments.view_models.brackets import RoundView
from tournaments.view_models.tables import SeatView, TableView, Taker, awaited_from

PART = 60  # tables of a long round on one page


@dataclass(frozen=True, slots=True)
class RoundName:
    number: int
    name: str
    tables: int


@dataclass(frozen=True, slots=True)
class StagePreview:
    """A stage on its desk page: all rounds of a bracket, or some tables of one round in other formats.

    `rounds` is empty when there are too few teams or there is no plan. `absent`: entrants that cannot play.
    """

    rounds: list[RoundView]
    absent: list[Team]
    teams: int
    names: list[RoundName] = field(default_factory=list)  # of all rounds, if only one is shown
    chosen: int = 0
    part: int = 1
    parts: int = 1
    asked: bool = False  # the organiser has chosen this round, so it stays
    same_school: tuple[str, ...] = ()  # who meets their own school in round one, although schools are to be kept apart

    @property
    def earlier(self) -> int:
        return self.part - 1

    @property
    def later(self) -> int:
        return self.part + 1 if self.part < self.parts else 0


def stage_preview(stage: Stage, round: int | None = None, part: int = 1) -> StagePreview:
    """The stage as it is, or as it would be drawn now. `round` and `part` choose the tables of a long one."""
    kind = kinds.of(stage)
    entrants = [*stage.left_out, *admission.current_order(stage)]
    teams = Team.objects.in_bulk(entrants)
    if stage.awaits_source:
        order, absent = places_of(stage), []
        rounds = _planned(kind.sketch(stage, order))
    elif not kind.has_plan:
        return StagePreview([], admission.absent(stage.contest, entrants), len(entrants))
    elif stage.has_started:
        order = kind.entrants(stage)
        absent = [teams[team] for team in stage.left_out if team in teams]
        rounds = _written(stage) if kind.is_long(stage) else _planned(kind.plan(stage))
    else:
        order, absent = stages.drawn(stage), admission.absent(stage.contest, entrants)
        rounds = _planned(kind.sketch(stage, order))
    count = max(len(order), len(teams))
    if rounds is None:
        return StagePreview([], absent, count)
    names = [
        RoundName(number, stage.played_in.round_name(number, rounds.sizes, stage.options), size)
        for number, size in enumerate(rounds.sizes, start=1)
    ]
    words = _Words(stage, rounds.names, order, teams, absent)
    same_school = tuple(_of_one_school(stage, rounds.tables(1), teams)) if names else ()
    if kind.is_bracket(stage):
        words.matches = _matches(stage)
        shown = [_round(name, rounds.tables(name.number), words) for name in names]
        return StagePreview(shown, absent, count, same_school=same_school)
    empty = StagePreview([], absent, count, names, same_school=same_school)
    return _one_round(stage, rounds, names, words, empty, round, part)


def _of_one_school(stage: Stage, tables: Sequence[TablePlan], teams: Mapping[int, Team]) -> Iterator[str]:
    """Those who meet their own school at these tables, in a stage that keeps schools apart."""
    schools = schools_to_part(stage).get("schools", {})
    for table in tables if schools else ():
        met: dict[str, list[Team]] = {}
        for team in table.teams:
            if schools.get(str(team)):
                met.setdefault(schools[str(team)], []).append(teams[team])
        for mates in met.values():
            if len(mates) > 1:
                yield f"{table.name}: {listed([team.name for team in mates])} of {mates[0].school}"


def places_of(stage: Stage) -> list[int]:
    """Stand-ins for the teams that an unfinished stage will send: -1 is its first, -2 its second, and so on."""
    if stage.entry != Stage.Entry.BEST:
        return []
    most = len(admission.candidates(stage))
    return [-place for place in range(1, min(stage.best or most, most) + 1)]


@dataclass(frozen=True, slots=True)
class _Rounds:
    """The tables of a stage, from its plan or from the database."""

    sizes: list[int]
    current: int  # the first with something to play, or the last
    tables: Callable[[int], Sequence[TablePlan]]
    names: Mapping[TableKey, str]


def _planned(plan: Plan | None) -> _Rounds | None:
    if plan is None:
        return None
    open_ = (number for number, tables in enumerate(plan.rounds, 1) if not all(table.decided for table in tables))
    names = {table.key: table.name for table in plan.tables()}
    last = len(plan.rounds)
    return _Rounds([len(tables) for tables in plan.rounds], next(open_, last), lambda n: plan.rounds[n - 1], names)


def _written(stage: Stage) -> _Rounds:
    """From the database, because planning thousands of tables to show sixty of them would be slow."""
    counted = stage.tables.order_by("round").values("round").annotate(count=Count("pk"))
    sizes = [row["count"] for row in counted]
    open_ = stage.matches.valid().open().order_by("table__round").values_list("table__round", flat=True)
    return _Rounds(sizes, open_.first() or len(sizes), lambda number: _tables_of(stage, number), {})


def _tables_of(stage: Stage, round: int) -> list[TablePlan]:
    """From the database. Tables whose matches are over count as decided, even while the round goes on."""
    valid = stage.matches.valid().filter(table__round=round)
    waiting = set(valid.open().values_list("table", flat=True))
    played = set(valid.done().values_list("table", flat=True)) - waiting
    return [
        TablePlan(
            *(table.round, table.number, table.name),
            tuple(_seat(table, tuple(feed), player) for feed, player in zip(table.feeds, table.players, strict=True)),
            decided=table.decided or table.pk in played,
            places=tuple(table.places),
        )
        for table in stage.tables.filter(round=round)
    ]


def _seat(table: Table, feed: Feed, player: int | str | None) -> Seat:
    if not isinstance(player, int):
        return Seat.of_house(feed) if player else Seat(feed)
    place = table.places.index(player) + 1 if player in table.places else None
    return replace(Seat.of_team(feed, player), place=place)


def _one_round(
    stage: Stage,
    rounds: _Rounds,
    names: list[RoundName],
    words: _Words,
    empty: StagePreview,
    round: int | None,
    part: int,
) -> StagePreview:
    if not names:
        return empty
    chosen = round if round and round <= len(names) else rounds.current
    tables = rounds.tables(chosen)
    parts = max(1, -(-len(tables) // PART))
    part = min(max(1, part), parts)
    tables = tables[(part - 1) * PART : part * PART]
    words.matches = _matches(stage, [table.key for table in tables])
    shown = [_round(names[chosen - 1], tables, words)]
    return replace(empty, rounds=shown, chosen=chosen, part=part, parts=parts, asked=round is not None)


def _round(name: RoundName, tables: Sequence[TablePlan], words: _Words) -> RoundView:
    return RoundView(name.number, name.name, [words.table(table) for table in tables])


def _matches(stage: Stage, places: Sequence[TableKey] | None = None) -> dict[TableKey, list[Match]]:
    """Matches by table, including void ones: of all tables, or of `places`, which belong to one round."""
    found: dict[TableKey, list[Match]] = {}
    matches = stage.matches.filter(pending=False).select_related("table").order_by("number", "pk")
    if places is not None:
        rounds, numbers = {place[0] for place in places}, {place[1] for place in places}
        matches = matches.filter(table__round__in=rounds, table__number__in=numbers)
    for match in with_reasons(list(matches.defer("openings", "options", "limits", "last_error"))):
        found.setdefault((match.table.round, match.table.number), []).append(match)
    return found


class _Words:
    """Turns a plan into names of teams and tables."""

    def __init__(
        self,
        stage: Stage,
        names: Mapping[TableKey, str],
        order: Sequence[int],
        teams: Mapping[int, Team],
        absent: Sequence[Team],
    ) -> None:
        self.source = stage.source
        self.by_rank = stage.seeding == Stage.Seeding.SOURCE
        self.names = names
        self.order = order
        self.seeds = {team: number for number, team in enumerate(order, start=1)}
        self.teams = teams
        self.absent = {team.pk for team in absent}
        self.matches: Mapping[TableKey, list[Match]] = {}

    def table(self, table: TablePlan) -> TableView:
        matches = self.matches.get(table.key, [])
        is_bye = table.is_bye and not matches
        seats = [self.seat(seat) for seat in table.seats if not (is_bye and seat.team is None)]
        void = [match for match in matches if match.state == Match.State.VOID]
        valid = [match for match in matches if match.state != Match.State.VOID]
        playoffs = [match for match in valid if match.kind == Match.Kind.PLAYOFF]
        return TableView(table, seats, [match for match in valid if match not in playoffs], playoffs, void)

    def seat(self, seat: Seat) -> SeatView:
        if seat.team is not None and seat.team < 0:
            who = f"No. {-seat.team} of {self.source}" if self.by_rank else f"A team of {self.source}"
            return SeatView(who, seed=self.seeds[seat.team], taker=Taker.OPEN)
        if seat.team is not None:
            team = self.teams.get(seat.team)
            return SeatView(team.name if team else "?", team, self.seeds[seat.team], place=seat.place)
        if seat.house and len(seat.feed) == 2:
            seed = seat.feed[1]
            team = self.teams.get(self.order[seed - 1])
            why = "no bot" if team and team.pk in self.absent else "out"
            return SeatView(f"House player for {team} ({why})", seed=seed, taker=Taker.ABSENT)
        if seat.house:
            return SeatView("House player", taker=Taker.HOUSE)
        if len(seat.feed) != 4:
            return SeatView("Not known yet", taker=Taker.OPEN)
        _, round, number, place = seat.feed
        return SeatView(awaited_from(self.names[round, number], place), taker=Taker.OPEN)
