"""What organisers do with the rounds of a stage: start, hold and move them, show who meets.

Every action is one transaction and one line in the audit log. kinds/timetable.py says what a round waits for.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from contest import ledger
from contest.formatting import duration
from contest.ledger import Fact, Held
from contest.models import Act, Kind, User
from contest.refusal import Refused
from contest.zones import official_zone
from submissions import clock
from tournaments import kinds
from tournaments.kinds import following
from tournaments.kinds.planned import PLANNED
from tournaments.kinds.timetable import ended_at, let_go, start
from tournaments.models import Round, Stage
from tournaments.models.stages import hold_stage
from tournaments.organising import stage_settings, stages, timetable
from tournaments.organising.durations import whole_plan
from tournaments.organising.timetable import LONGEST_BREAK, RoundWish, arrange, count_of, rounds_of, what_is_wrong

NOT_IN_PROGRESS = "No round is being played. Edit the stage to change its timetable."


def can_be_edited(stage: Stage) -> bool:
    """Whether the timetable of a stage can change although the stage has started."""
    return kinds.of(stage) is PLANNED and stage.has_started and not stage.has_ended


@transaction.atomic
def edit(stage: Stage, by: User, wishes: Sequence[RoundWish]) -> None:
    """Change the rounds of a stage in progress that have not started. Raises Refused."""
    held, stage = hold_stage(stage)
    if not can_be_edited(stage):
        raise Refused(NOT_IN_PROGRESS)
    hides, was = any(wish.release != Round.Release.AT_ONCE for wish in wishes), stage.release
    if hides and was == Stage.Release.LIVE:
        raise Refused(
            "The results of this stage appear at once. Only before the start can you choose to release rounds."
        )
    begun = last_begun(stage)
    for wrong in what_is_wrong(wishes, timezone.now(), begun, rounds_of(stage, 0)):
        raise Refused(f"{timetable.name_of(stage, wrong.number)}: {wrong.why}")
    before = stage_settings.rounds_described(stage)
    arrange(stage, [wish for wish in wishes if wish.number > begun])
    stage.release = was
    held.touch()
    changes = stage_settings.changes(before, stage_settings.rounds_described(stage))
    _record(held, stage, by, "change timetable", changes=changes)


def last_begun(stage: Stage) -> int:
    """The last round that has started; 0: none."""
    drawn = stage.matches.valid().aggregate(last=Max("table__round"))["last"] or 0
    let_go_last = stage.timetable.exclude(started_at=None).aggregate(last=Max("number"))["last"] or 0
    return max(drawn, let_go_last)


@transaction.atomic
def start_now(stage: Stage, by: User, number: int) -> None:
    """Let a round go, whatever it waits for. Raises Refused, also if it was let go a moment before."""
    held, stage = hold_stage(stage)
    if number == 1 and not stage.has_started:
        stages.start(stage, by)
        return
    row = _open_row(stage, number)
    if not row.waits:
        raise Refused(f"{timetable.name_of(stage, number)}: matches start by themselves as their players become known.")
    if stage.state == Stage.State.PAUSED:
        raise Refused("This stage is paused. Resume it first.")
    plan = kinds.of(stage).plan(stage) if stage.has_started else None
    can_begin = plan is not None and number <= len(plan.rounds) and any(it.matches for it in plan.rounds[number - 1])
    if plan is None or not can_begin or number > let_go(stage, plan, clock.now())[0] + 1:
        raise Refused(f"{timetable.name_of(stage, number)} cannot start yet: an earlier round is not over.")
    start(held, stage, [row], clock.now())
    _record(held, stage, by, "start round", round=number)


@transaction.atomic
def hold(stage: Stage, by: User, number: int) -> None:
    """Let a round wait until an organiser starts it. Who meets in it stays visible, since it may have been seen."""
    held, stage = hold_stage(stage)
    row = _open_row(stage, number)
    if row.hold:
        raise Refused(f"{timetable.name_of(stage, number)}: already on hold.")
    row.moves += 1
    row.hold, row.shown_from = True, 0  # whatever a reader knows: a number would tell whether a freeze hides entries
    _save(stage, row)
    held.touch()
    _record(held, stage, by, "hold round", round=number)


@transaction.atomic
def follow_timetable(stage: Stage, by: User, number: int) -> None:
    """No longer hold a round: it starts by the timetable."""
    held, stage = hold_stage(stage)
    row = _open_row(stage, number)
    if not row.hold:
        raise Refused(f"{timetable.name_of(stage, number)}: not on hold.")
    row.hold, row.moves = False, row.moves + 1
    _save(stage, row)
    held.touch()
    _record(held, stage, by, "no longer hold round", round=number)


@transaction.atomic
def show_pairings(stage: Stage, by: User, number: int) -> None:
    """Let everybody see who meets in a round on hold."""
    held, stage = hold_stage(stage)
    row = _open_row(stage, number)
    if not row.hides_pairings(None):
        raise Refused(f"{timetable.name_of(stage, number)}: who meets is not hidden.")
    row.shown_from = ledger.write(held, Fact(Kind.ROUND_SHOWN, stage.pk, round=number, by=by))
    _save(stage, row)
    _record(held, stage, by, "show pairings", round=number)


@transaction.atomic
def shift(
    stage: Stage,
    by: User,
    number: int,
    *,
    minutes: int = 0,
    to: datetime | None = None,
    text: str = "",
    seen: int | None = None,
) -> str:
    """Move a round and all that follow, by minutes or so that it starts at `to`. Rounds that have started stay.

    A later round without a start of its own follows by itself, and the end of check-in moves with the first round while
    it is still to come. `text`: what the teams are told. `seen`: the `moves` of the round that its sender has seen, so
    that two who move it at once move it once. Returns what the teams are told. Raises Refused.
    """
    held, stage = hold_stage(stage)
    row, now = _open_row(stage, number), timezone.now()
    if seen not in (None, row.moves):
        raise Refused("Somebody else has just changed this start. Look at it, then move it again if it is needed.")
    before = row.starts_at, row.break_minutes
    distance = _change_start(stage, row, minutes, to)
    rounds = [row if each.number == number else each for each in rounds_of(stage, number)]
    later = [each for each in rounds if each.number > number and each.started_at is None]
    moved = [row, *(each for each in later if each.starts_at or each.release_at)]
    for each in moved:
        each.starts_at, each.release_at = (at and at + distance for at in (each.starts_at, each.release_at))
        each.moves += 1
    if before == (row.starts_at, row.break_minutes):
        raise Refused(f"{timetable.name_of(stage, number)}: this is the start that it has. Choose another one.")
    if row.starts_at is not None and row.starts_at <= now:
        raise Refused("This moment has passed. Start the round now, or choose a later one.")
    for wrong in what_is_wrong(rounds, now, last_begun(stage), rounds):
        if wrong.number >= number:
            raise Refused(f"{timetable.name_of(stage, wrong.number)}: {wrong.why}")
    said, closes = text or told_of_shift(stage, row, distance), stage.check_in_closes_at
    if number == 1 and closes is not None and not stage.has_closed_check_in(now):
        stage.check_in_closes_at = closes + distance
        if stage.has_closed_check_in(now):
            raise Refused("Check-in would be closed already. Change its end in the stage’s form first.")
        local = stage.check_in_closes_at.astimezone(official_zone(stage.contest.time_zone))
        said = f"{said[:260]} Check-in closes at {local:%H:%M %Z}."
    for each in moved:
        _save(stage, each)
    ledger.write(held, Fact(Kind.ROUND_MOVED, stage.pk, round=number, by=by, reason=said))
    _record(held, stage, by, "move round", said, round=number, minutes=distance // timedelta(minutes=1))
    return said


def _change_start(stage: Stage, row: Round, minutes: int, to: datetime | None) -> timedelta:
    """Give a round another break, or the start that moves with later ones. Returns by how much these move."""
    if row.starts_at is None and to is None:
        if row.number == 1:
            raise Refused("This round has no start that could be moved. Give it one.")
        was = row.break_minutes or 0
        row.break_minutes = min(max(0, was + minutes), LONGEST_BREAK)
        return timedelta(minutes=row.break_minutes - was)
    plan = whole_plan(stage)
    over = None if plan is None else ended_at(stage, plan, row.number - 1, stage.matches.done())
    due = row.due_at(over)
    row.starts_at, row.break_minutes = due or to, None
    return timedelta(minutes=minutes) if to is None else to - due if due else timedelta()


def told_of_shift(stage: Stage, row: Round, by: timedelta) -> str:
    """What teams are told of a shift unless an organiser writes something else."""
    name, new = timetable.name_of(stage, row.number, whole_plan(stage)), ""
    if row.starts_at is not None:
        local = row.starts_at.astimezone(official_zone(stage.contest.time_zone))
        new = f" Its new start is {local:%a} {local.day} {local:%b}, {local:%H:%M %Z}."
    if not by:
        return f"The start of {name} of {stage} has changed.{new}"
    way = "later" if by > timedelta() else "earlier"
    return f"{name} of {stage} and all later rounds start {duration(by)} {way}.{new}"


def _open_row(stage: Stage, number: int) -> Round:
    """The row of a round that has not started; a new one is not saved yet. Raises Refused."""
    if not kinds.of(stage).has_plan or stage.has_ended:
        raise Refused("This stage has no rounds to come.")
    count = count_of(plan := whole_plan(stage))
    timetable.keep_names(stage, plan)
    found = rounds_of(stage, count, plan=plan)
    row = next((each for each in found if each.number == number), None)
    if row is None or (stage.has_started and number > count):
        raise Refused(f"This stage has no round {number}.")
    begun = stage.matches.valid().filter(table__round=number).exists()
    if row.started_at is not None or begun or (row.pk is None and number == 1 and stage.has_started):
        raise Refused(f"{timetable.name_of(stage, number)} already started.")
    if found[-1].number > 1 and found[-1].pk is None:
        found[-1].save()  # from the last one that is stored, a bracket counts its rounds
    return row


def _save(stage: Stage, row: Round) -> None:
    """Before the start, that of the first round is that of its stage, which `_record` saves."""
    if row.number == 1 and not stage.has_started:
        stage.starts_at, stage.refusal, row.starts_at = row.starts_at, "", None
    row.save()


def _record(held: Held, stage: Stage, by: User, verb: str, reason: str = "", **data: Any) -> None:
    stage.save()
    which = f", {timetable.name_of(stage, data['round'])}" if "round" in data else ""
    Act.record(held, by, verb, f"{stage}{which}", reason, stage=stage.pk, **data)
    following.reconcile(stage)
