"""What is to be played is always *wanted minus present*: the format's plan against the matches that are there.

`reconcile` may be called at any time, by anybody, twice at once: it brings tables and matches in line with the plan and
finds nothing to do the second time. A match that was played or queued for a line-up that is no longer wanted is void,
with the reason; everything else follows from the matches that remain. Void and re-play, play-offs and disqualifications
are therefore not written anywhere as steps: they come out of the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from contest.models import Act, Contest, Team, User
from submissions.models import Submission
from tournaments.formats.plan import FormatError, Place, Plan, Result, TablePlan, WantedMatch
from tournaments.kinds import ladder
from tournaments.models import Match, MatchSeat, Stage, Table
from tournaments.models.matches import MatchQuerySet
from tournaments.results import tallies
from tournaments.results.locks import hold
from tournaments.seating import draw, queue
from tournaments.seating.player_numbers import house_names

Present = Mapping[tuple[Place, int], Match]
"""The valid matches of a stage by table and number, with their seats."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A plan that agrees with the matches that stay, and the matches that cannot, with the reasons."""

    plan: Plan
    stale: tuple[tuple[Match, str], ...]


# Reading --------------------------------------------------------------------------------------------------------------


READ = ("match", "index", "team", "house", "score", "penalty", "place", "disqualified", "fault_kind", "faults")
"""What plans and pages of a stage need of a chair."""


def present(stage: Stage, among: MatchQuerySet | None = None) -> dict[tuple[Place, int], Match]:
    """`among`: for a reader from whom something is kept, the matches that count for him."""
    seats = MatchSeat.objects.only(*READ)
    matches = stage.matches.valid() if among is None else among
    matches = matches.select_related("table").prefetch_related(Prefetch("seats", seats))
    matches = matches.defer("openings", "options", "limits", "last_error", "table__feeds", "table__players")
    return {((match.table.round, match.table.number), match.number): match for match in matches}


def order_of(stage: Stage) -> list[int]:
    """The entrants in their order; where every version is a run, those who have come since the start at the end."""
    order: list[int] = stage.order
    if not (stage.played_in.runs and stage.has_started):
        return order
    entered = Submission.objects.ready().filter(team__in=Team.objects.competing().filter(contest=stage.contest_id))
    coming = entered.order_by("team").values_list("team", flat=True).distinct()
    there = set(order)
    return [*order, *(team for team in coming if team not in there)]


def terms_of(stage: Stage) -> dict[str, Any]:
    """The options of the stage with what its format has to know besides (formats.plan.Format.plan)."""
    terms = {**stage.options, "seed": stage.seed}
    if not stage.played_in.runs:
        return terms
    entries: dict[int, list[int]] = {}
    teams = Team.objects.filter(contest=stage.contest_id)
    ready = Submission.objects.ready().filter(team__in=teams).order_by("number")
    for team, number in ready.values_list("team", "number") if stage.has_started else ():
        entries.setdefault(team, []).append(number)
    coming = Submission.objects.in_progress().filter(team__in=teams).exists()
    return {**terms, "entries": entries, "open": coming or stage.contest.uploads_open()}


def out_of(stage: Stage) -> set[int]:
    """The entrants that may not go on: they have left the contest or were disqualified."""
    order = order_of(stage)
    return set(order) - set(Team.objects.competing().filter(pk__in=order).values_list("pk", flat=True))


def result_of(match: Match, low_wins: bool) -> Result:
    """The result of a match that is done. Its seats must be loaded."""
    seats = list(match.seats.all())
    sign = -1 if low_wins else 1
    return Result(
        players=tuple(seat.team_id for seat in seats),
        places=tuple(seat.place or len(seats) for seat in seats),
        scores=tuple(sign * seat.counted for seat in seats),
        disqualified=frozenset(seat.team_id for seat in seats if seat.disqualified and seat.team_id),
    )


