"""Resetting and abandoning a stage that has started.

Every action is one transaction, one entry of the ledger and one of the audit log.

A **reset** takes out every match, as if the stage had never been played: results count nowhere, also not for ratings.
The tables are set aside with their matches, which stay readable as void ones. The stage waits, published, until an
organiser starts it again: its entrants are drawn anew, and so are all deals, for everybody knows the cards that were
played before.

An **abandoned** stage is over without a winner. What was not played to its end is void. Results stay, and count for the
ratings: they were played by the rules, and what teams showed in them is as true as in a stage that went on. There is no
champion, and no stage takes its teams or its seeding from it.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.text import Truncator

from contest import ledger
from contest.ledger import Fact
from contest.models import Act, Kind, User
from contest.refusal import Refused
from tournaments.kinds import following, schedule
from tournaments.models import Review, Stage
from tournaments.organising import reviews, stages
from tournaments.results.locks import held_contest, hold_stage

State = Stage.State


def why_not_reset(stage: Stage) -> str:
    """Why a stage cannot be reset, in a sentence; empty: it can."""
    return "" if stage.has_started else "This stage has not started, so there is nothing to reset."


@transaction.atomic
def reset(stage: Stage, by: User, reason: str) -> None:
    """Take out all matches of a stage and let it wait for another start. Raises Refused."""
    reason = _said(reason)
    stage = _possible(stage, why_not_reset(hold_stage(stage)))
    for review in stage.reviews.filter(state=Review.State.OPEN):
        reviews.drop(review, by)
    was = {"resets": stage.resets, "release": stage.release, "released": stage.released}
    fact = Fact(Kind.STAGE_RESET, stage.pk, by=by, reason=reason, data={"was": was})
    number = ledger.write(held_contest(stage), fact)
    gone = stage.matches.valid().count()
    schedule.void_all(stage.matches.valid(), number)
    stage.tables.update(until=number)
    order = stage.order = before_start(stage)
    stage.state, stage.started_at, stage.finished_at, stage.refusal = State.PUBLISHED, None, None, ""
    stage.starts_at, stage.starts_after = None, False  # or it would begin again at once
    stage.left_out, stage.versions, stage.released = [], {}, 0
    stage.resets += 1
    try:
        stages.draw(stage)
    except Refused as refused:  # too few teams by now: it keeps those that it had
        stage.order, stage.refusal = order, Truncator(str(refused)).chars(300)
    stage.save()
    stages.write_entrants(stage, by)
    said = [_voided(gone)]
    Act.record(stage.contest, by, "reset stage", stage, reason, stage=stage.pk, said=said)
    following.reconcile(stage)
    stages.reconcile_contest(stage.contest)


def why_not_abandoned(stage: Stage) -> str:
    """Why a stage cannot be abandoned, in a sentence; empty: it can."""
    if stage.state == State.ABANDONED:
        return "This stage is already abandoned."
    if stage.is_over:
        return "This stage is finished, so nothing can be abandoned. If its results must not count, reset it."
    return "" if stage.has_started else "This stage has not started. You can unpublish or delete it instead."


@transaction.atomic
def abandon(stage: Stage, by: User, reason: str) -> None:
    """End a stage now, without a winner. Raises Refused."""
    reason = _said(reason)
    stage = _possible(stage, why_not_abandoned(hold_stage(stage)))
    number = ledger.write(held_contest(stage), Fact(Kind.STAGE_ABANDONED, stage.pk, by=by, reason=reason))
    unplayed = stage.matches.valid().open()
    said = [_voided(unplayed.count())]
    schedule.void_all(unplayed, number)
    stage.state, stage.finished_at = State.ABANDONED, timezone.now()
    stage.save(update_fields=["state", "finished_at"])
    Act.record(stage.contest, by, "abandon stage", stage, reason, stage=stage.pk, said=said)
    stages.reconcile_contest(stage.contest)


def before_start(stage: Stage) -> list[int]:
    """The order with which the stage was published, before its start left out those who could not play."""
    entries = stage.ledger.filter(kind__in=(Kind.ENTRANTS_SET, Kind.STAGE_STARTED)).order_by("-number")
    started = entries.filter(kind=Kind.STAGE_STARTED).values_list("number", flat=True).first()
    if started is not None:
        for entry in entries.filter(kind=Kind.ENTRANTS_SET, number__lt=started):
            if not entry.data.get("left_out"):
                return list(entry.data["order"])
    return [*stage.order, *stage.left_out]


def _possible(stage: Stage, refusal: str) -> Stage:
    """The stage held."""
    if refusal:
        raise Refused(refusal)
    return hold_stage(stage)


def _voided(count: int) -> str:
    return f"{count} match{'es' if count != 1 else ''} voided"


def _said(reason: str) -> str:
    reason = " ".join(reason.split())
    if not reason:
        raise Refused("Enter a reason. Everybody can read it.")
    return reason[:300]
