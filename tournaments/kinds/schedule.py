"""Bringing a stage in line with its plan: what must be played is always *wanted minus present*.

A match that was played or queued for a line-up that is no longer wanted becomes void, with the reason. Everything else
follows from the matches that remain. So voiding, replays, play-offs and disqualifications are no steps of their own:
they follow from the plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.db.models import Min
from django.utils import timezone

from contest import ledger
from contest.ledger import Fact, Held
from contest.models import Act, Audience, Kind, User
from submissions import clock
from tournaments.formats.plan import FormatError, Plan, TableKey, TablePlan
from tournaments.kinds import timetable
from tournaments.kinds.plans import ByPlan, with_names
from tournaments.kinds.present import present
from tournaments.models import EarlierSpan, Match, MatchSeat, Stage, Table
from tournaments.models.matches import MatchQuerySet
from tournaments.results import tallies
from tournaments.seating.player_numbers import house_names

WRITTEN_AT_ONCE = 500  # matches of one UPDATE


@dataclass(frozen=True, slots=True)
class Changes:
    """What a reconciliation changed."""

    voided: int = 0
    created: int = 0
    tables: int = 0
    finished: bool = False

    def __bool__(self) -> bool:
        return bool(self.voided or self.created or self.tables or self.finished)


def follow_plan(kind: ByPlan, stage: Stage, contest: Held) -> Changes:
    """Void matches that the plan no longer wants, write its tables, create missing matches."""
    matches = present(stage)
    try:
        settled = kind.settle(stage, matches, kind.out_of(stage))
    except FormatError:
        if stage.has_started:
            raise
        removed, _ = stage.tables.all().delete()
        return Changes(tables=removed)
    void(contest, with_names(settled.stale, contest), by=None, by_plan=True)
    changed, tables = _write_tables(stage, settled.plan)
    if (order := kind.entrants(stage)) != stage.order:
        stage.order = order
        stage.save(update_fields=["order"])
        entrants = Fact(Kind.ENTRANTS_SET, stage.pk, data=stage.entrants_told, audience=Audience.EVERYONE)
        ledger.write(contest, entrants)
    created = []
    if stage.has_started:
        gone = {match.pk for match, _ in settled.stale}
        there = {key for key, match in matches.items() if match.pk not in gone}
        now = clock.now()
        last, begin = timetable.let_go(stage, settled.plan, now)
        timetable.start(contest, stage, begin, now)
        missing = timetable.wanted(stage, settled.plan, there, last)
        created = kind.make(contest, stage, [(tables[table.key], wanted) for table, wanted in missing])
    return Changes(len(settled.stale), len(created), changed, _write_state(contest, stage, settled.plan))


def is_in_line(kind: ByPlan, stage: Stage) -> bool:
    """Whether `follow_plan` would find nothing to do."""
    matches = present(stage)
    try:
        settled = kind.settle(stage, matches, kind.out_of(stage))
    except FormatError:
        if stage.has_started:
            raise
        return not stage.tables.exists()
    tables = {(table.round, table.number): table for table in stage.tables.all()}
    planned = settled.plan.tables()
    surplus = tables.keys() - {table.key for table in planned}
    if settled.stale or len(tables) - len(surplus) < len(planned) or any(tables[place].feeds for place in surplus):
        return False
    if any(_differing(tables[table.key], _table_values(stage, table, tables)) for table in planned):
        return False
    if not stage.has_started:
        return True
    last, begin = timetable.let_go(stage, settled.plan, clock.now())
    missing = next(timetable.wanted(stage, settled.plan, matches.keys(), last), None)
    return missing is None and not begin and settled.plan.done is (stage.state == Stage.State.DONE)


def void(
    held: Held,
    matches: Sequence[tuple[Match, str]],
    by: User | None,
    number: int | None = None,
    *,
    by_plan: bool = False,
) -> None:
    """Void matches, each with its reason, so that their results no longer count. Call inside a transaction.

    `number`: the ledger entry that already covers them. Otherwise each match gets an entry of its own. `by_plan`: only
    because the plan no longer wants them, so they can be restored with the match that caused it (`plans.Restored`).
    """
    reasons = {match.pk: reason for match, reason in matches}
    rows = Match.objects.valid().filter(pk__in=reasons).select_related("stage__contest", "table")
    found = {row.pk: row for row in rows.defer("last_error", "options", "limits", "table__feeds", "table__players")}
    voided = [found[pk] for pk in reasons if pk in found]
    if not voided:
        return
    data = {"by_plan": True} if by_plan else {}
    until = dict.fromkeys(found, number) if number else _tell(held, Kind.MATCH_VOIDED, voided, reasons, by, data)
    Act.objects.bulk_create(
        Act.of(held, by, "void match", row, reasons[row.pk], match=row.pk, was=row.state) for row in voided
    )
    played = [row for row in voided if row.state == Match.State.DONE]
    for row in voided:
        row.state, row.lease_until, row.counts_until = Match.State.VOID, None, until[row.pk]
    Match.objects.bulk_update(voided, ["state", "lease_until", "counts_until"], batch_size=WRITTEN_AT_ONCE)
    if played:
        seats = MatchSeat.objects.filter(match__in=[row.pk for row in played])
        seats.update(mu_before=None, sigma_before=None, mu_after=None, sigma_after=None)
        tallies.count_again(played)


def restore(held: Held, matches: Sequence[tuple[Match, str]], by: User | None) -> None:
    """Let void matches with results count again, each with its reason. Call inside a transaction.

    No other match that counts may have the same table and number.
    """
    reasons = {match.pk: reason for match, reason in matches}
    found = {row.pk: row for row in Match.objects.filter(pk__in=reasons).select_related("stage__contest", "table")}
    restored = [found[pk] for pk in reasons]
    EarlierSpan.objects.bulk_create(
        EarlierSpan(match=row, counts_from=row.counts_from or 0, counts_until=row.counts_until or 0) for row in restored
    )
    start = _tell(held, Kind.MATCH_RESTORED, restored, reasons, by)
    Act.objects.bulk_create(Act.of(held, by, "restore match", row, reasons[row.pk], match=row.pk) for row in restored)
    for row in restored:
        row.state, row.counts_from, row.counts_until = Match.State.DONE, start[row.pk], None
    Match.objects.bulk_update(restored, ["state", "counts_from", "counts_until"], batch_size=WRITTEN_AT_ONCE)
    tallies.count_again(restored)


def _tell(
    held: Held,
    kind: Kind,
    matches: Sequence[Match],
    reasons: Mapping[int, str],
    by: User | None,
    data: Mapping[str, object] = MappingProxyType({}),
) -> dict[int, int]:
    """Write one entry for each match. Returns the numbers by match."""
    facts = [
        Fact(kind, match.stage_id, match.pk, by=by, reason=reasons[match.pk], data=data, withheld=match.is_unreleased)
        for match in matches
    ]
    first = ledger.write(held, *facts)
    return {match.pk: number for number, match in enumerate(matches, first)}


def void_all(matches: MatchQuerySet, number: int) -> None:
    """Void many matches of one stage at once, so that their results no longer count. Call inside a transaction.

    `number`: the ledger entry that says why.
    """
    done = matches.done().order_by()
    stage_id = matches.order_by().values_list("stage", flat=True).first()
    first = done.aggregate(first=Min("resulted"))["first"]
    seats = MatchSeat.objects.filter(match__in=done.values("pk"))
    teams = set(seats.filter(team__isnull=False).order_by().values_list("team", flat=True).distinct())
    seats.update(mu_before=None, sigma_before=None, mu_after=None, sigma_after=None)
    matches.update(state=Match.State.VOID, lease_until=None, counts_until=number)
    if first is not None:
        tallies.count_without(Stage.objects.select_related("contest").get(pk=stage_id), first, teams)


def _write_tables(stage: Stage, plan: Plan) -> tuple[int, dict[TableKey, Table]]:
    """Write what differs. New tables are saved before the next round, whose seats refer to those that feed them."""
    tables = {(table.round, table.number): table for table in stage.tables.all()}
    planned = {table.key for table in plan.tables()}
    surplus = stage.tables.filter(pk__in=[table.pk for place, table in tables.items() if place not in planned])
    # Drawn matches are never deleted, since somebody may have seen them. Their table stays, without players.
    kept = set(surplus.filter(matches__isnull=False).values_list("pk", flat=True))
    changed = surplus.filter(pk__in=kept).exclude(feeds=[]).update(feeds=[], players=[], decided=False, places=[])
    changed += surplus.exclude(pk__in=kept).delete()[0] if len(kept) < surplus.count() else 0
    written: list[Table] = []
    for round in plan.rounds:
        for planned_table in round:
            values = _table_values(stage, planned_table, tables)
            table = tables.get(planned_table.key)
            if table is None:
                table = Table(stage=stage, round=planned_table.round, number=planned_table.number)
            elif not _differing(table, values):
                continue
            for name, value in values.items():
                setattr(table, name, value)
            tables[planned_table.key] = table
            written.append(table)
        if any(table.pk is None for table in written):
            changed += _save(written)
            written = []
    return changed + _save(written), tables


def _save(tables: Sequence[Table]) -> int:
    saved = Table.objects.bulk_create(
        tables, batch_size=500, update_conflicts=True, unique_fields=PLACE, update_fields=WRITTEN
    )
    return len(saved)


PLACE = ("stage", "until", "round", "number")
WRITTEN = ("name", "feeds", "players", "decided", "places")


def _differing(table: Table, values: Mapping[str, object]) -> list[str]:
    return [name for name, value in values.items() if getattr(table, name) != value]


def _table_values(stage: Stage, table: TablePlan, tables: Mapping[TableKey, Table]) -> dict[str, object]:
    houses = iter(house_names(stage, len(table.seats)))
    feeds: list[list[object]] = []
    players: list[object] = []
    for seat in table.seats:
        if len(seat.feed) == 4:
            _, round, number, place = seat.feed
            feeds.append(["table", tables[round, number].pk, place])
        else:
            feeds.append(list(seat.feed))
        players.append(f"house:{next(houses)}" if seat.house else seat.team)
    return {
        "name": _name(table, tables.get(table.key)),
        "feeds": feeds,
        "players": players,
        "decided": table.decided,
        "places": list(table.places),
    }


def _name(planned: TablePlan, table: Table | None) -> str:
    """A table at which somebody played keeps its name, even if it is a bye by now: its matches are called after it."""
    if table is None or table.name == planned.name or not table.matches.exists():
        return planned.name
    return table.name


def _write_state(held: Held, stage: Stage, plan: Plan) -> bool:
    """Finish a stage when its plan is done, and reopen it when something must be played again."""
    if not stage.has_started or plan.done is (stage.state == Stage.State.DONE):
        return False
    stage.state = Stage.State.DONE if plan.done else Stage.State.RUNNING
    stage.finished_at = timezone.now() if plan.done else None
    stage.save(update_fields=["state", "finished_at"])
    kind = Kind.STAGE_FINISHED if plan.done else Kind.STAGE_REOPENED
    open_round = min((table.round for table in plan.tables() if not table.decided), default=0)
    behind = open_round if stage.is_unreleased and open_round > stage.released else None
    fact = Fact(kind, stage.pk, round=behind, withheld=stage.is_unreleased, at=stage.finished_at)
    ledger.write(held, fact)
    Act.record(held, None, "finish stage" if plan.done else "reopen stage", stage, stage=stage.pk)
    return True