def settle(stage: Stage, matches: Present, out: Set[int]) -> Settled:
    """The plan that follows from the valid results. Raises FormatError while there is none to be had."""
    if stage.awaits_source:
        raise FormatError(f"It is not known yet who plays here: {stage.source} is not finished")
    format, order, terms = stage.played_in, order_of(stage), terms_of(stage)
    low_wins = stage.contest.game.low_wins
    staying = dict(matches)
    results: dict[Place, dict[int, Result]] = {}
    for (place, number), match in matches.items():
        if match.state == Match.State.DONE:
            results.setdefault(place, {})[number] = result_of(match, low_wins)
    stale: list[tuple[Match, str]] = []
    if format.by_rounds:
        terms = {**terms, "drawn": _drawn(stage, matches)}
    while True:
        plan = format.plan(order, results, {**terms, "playing": _playing(staying)}, out)
        wanted = {(table.place, match.number): match for table in plan.tables() for match in table.matches}
        wrong = [key for key, match in staying.items() if not _is_wanted(match, wanted.get(key))]
        if not wrong:
            return Settled(plan, tuple(stale))
        for place, number in wrong:
            match = staying.pop((place, number))
            stale.append((match, _why_stale(wanted.get((place, number)))))
            results.get(place, {}).pop(number, None)


def _drawn(stage: Stage, matches: Present) -> dict[Place, tuple[int, ...]]:
    """The teams at the tables of rounds that have begun: what was drawn stays, whatever is played again before it.

    Rounds before one that has begun have, also when all of their matches are void. Of the last one it is known who has
    left since, so that a team that comes back finds its chair; in those before it stays as it was without it."""
    begun = max((place[0] for (place, _), match in matches.items() if match.state != Match.State.QUEUED), default=0)
    tables = stage.tables.filter(round__lte=begun).values_list("round", "number", "players", "feeds")
    return {
        (round, number): (
            tuple(stage.order[feed[1] - 1] for feed in feeds if feed[0] == "seed")
            if round == begun
            else tuple(player for player in players if isinstance(player, int))
        )
        for round, number, players, feeds in tables
    }


def _playing(matches: Present) -> dict[Place, frozenset[int]]:
    """By place the teams of a match that is being played."""
    running = ((place, match) for (place, _), match in matches.items() if match.state == Match.State.RUNNING)
    return {
        place: frozenset(seat.team_id for seat in match.seats.all() if seat.team_id is not None)
        for place, match in running
    }


def _is_wanted(match: Match, wanted: WantedMatch | None) -> bool:
    return wanted is not None and {seat.team_id for seat in match.seats.all()} - {None} == set(wanted.teams)


def _why_stale(wanted: WantedMatch | None) -> str:
    if wanted is None:
        return "An earlier table is played or decided anew: it is not known yet who meets here."
    return "An earlier table was decided anew: other teams meet here now."


def _with_names(stale: Iterable[tuple[Match, str]], contest: Contest) -> list[tuple[Match, str]]:
    """The reasons, with the teams whose leaving is behind them."""
    stale = list(stale)
    met = {seat.team_id for match, _ in stale for seat in match.seats.all() if seat.team_id is not None}
    gone = {team.pk: team for team in contest.teams.filter(pk__in=met) if not team.is_competing}
    explained = []
    for match, reason in stale:
        leavers = [gone[seat.team_id] for seat in match.seats.all() if seat.team_id in gone]
        explained.append((match, " ".join(map(_why_out, leavers)) or reason))
    return explained


def _why_out(team: Team) -> str:
    reason = f": {team.state_reason}" if team.state_reason else ""
    return f"{team} is out ({team.get_state_display().lower()}{reason})."


def plan_of(stage: Stage) -> Plan:
    """The stage as it stands. Raises FormatError while there are too few entrants."""
    return settle(stage, present(stage), out_of(stage)).plan


def foresee(
    stage: Stage,
    replaced: Mapping[int, Match | None] = MappingProxyType({}),
    *,
    more_out: Set[int] = frozenset(),
    back_in: Set[int] = frozenset(),
) -> Settled:
    """What would follow if other matches, or none, were in the place of these (by id), and if teams left or came back.

    Changes nothing. `stale` are the further matches that would be void too.
    """
    others = {key: replaced.get(match.pk, match) for key, match in present(stage).items()}
    matches = {key: match for key, match in others.items() if match is not None}
    return settle(stage, matches, (out_of(stage) | more_out) - back_in)


