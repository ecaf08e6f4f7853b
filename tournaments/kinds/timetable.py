"""Which matches of a stage's plan may be played now, by its timetable.

A match exists only once its round has been let go. So a round that waits cannot be claimed by a worker, whatever else
happens, and letting it go is one UPDATE in the transaction that makes its first matches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Max, QuerySet

from contest import ledger
from contest.ledger import Fact, Held
from contest.models import Kind
from tournaments.formats.plan import Plan, Seat, Status, TableKey, TablePlan, WantedMatch
from tournaments.models import Match, Round, Stage


def let_go(stage: Stage, plan: Plan, now: datetime) -> tuple[int, list[Round]]:
    """How many rounds, counted from the first, may be played; and those that begin now. A paused stage begins none.

    A round begins when its first match can be played, so that nobody is told of a start before.
    """
    rows = {row.number: row for row in stage.timetable.all()}
    begin: list[Round] = []
    for number in range(1, len(plan.rounds) + 1) if rows else ():
        row = rows.get(number)
        tables = plan.rounds[number - 1]
        if row is None or row.started_at is not None or (number > 1 and not _can_begin(tables) and _is_over(tables)):
            continue
        is_due = not row.waits
        if not is_due and _can_begin(tables):
            is_due = row.is_due(now, ended_at(stage, plan, number - 1, stage.matches.done()))
        if not is_due or stage.state == Stage.State.PAUSED:
            return number - 1, begin
        if number == 1 or _can_begin(tables):
            begin.append(row)
    return len(plan.rounds), begin


def _can_begin(tables: Sequence[TablePlan]) -> bool:
    return any(table.matches for table in tables)


def _is_over(tables: Sequence[TablePlan]) -> bool:
    return all(table.decided for table in tables)


def ended_at(stage: Stage, plan: Plan, number: int, played: QuerySet[Match]) -> datetime | None:
    """When the last of the matches `played` up to a round of the plan was over. None: the round is not."""
    if number < 1 or number > len(plan.rounds) or not _is_over(plan.rounds[number - 1]):
        return None
    last: datetime | None = played.filter(table__round__lte=number).aggregate(last=Max("finished_at"))["last"]
    return last or stage.started_at


def start(held: Held, stage: Stage, rounds: Sequence[Round], now: datetime) -> None:
    """Write that these rounds were let go, in the transaction that makes their matches."""
    for index, row in enumerate(rounds):
        row.started_at = now + timedelta(microseconds=index)  # which tells entries apart
        if row.waits and row.number > 1:
            withheld = stage.release == Stage.Release.ROUNDS and row.number > stage.released + 1
            fact = Fact(Kind.ROUND_STARTED, stage.pk, round=row.number, at=row.started_at, withheld=withheld)
            number = ledger.write(held, fact)
            if row.shown_from is None and not withheld:  # else from the release of the round before
                row.shown_from = number
        elif row.shown_from is None:
            row.shown_from = held.last_number
        row.save(update_fields=["started_at", "shown_from"])


def wanted(
    stage: Stage, plan: Plan, there: Collection[tuple[TableKey, int]], last: int
) -> Iterator[tuple[TablePlan, WantedMatch]]:
    """The matches to make now, of the first `last` rounds. `there`: those that exist, by table and number."""
    in_turn = set(stage.timetable.filter(in_turn=True, number__lte=last).values_list("number", flat=True))
    for number, tables in enumerate(plan.rounds[:last], 1):
        is_final = number == len(plan.rounds) and stage.played_in.is_bracket()  # which comes last
        for table in _at_turn(tables[::-1] if is_final else tables, there) if number in in_turn else tables:
            for match in table.matches:
                if (table.key, match.number) not in there:
                    yield table, match


def _at_turn(tables: Sequence[TablePlan], there: Collection[tuple[TableKey, int]]) -> Sequence[TablePlan]:
    """The tables of a round that may play, if they play one after the other: the one that does, or the next."""
    begun = {place for place, _ in there}
    waiting = [table for table in tables if table.matches and not table.decided]
    playing = [table for table in waiting if table.key in begun]
    return playing or waiting[:1]


# For readers ----------------------------------------------------------------------------------------------------------


def without_pairings(plan: Plan, first: int, is_bracket: bool) -> Plan:
    """The plan for readers who must not know who meets from the round `first` on.

    In a bracket everybody knows from which tables the players come, so the tables stay, without names. In other formats
    later rounds are as if they were not drawn.
    """
    length = max(plan.length, len(plan.rounds))
    if not is_bracket or first == 1:
        return replace(plan, rounds=plan.rounds[: first - 1], length=length)
    blank = (tuple(_without_players(table) for table in tables) for tables in plan.rounds[first - 1 :])
    return replace(plan, rounds=(*plan.rounds[: first - 1], *blank))


def _without_players(table: TablePlan) -> TablePlan:
    seats = tuple(Seat(seat.feed, status=Status.AWAITED) for seat in table.seats if len(seat.feed) == 4)
    return TablePlan(table.round, table.number, table.name, seats)
