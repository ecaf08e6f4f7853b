"""A stage that follows a plan: a bracket, or rounds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from django.db.models import Count, Max, Sum, TextField
from django.db.models.functions import Cast

from contest.ledger import Held
from contest.models import Team
from submissions import clock
from tournaments.formats import Format, FormatError
from tournaments.formats.plan import NOBODY, Plan, Ranked, Result, TableKey, TablePlan, TeamId, WantedMatch
from tournaments.kinds import exported, schedule
from tournaments.kinds.consequences import Imagined, StageImpact, of_plans
from tournaments.kinds.expected import Expected, ExpectedRound, Times
from tournaments.kinds.plans import ByPlan, Reading
from tournaments.kinds.present import Present, result_of
from tournaments.kinds.schedule import Changes
from tournaments.kinds.stage_views import StageView
from tournaments.kinds.statuses import Statuses, Told
from tournaments.models import Match, MatchSeat, Stage, Table
from tournaments.results import standings
from tournaments.results.cache import Cache
from tournaments.results.history import not_reset
from tournaments.results.standings import StageRow, Totals
from tournaments.results.visibility import Sight
from tournaments.seating import draw

NOTHING = Plan((), False, ())


class Planned(ByPlan):
    name = "planned"
    plays_again = True
    has_plan = True
    expects_bots = True
    idles = False
    why_no_rehearsal = ""

    # Beginning

    def goes_by_numbers(self, stage: Stage) -> bool:
        return stage.seeding == Stage.Seeding.NUMBER

    def why_not_shorter(self, stage: Stage) -> str:
        if stage.played_in.is_bracket():
            return "A bracket cannot be shortened, because nobody has won before the final. You can only abandon it."
        plan, now = self.plan(stage), round_under_way(stage)
        if now == 0:
            return "No match of this stage has begun. You can only reset or abandon it."
        last = now >= max(plan.length, len(plan.rounds))
        return "The round in progress is the last one, so there is nothing to shorten." if last else ""

    def shorten(self, stage: Stage) -> None:
        stage.last_round = round_under_way(stage)

    # Following results

    def begun(self, stage: Stage, matches: Present) -> dict[str, Any]:
        return {"drawn": _drawn(stage, matches)} if stage.played_in.draws_by_rounds() else {}

    def seats_told(self, match: Match, sight: Sight) -> list[tuple[MatchSeat, Told]]:
        view = stage_view(sight.stage(match.stage_id), sight)
        place = match.table.round, match.table.number
        table = next((table for table in view.plan.tables() if table.key == place), None)
        if table is None:
            return []
        seats = sorted(match.players, key=lambda seat: (seat.place is None, seat.place or 0, seat.index))
        told = ((seat, view.statuses.of_team(table, seat.team_id)) for seat in seats if seat.team_id is not None)
        return [(seat, each) for seat, each in told if each is not None]

    def moves_on(self, stage: Stage) -> bool:
        """At once in a bracket; otherwise when the last match of a round is over."""
        return stage.played_in.is_bracket() or not stage.matches.valid().open().exists()

    def follow(self, stage: Stage, contest: Held, ahead: object) -> Changes:
        return schedule.follow_plan(self, stage, contest)

    def in_line(self, stage: Stage) -> bool:
        return is_mid_round(stage) or schedule.is_in_line(self, stage)

    def make(self, held: Held, stage: Stage, wanted: Sequence[tuple[Table, WantedMatch]]) -> list[Match]:
        if not wanted:
            return []
        versions = _versions(stage)
        return draw.matches(held, stage, wanted, lambda _: versions, draw.void_matches(stage))

    # Drawing

    def is_long(self, stage: Stage) -> bool:
        return not stage.played_in.is_bracket()

    # What if

    def in_place_of_void(self, stage: Stage) -> str:
        return f"A new match is played on {'the same' if stage.options.get('duplicate') else 'other'} deals."

    def consequences(self, stage: Stage, imagined: Imagined) -> StageImpact | None:
        try:
            now = self.preview(stage)
            then = self.preview(
                imagined.as_ or stage,
                imagined.replaced,
                restored=imagined.restored,
                more_out=imagined.out,
                back_in=imagined.back,
            )
        except FormatError:
            return None
        return of_plans(stage, now.plan, then)

    def expected(self, stage: Stage, teams: int, times: Times) -> Expected | None:
        """Rounds are played one after another."""
        plan = self.sketch(stage, [-number for number in range(1, teams + 1)])
        if plan is None:
            return None
        counts, sizes = _matches_by_round(stage, plan), [len(tables) for tables in plan.rounds]
        most = stage.options.get("best_of") or 1  # matches of a table in a series
        least = most // 2 + 1
        rounds = []
        for number, (count, tables) in enumerate(counts, start=1):
            in_turn = number in times.in_turn
            together = ceil(count / max(1, tables) / times.at_once) * tables if in_turn else ceil(count / times.at_once)
            name = stage.played_in.round_name(number, sizes, stage.options)
            rounds.append(ExpectedRound(name, together * least * times.usual))
        matches = sum(count for count, _ in counts)
        return Expected(rounds, matches * least, matches * most)

    # Rankings

    def ranking(self, stage: Stage) -> list[TeamId]:
        """Best first, without teams that are out."""
        return [ranked.team for ranked in self.plan(stage).ranking if not ranked.is_out]

    def rows(self, stage: Stage, sight: Sight) -> list[StageRow]:
        """Every entrant with its totals, best first. Empty where there is no plan."""
        return _rows(stage_view(stage, sight))

    def export(self, stage: Stage, sight: Sight) -> Iterator[dict[str, Any]]:
        view = stage_view(stage, sight)
        return exported.ranking(stage, _rows(view), lambda line: view.statuses.of_ranked(line.ranked))

    def champion(self, stage: Stage, sight: Sight) -> Team | None:
        return champion_of(stage_view(stage, sight))


PLANNED = Planned()


def statuses_of(stage: Stage, sight: Sight) -> tuple[Plan, Statuses] | None:
    """The plan of a stage with the status of every seat. None if there are no tables, or none to show."""
    if stage.played_in.kind != PLANNED.name or not stage.order:
        return None
    view = stage_view(stage, sight)
    return view.plan, view.statuses


def round_under_way(stage: Stage) -> int:
    """The last round in which a match has begun; 0: none. A round that is drawn but waits does not count."""
    begun = stage.matches.valid().exclude(state=Match.State.QUEUED)
    return begun.aggregate(last=Max("table__round"))["last"] or 0


def rounds_that_stay(stage: Stage) -> int:
    """How many rounds, counted from the first, stay as they were drawn, whoever plays."""
    return round_under_way(stage) if stage.played_in.draws_by_rounds() else 0


def is_mid_round(stage: Stage) -> bool:
    """Whether a round is in progress and nothing can follow before its last match is over, whoever has left."""
    if stage.played_in.is_bracket() or not stage.has_started:
        return False
    if stage.timetable.filter(started_at=None, starts_at__lte=clock.now()).exists():
        return False
    valid = stage.matches.valid()
    first = valid.open().order_by("table__round").values_list("table__round", flat=True).first()
    if first is None or not valid.filter(table__round__gte=first).exclude(state=Match.State.QUEUED).exists():
        return False
    left = Team.objects.filter(contest=stage.contest_id).exclude(pk__in=Team.objects.competing())
    return not valid.filter(state=Match.State.QUEUED, seats__team__in=left).exists()


def _drawn(stage: Stage, matches: Present) -> dict[TableKey, tuple[int, ...]]:
    """The teams at the tables of rounds that have begun: a draw stays, even if earlier matches are played again.

    If a round has begun, so have all rounds before it, even if all their matches are void. For the last one it is known
    who has left since, so that a team that comes back finds its seat. Earlier rounds stay as played without it.

    Behind a freeze, a round may have been drawn anew since. Then the matches that the reader knows tell who met.
    """
    begun = max((place[0] for (place, _), match in matches.items() if match.status != Match.State.QUEUED), default=0)
    tables = stage.tables_then().filter(round__lte=begun).exclude(feeds=[])  # or no such table was drawn any more
    told = tables.values_list("round", "number", Cast("players", TextField()), Cast("feeds", TextField()))
    found: dict[TableKey, tuple[int, ...]] = {}
    seated: dict[TableKey, tuple[int, ...]] = {}
    is_past = any(match.seen_at is not None for match in matches.values())
    for round, number, players, feeds in told:  # as text: to decode all costs more
        found[round, number] = tuple(player for player in json.loads(players) if isinstance(player, int))
        if round == begun or is_past:
            seated[round, number] = tuple(stage.order[feed[1] - 1] for feed in json.loads(feeds) if feed[0] == "seed")
    found |= {place: teams for place, teams in seated.items() if place[0] == begun}
    if not is_past:
        return found
    met = _met(stage, matches)
    for round in {place[0] for place, teams in met.items() if not set(teams) <= set(seated.get(place, ()))}:
        for place in [place for place in found if place[0] == round]:
            del found[place]
        found |= _drawn_then(stage, round, {place: teams for place, teams in met.items() if place[0] == round})
    return found


def _met(stage: Stage, matches: Present) -> dict[TableKey, tuple[int, ...]]:
    """The teams of these matches, as they were drawn."""
    options = stage.options
    turning = options.get("duplicate") or options.get("home_and_away") or options.get("best_of", 1) > 1
    found: dict[TableKey, tuple[int, ...]] = {}
    for (place, number), match in matches.items():
        if match.status != Match.State.QUEUED and match.kind == Match.Kind.REGULAR:
            seats = sorted(match.seats.all(), key=lambda seat: seat.index)
            drawn = draw.unseated([seat.team_id for seat in seats], match.seed, number - 1 if turning else None)
            found[place] = tuple(team for team in drawn if team is not None)
    return found


def _drawn_then(stage: Stage, round: int, met: dict[TableKey, tuple[int, ...]]) -> dict[TableKey, tuple[int, ...]]:
    """A round in which these met. A team that sat nowhere in it and is still in had a bye.

    Storing the tables of then would show nothing else: only rounds that have not begun are drawn anew, so the reader
    knows no result of such a round, and no ranking counts its byes yet.
    """
    there = set(Team.objects.competing().filter(pk__in=stage.order).values_list("pk", flat=True))
    busy = {team for teams in met.values() for team in teams}
    idle = [team for team in stage.order if team in there and team not in busy]
    last = max(number for _, number in met)
    return met | {(round, number): (team,) for number, team in enumerate(idle, last + 1)}


def _versions(stage: Stage) -> dict[int, int]:
    """The version each team plays in a match made now: the one it started with, or the active one."""
    versions = {int(team): version for team, version in stage.versions.items()}
    if not stage.options.get("freeze_versions", True):
        versions |= draw.active_versions(stage.order)
    return versions


def drawn_up_to(format: Format, plan: Plan, round: int) -> dict[str, list[list[Any]]]:
    """A part of the terms: the tables of the first rounds as drawn, for JSON. Empty for a bracket."""
    if not format.draws_by_rounds():
        return {}
    return {"drawn": [[*table.key, table.teams] for table in plan.tables() if table.round <= round]}


# Expectations ---------------------------------------------------------------------------------------------------------


def _matches_by_round(stage: Stage, plan: Plan) -> list[tuple[int, int]]:
    """How many matches are played in every round, and at how many tables."""
    drawn = [[table for table in tables if not _is_bye(table)] for tables in plan.rounds]
    known = [sum(max(1, len(table.matches)) for table in tables) for tables in drawn]
    if stage.options.get("duplicate"):  # later rounds have their matches when their teams are known
        seats = int(stage.options.get("seats") or stage.contest.game.seats[1])
        known = [max(count, len(tables) * seats) for count, tables in zip(known, drawn, strict=True)]
    found = [(count, len(tables)) for count, tables in zip(known, drawn, strict=True)]
    return found + found[-1:] * (plan.length - len(found))  # assume that later rounds are like the last known one


def _is_bye(table: TablePlan) -> bool:
    """Whether nothing will be played at it: there is one team, and no opponent will come."""
    return not table.matches and len(table.teams) == 1 and all(seat.is_known for seat in table.seats)


# The base of its pages ------------------------------------------------------------------------------------------------


def stage_view(stage: Stage, sight: Sight) -> StageView:
    """What a stage's pages show, in a constant number of queries. Pages read a stage's results here and nowhere else.

    When many readers ask after a result, the first computes the plan and the others wait for the same view.
    """
    here = stage.pk, stage.created_at, stage.state
    if here not in sight.views:
        key = (*here, sight.revision, _state_of(stage))
        sight.views[here] = CACHE.get(key, lambda: _stage_view(stage, sight))
    return replace(sight.views[here], stage=stage)


def _state_of(stage: Stage) -> tuple[Any, ...]:
    """Another one whenever a match has moved, also if no result has come of it."""
    by_state = stage.matches.order_by("state").values_list("state")
    return tuple(by_state.annotate(Count("pk"), Sum("attempt"), Max("resulted"), Max("counts_until")))


def _rows(view: StageView) -> list[StageRow]:
    ranking = ranking_now(view)
    return [
        StageRow(view.teams[each.team], each, ranking.records.get(each.team, Totals()))
        for each in ranking.ranked
        if each.team in view.teams
    ]


def _stage_view(stage: Stage, sight: Sight) -> StageView:
    teams = Team.objects.defer(*UNUSED).in_bulk(PLANNED.entrants(stage))
    try:
        known = PLANNED.read(stage, sight, teams)
    except FormatError:
        known = Reading(NOTHING, {}, NOBODY)
    void: dict[TableKey, list[Match]] = {}
    torn = sight.in_state(Match.State.VOID, sight.matches(stage)).filter(not_reset(sight.n), pending=False)
    for match in torn.select_related("table").order_by("number", "id"):
        void.setdefault((match.table.round, match.table.number), []).append(match)
    return StageView(stage, known.plan, known.matches, teams, known.out, sight.done(stage), void, known.withheld)


CACHE: Cache[StageView] = Cache(8)  # one for each way of seeing a stage
UNUSED = ("earlier_check_ins", "uploads_until", "created_at", "code", "school_key")  # of teams; lists sort by their key
RECORDS: Cache[dict[TeamId, Totals]] = Cache(16)  # by the numbers of the results that they add up


@dataclass(frozen=True, slots=True)
class Ranking:
    """Best first, with what every team has done in the matches that this order goes by.

    `rounds`: after so many whole rounds; None: every result counts at once.
    """

    ranked: tuple[Ranked, ...]
    records: Mapping[TeamId, Totals]
    rounds: int | None


def ranking_now(view: StageView) -> Ranking:
    """The ranking that pages and files show, computed once for each view."""
    return view.once("ranking", lambda: _ranking_now(view))


def _ranking_now(view: StageView) -> Ranking:
    """Nobody has a rank before there is a result that it goes by."""
    plan, rounds = view.plan, view.complete if view.draws_by_rounds else None
    whole = rounds is None or rounds == len(plan.rounds)
    ranked = plan.ranking if whole else ranking_after(view, rounds or 0)
    played = any(table.decided and table.matches for tables in plan.rounds[:rounds] for table in tables)
    if not plan.done and not played:
        ranked = tuple(replace(each, rank=None) for each in ranked)
    return Ranking(ranked, _records(view, ranked, rounds), rounds)


def _records(view: StageView, ranked: Iterable[Ranked], rounds: int | None) -> dict[TeamId, Totals]:
    if view.stage.played_in.ranks_by_round():
        by_round = {number: _records_in(view, number, number) for number in range(1, len(view.plan.rounds) + 1)}
        # A team without a whole table has reached no round, but its matches count in its totals.
        reached = {each.team: by_round.get(each.round or 1, {}) for each in ranked}
        return {team: records[team] for team, records in reached.items() if team in records}
    return _records_in(view, 1, rounds)


def _records_in(view: StageView, first: int, last: int | None) -> dict[TeamId, Totals]:
    """What the teams have done in the matches of these rounds that the reader may see."""
    matches = view.open.filter(table__round__gte=first)
    if last is not None:
        matches = matches.filter(table__round__lte=last)
    seats = MatchSeat.objects.filter(match__in=matches.values("pk"))
    stage, rounds = view.stage, range(first, (last or len(view.plan.rounds)) + 1)
    counted = (match for (place, _), match in view.matches.items() if place[0] in rounds)
    key = (stage.pk, stage.created_at, *(match.resulted for match in counted if match.status == Match.State.DONE))
    return RECORDS.get(key, lambda: standings.records_of(seats, stage.contest.game))


def ranking_after(view: StageView, rounds: int) -> tuple[Ranked, ...]:
    """The ranking as it was after this many rounds, by the results that count now. Computed once for each view."""
    return view.once(f"ranking after {rounds}", lambda: _ranking_after(view, rounds))


def _ranking_after(view: StageView, rounds: int) -> tuple[Ranked, ...]:
    if rounds in view.plan.rankings:
        return view.plan.rankings[rounds]
    stage = view.stage
    results: dict[TableKey, dict[int, Result]] = {}
    low_wins = stage.contest.game.low_wins
    for (place, number), match in view.matches.items():
        if place[0] <= rounds and match.status == Match.State.DONE:
            results.setdefault(place, {})[number] = result_of(match, low_wins)
    terms = PLANNED.terms(stage)
    if view.draws_by_rounds:  # the pairings exist already
        tables = (table for tables in view.plan.rounds[:rounds] for table in tables)
        terms |= {"rounds": rounds, "drawn": {table.key: table.teams for table in tables}}
    return stage.played_in.plan(stage.order, results, terms, view.out).ranking


def champion_of(view: StageView) -> Team | None:
    """The team alone in first place, once the stage is over."""
    if view.stage.state != Stage.State.DONE:
        return None
    first = [each for each in view.plan.ranking if each.rank == 1 and not each.is_out]
    team = view.teams.get(first[0].team) if len(first) == 1 else None
    return team if team and team.is_competing else None