# Writing --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Changes:
    """What a reconciliation did."""

    voided: int = 0
    created: int = 0
    tables: int = 0
    finished: bool = False

    def __bool__(self) -> bool:
        return bool(self.voided or self.created or self.tables or self.finished)


@transaction.atomic
def reconcile(stage: Stage) -> Changes:
    """Bring a published stage in line with its plan, and tell the workers once it is written.

    Tables are written from the publication on, matches from the start on (also while paused: they wait). While the
    entrants are not known, or too few, there are no tables. A continuous stage has no plan: the ladder goes on.
    """
    contest = hold(stage.contest_id)
    stage = Stage.objects.select_for_update(of=("self",)).select_related("contest", "source").get(pk=stage.pk)
    if stage.state == Stage.State.DRAFT:
        return Changes()
    changes = _go_on(stage, contest) if stage.played_in.continuous else _follow_plan(stage, contest)
    if changes:
        contest.touch(hidden=contest.is_frozen() or stage.release == Stage.Release.ROUNDS)
    if changes.created and stage.state == Stage.State.RUNNING:
        transaction.on_commit(lambda: queue.wake(changes.created))
    return changes


def after_result(match: Match) -> None:
    """What follows from a result: at once in a bracket; in rounds, when the last match of one is over."""
    stage = match.stage
    if stage.played_in.page != "rounds" or not stage.matches.valid().open().exists():
        reconcile(stage)


def _follow_plan(stage: Stage, contest: Contest) -> Changes:
    matches = present(stage)
    try:
        settled = settle(stage, matches, out_of(stage))
    except FormatError:
        if stage.has_started:
            raise
        removed, _ = stage.tables.all().delete()
        return Changes(tables=removed)
    void(_with_names(settled.stale, contest), by=None)
    changed, tables = _write_tables(stage, settled.plan)
    if (order := order_of(stage)) != stage.order:
        stage.order = order
        stage.save(update_fields=["order"])
    created = []
    if stage.has_started:
        gone = {match.pk for match, _ in settled.stale}
        there = {key for key, match in matches.items() if match.pk not in gone}
        missing = [
            (tables[table.place], wanted)
            for table in settled.plan.tables()
            for wanted in table.matches
            if (table.place, wanted.number) not in there
        ]
        created = draw.matches(stage, missing)
    return Changes(len(settled.stale), len(created), changed, _write_state(stage, settled.plan))


def _go_on(stage: Stage, contest: Contest) -> Changes:
    leavers = _with_names(ladder.leavers(stage), contest)
    void(leavers, by=None)
    made = ladder.reconcile(stage)
    return Changes(len(leavers), made.created, finished=made.finished)


def is_in_line(stage: Stage) -> bool:
    """Would `reconcile` find nothing to do? A look without locks, for those who ask often."""
    if stage.played_in.continuous:  # it is for the ladder to look
        return stage.state not in (Stage.State.RUNNING, Stage.State.PAUSED)
    if is_mid_round(stage):
        return True
    matches = present(stage)
    try:
        settled = settle(stage, matches, out_of(stage))
    except FormatError:
        if stage.has_started:
            raise
        return not stage.tables.exists()
    tables = {(table.round, table.number): table for table in stage.tables.all()}
    planned = settled.plan.tables()
    surplus = tables.keys() - {table.place for table in planned}
    if settled.stale or len(tables) - len(surplus) < len(planned) or any(tables[place].feeds for place in surplus):
        return False
    if any(_differing(tables[table.place], _table_values(stage, table, tables)) for table in planned):
        return False
    if not stage.has_started:
        return True
    missing = any((table.place, wanted.number) not in matches for table in planned for wanted in table.matches)
    return not missing and settled.plan.done is (stage.state == Stage.State.DONE)


