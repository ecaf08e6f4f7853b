"""How organisers control who may see results (visibility.py): freeze and lift, release round by round.

Every action is one transaction and one line in the audit log.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from contest import ledger
from contest.ledger import Fact, Held, hold
from contest.models import Act, Contest, Kind, User
from contest.refusal import Refused
from tournaments.models import Match, Round, Stage
from tournaments.models.stages import hold_stage
from tournaments.organising import endings, timetable
from tournaments.results.history import audience_of


@transaction.atomic
def freeze(contest: Contest, by: User, at: datetime | None = None) -> None:
    """Hide results from then on (None: from now on) from everybody without a role."""
    now = timezone.now()
    contest = hold(contest.pk)
    if contest.is_frozen(now):
        raise Refused("The contest is already frozen. Lift the freeze first.")
    if at is not None and at <= now:
        raise Refused("This moment is in the past. Freeze now, or choose a moment in the future.")
    start = at or now
    contest.frozen_from = start
    contest.save(update_fields=["frozen_from"])
    if at is None:
        ledger.freeze(contest, by, start)
    else:
        contest.touch()  # pages announce it now; the ledger gets its entry when it begins
    Act.record(contest, by, "freeze", contest, at=start.isoformat())


@transaction.atomic
def lift(contest: Contest, by: User) -> None:
    """Show everything at once. Also cancels a planned freeze."""
    contest = hold(contest.pk)
    if contest.frozen_from is None:
        raise Refused("The contest is not frozen.")
    was = contest.frozen_from
    if contest.is_frozen():
        ledger.lift(contest, by)
        endings.write_play_start(contest)
    else:
        contest.frozen_from = None
        contest.save(update_fields=["frozen_from"])
        contest.touch()
    Act.record(contest, by, "lift freeze", contest, was=was.isoformat())


def rounds_of(stage: Stage) -> int:
    """The number of rounds so far."""
    return stage.tables.aggregate(last=Max("round"))["last"] or 0


def next_round(stage: Stage) -> int | None:
    """The round whose results can be released now, because it is over. None: there is none."""
    number = stage.released + 1
    if stage.release != Stage.Release.ROUNDS or number > rounds_of(stage) or not stage.has_started:
        return None
    if stage.state == Stage.State.ABANDONED:  # the round may be half played, and stays so
        return number if stage.matches.filter(table__round=number).exists() else None
    undecided = stage.tables.filter(round=number, decided=False).exists()
    playing = Match.objects.valid().open().filter(stage=stage, table__round=number).exists()
    return None if undecided or playing else number


@transaction.atomic
def release(stage: Stage, by: User, round: int) -> None:
    """Show the results of the next round. `round`: the number that the organiser saw on the button."""
    held, stage = _by_rounds(stage)
    if round <= stage.released:
        raise Refused(f"{timetable.name_of(stage, round)}: already released.")
    if next_round(stage) != round:
        raise Refused(f"{timetable.name_of(stage, round)}: not over yet. You can release the results after that.")
    _release(held, stage, by, timetable.released_with(stage, round), "release round")


def release_due(now: datetime) -> None:
    """Release the rounds whose moment has come and that are over, for the tick."""
    due = Round.objects.filter(release=Round.Release.MOMENT, release_at__lte=now, number__gt=F("stage__released"))
    for row in due.filter(stage__release=Stage.Release.ROUNDS).select_related("stage__contest").order_by("number"):
        with transaction.atomic():
            held, stage = hold_stage(row.stage)
            if next_round(stage) == row.number and stage.release == Stage.Release.ROUNDS:
                _release(held, stage, None, timetable.released_with(stage, row.number), "release round")


@transaction.atomic
def take_back(stage: Stage, by: User, round: int) -> None:
    """Hide the results of the round released last. `round`: the number that the organiser saw on the button."""
    held, stage = _by_rounds(stage)
    if round != stage.released or round < 1:
        raise Refused("Only the latest released round can be hidden again.")
    hiding = stage.timetable.filter(number__lte=round).exclude(release=Round.Release.AT_ONCE).last()
    _release(held, stage, by, (hiding.number if hiding else round) - 1, "take round back")


@transaction.atomic
def release_all(stage: Stage, by: User) -> None:
    """Show all results, including future ones."""
    held, stage = _by_rounds(stage)
    stage.release = Stage.Release.LIVE
    stage.save(update_fields=["release"])
    fact = Fact(Kind.STAGE_RELEASED, stage.pk, by=by, audience=audience_of(stage))
    timetable.show_started(stage, ledger.write(held, fact))
    Act.record(stage.contest, by, "release stage", stage, stage=stage.pk)


def _release(held: Held, stage: Stage, by: User | None, released: int, verb: str) -> None:
    before, stage.released = stage.released, released
    stage.save(update_fields=["released"])
    said: dict[str, Any] = {"stage": stage.pk, "released": released, "before": before}
    kind = Kind.ROUND_RELEASED if released > before else Kind.ROUND_TAKEN_BACK
    fact = Fact(kind, stage.pk, round=released, by=by, audience=audience_of(stage))
    timetable.show_started(stage, ledger.write(held, fact))
    Act.record(stage.contest, by, verb, f"{stage}, {timetable.name_of(stage, max(before, released))}", **said)


def _by_rounds(stage: Stage) -> tuple[Held, Stage]:
    """Lock the stage, if its rounds are released by hand. Raises Refused."""
    held, stage = hold_stage(stage)
    if stage.release != Stage.Release.ROUNDS:
        raise Refused("The results of this stage appear at once. They are not released by rounds.")
    return held, stage