def is_mid_round(stage: Stage) -> bool:
    """Is a round being played from which nothing can follow before its last match is over, whoever is out by now?"""
    if not (stage.played_in.page == "rounds" and stage.has_started):
        return False
    valid = stage.matches.valid()
    first = valid.open().order_by("table__round").values_list("table__round", flat=True).first()
    if first is None or not valid.filter(table__round__gte=first).exclude(state=Match.State.QUEUED).exists():
        return False
    left = Team.objects.filter(contest=stage.contest_id).exclude(pk__in=Team.objects.competing())
    return not valid.filter(state=Match.State.QUEUED, seats__team__in=left).exists()


def void(matches: list[tuple[Match, str]], by: User | None) -> None:
    """Take matches out, each with its reason, and their results out of what counts. Inside a transaction."""
    played = []
    for match, reason in matches:
        voided = Match.objects.valid().filter(pk=match.pk)
        if not voided.update(state=Match.State.VOID, reason=reason[:300], lease_until=None, voided_at=timezone.now()):
            continue
        if match.state == Match.State.DONE:
            played.append(match)
        Act.record(match.contest, by, "void match", match, reason, match=match.pk, was=match.state, why=match.reason)
    if played:
        MatchSeat.objects.filter(match__in=played).update(
            mu_before=None, sigma_before=None, mu_after=None, sigma_after=None
        )
        tallies.count_again(played)


def _write_tables(stage: Stage, plan: Plan) -> tuple[int, dict[Place, Table]]:
    """Write what differs, a round at once, since chairs name the tables of earlier ones that they are fed from."""
    tables = {(table.round, table.number): table for table in stage.tables.all()}
    planned = {table.place for table in plan.tables()}
    surplus = stage.tables.filter(pk__in=[table.pk for place, table in tables.items() if place not in planned])
    # Where something was begun, the records of what is void since hang on the table: it stays, with nobody at it.
    kept = set(surplus.filter(matches__attempt__gt=0).values_list("pk", flat=True))
    changed = surplus.filter(pk__in=kept).exclude(feeds=[]).update(feeds=[], players=[], decided=False, places=[])
    changed += surplus.exclude(pk__in=kept).delete()[0] if len(kept) < surplus.count() else 0
    for round in plan.rounds:
        written = []
        for planned_table in round:
            values = _table_values(stage, planned_table, tables)
            table = tables.get(planned_table.place)
            if table is None:
                table = Table(stage=stage, round=planned_table.round, number=planned_table.number)
            elif not _differing(table, values):
                continue
            for name, value in values.items():
                setattr(table, name, value)
            tables[planned_table.place] = table
            written.append(table)
        Table.objects.bulk_create(
            written, batch_size=500, update_conflicts=True, unique_fields=PLACE, update_fields=WRITTEN
        )
        changed += len(written)
    return changed, tables


PLACE = ("stage", "round", "number")
WRITTEN = ("name", "feeds", "players", "decided", "places")


def _differing(table: Table, values: Mapping[str, object]) -> list[str]:
    return [name for name, value in values.items() if getattr(table, name) != value]


def _table_values(stage: Stage, table: TablePlan, tables: Mapping[Place, Table]) -> dict[str, object]:
    houses = iter(house_names(stage, len(table.chairs)))
    feeds: list[list[object]] = []
    players: list[object] = []
    for chair in table.chairs:
        if len(chair.feed) == 4:
            _, round, number, place = chair.feed
            feeds.append(["table", tables[round, number].pk, place])
        else:
            feeds.append(list(chair.feed))
        players.append(f"house:{next(houses)}" if chair.house else chair.team)
    return {
        "name": table.name,
        "feeds": feeds,
        "players": players,
        "decided": table.decided,
        "places": list(table.places),
    }


def _write_state(stage: Stage, plan: Plan) -> bool:
    """A stage is finished when its plan is, and is not any more when something is to be played again."""
    if not stage.has_started or plan.done is (stage.state == Stage.State.DONE):
        return False
    stage.state = Stage.State.DONE if plan.done else Stage.State.RUNNING
    stage.finished_at = timezone.now() if plan.done else None
    stage.save(update_fields=["state", "finished_at"])
    said = {"finished_at": stage.finished_at.isoformat()} if stage.finished_at else {}
    Act.record(stage.contest, None, "finish stage" if plan.done else "reopen stage", stage, stage=stage.pk, **said)
    return True
