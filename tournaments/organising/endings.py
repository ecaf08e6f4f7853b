"""Resetting, shortening and abandoning a stage that has started.

Every action is one transaction, one entry in the ledger and one in the audit log. `resets` is the number of resets
that the organiser knew of: an action on a stage that was reset since is refused.

A **reset** voids every match, as if the stage had never been played: its results count nowhere, not even for ratings.
The tables are set aside with their void matches, which stay readable. The stage returns to published and waits until an
organiser starts it again. Then its entrants and all deals are drawn anew, because everybody knows the old cards.

A **shortened** stage ends after the round in progress, the last one in which a match has begun, and is ranked by the
results up to there. A ladder ends with its matches in progress. A paused stage is resumed for this. `Stage.last_round`
is part of the input of its plan.

An **abandoned** stage is over without a winner. Unfinished matches become void. Results stay and count for ratings:
they were played by the rules and say as much about the teams as those of any other stage. There is no champion, and no
other stage takes its teams or its seeding from it.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.db.models import Min
from django.utils import timezone
from django.utils.text import Truncator

from contest import ledger
from contest.ledger import Fact, Held
from contest.models import Act, Contest, Kind, User
from contest.refusal import Refused, reason_given
from games.phrases import counted
from tournaments import kinds
from tournaments.kinds import following, schedule
from tournaments.models import Review, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.models.stages import hold_stage
from tournaments.organising import reviews, stages, timetable

State = Stage.State
WHY = "Enter a reason. Everybody can read it."


def why_not_reset(stage: Stage) -> str:
    """Why a stage cannot be reset, as a sentence. Empty: it can."""
    return "" if stage.has_started else "This stage has not started, so there is nothing to reset."


@transaction.atomic
def reset(stage: Stage, by: User, reason: str, *, resets: int | None = None) -> None:
    """Void all matches of a stage and let it wait for another start. Raises Refused."""
    reason = reason_given(reason, WHY)
    held, stage = _possible(stage, why_not_reset, resets)
    for review in stage.reviews.filter(state=Review.State.OPEN):
        reviews.drop(review, by)
    was = {name: getattr(stage, name) for name in ("resets", "release", "released", "last_round", "starts_after")}
    was |= {name: (at := getattr(stage, name)) and at.isoformat() for name in ("starts_at", "check_in_closes_at")}
    fact = Fact(Kind.STAGE_RESET, stage.pk, by=by, reason=reason, data={"was": was})
    number = ledger.write(held, fact)
    gone = stage.matches.valid().count()
    schedule.void_all(stage.matches.valid(), number)
    stage.tables.update(until=number)
    timetable.set_aside(stage, number)
    order = stage.order = before_start(stage)
    stage.state, stage.started_at, stage.finished_at, stage.refusal = State.PUBLISHED, None, None, ""
    stage.starts_at, stage.starts_after = None, False  # otherwise it would start again at once
    stage.check_in_closes_at, stage.substitutes = None, [it for it in stage.substitutes if it[0] in order]
    stage.left_out, stage.versions, stage.released = [], {}, 0
    stage.last_round = None
    stage.resets += 1
    try:
        stages.draw(stage)
    except Refused as refused:  # too few teams by now: keep the old order
        stage.order, stage.refusal = order, Truncator(str(refused)).chars(300)
    stage.save()
    stages.write_entrants(held, stage, by)
    write_play_start(held)
    said = [f"{counted(gone, 'match')} voided"]
    Act.record(stage.contest, by, "reset stage", stage, reason, stage=stage.pk, said=said)
    following.reconcile(stage)
    stages.reconcile_contest(stage.contest)


def why_not_shortened(stage: Stage) -> str:
    """Why a stage cannot be shortened, as a sentence. Empty: it can."""
    if not stage.has_started:
        return "This stage has not started, so there is nothing to shorten."
    if stage.has_ended or stage.is_over:
        return "This stage is over, so there is nothing to shorten."
    return kinds.of(stage).why_not_shorter(stage)


@transaction.atomic
def shorten(stage: Stage, by: User, reason: str, *, resets: int | None = None) -> None:
    """End a stage after the round in progress, or a ladder now. Raises Refused."""
    reason = reason_given(reason, WHY)
    held, stage = _possible(stage, why_not_shortened, resets)
    was = {"last_round": stage.last_round, "ends_at": stage.ends_at and stage.ends_at.isoformat()}
    kinds.of(stage).shorten(stage)
    stage.state = State.RUNNING
    stage.save(update_fields=["state", "last_round", "ends_at"])
    fact = Fact(Kind.STAGE_SHORTENED, stage.pk, round=stage.last_round, by=by, reason=reason, data={"was": was})
    number = ledger.write(held, fact)
    later, said = after_last_round(stage), list[str]()
    if stage.last_round is not None:
        said = [f"Ends after round {stage.last_round}", f"{counted(later.count(), 'match')} voided"]
        schedule.void_all(later, number)
        stage.tables.filter(round__gt=stage.last_round).update(until=number)
    Act.record(stage.contest, by, "shorten stage", stage, reason, stage=stage.pk, said=said)
    stages.reconcile_contest(stage.contest)


def after_last_round(stage: Stage) -> MatchQuerySet:
    """Matches that count, in rounds that a shortened stage no longer plays."""
    valid: MatchQuerySet = stage.matches.valid()
    return valid.none() if stage.last_round is None else valid.filter(table__round__gt=stage.last_round)


def why_not_abandoned(stage: Stage) -> str:
    """Why a stage cannot be abandoned, as a sentence. Empty: it can."""
    if stage.state == State.ABANDONED:
        return "This stage is already abandoned."
    if stage.is_over:
        return "This stage is finished, so it cannot be abandoned. To make its results not count, reset it."
    return "" if stage.has_started else "This stage has not started. You can unpublish or delete it instead."


@transaction.atomic
def abandon(stage: Stage, by: User, reason: str, *, resets: int | None = None) -> None:
    """End a stage now, without a winner. Raises Refused."""
    reason = reason_given(reason, WHY)
    held, stage = _possible(stage, why_not_abandoned, resets)
    stage.state, stage.finished_at = State.ABANDONED, timezone.now()
    fact = Fact(Kind.STAGE_ABANDONED, stage.pk, by=by, reason=reason, at=stage.finished_at)
    number = ledger.write(held, fact)
    unplayed = stage.matches.valid().open()
    said = [f"{counted(unplayed.count(), 'match')} voided"]
    schedule.void_all(unplayed, number)
    stage.save(update_fields=["state", "finished_at"])
    Act.record(stage.contest, by, "abandon stage", stage, reason, stage=stage.pk, said=said)
    stages.reconcile_contest(stage.contest)


def write_play_start(held: Held) -> None:
    """Set when play began: the start of the first stage that has started and was not reset. Until play begins, teams
    that withdrew can come back by themselves. During a freeze nothing changes: it would reveal the reset."""
    if not held.is_frozen():
        begun = held.stages.filter(state__in=Stage.UNDER_WAY).aggregate(first=Min("started_at"))["first"]
        Contest.objects.filter(pk=held.pk).update(play_started_at=begun)


def before_start(stage: Stage) -> list[int]:
    """The order with which the stage was published, including teams that its start left out."""
    entries = stage.ledger.filter(kind__in=(Kind.ENTRANTS_SET, Kind.STAGE_STARTED)).order_by("-number")
    started = entries.filter(kind=Kind.STAGE_STARTED).values_list("number", flat=True).first()
    if started is not None:
        for entry in entries.filter(kind=Kind.ENTRANTS_SET, number__lt=started):
            if not entry.data.get("left_out"):
                return list(entry.data["order"])
    return [*stage.order, *stage.left_out]


def _possible(stage: Stage, why_not: Callable[[Stage], str], resets: int | None) -> tuple[Held, Stage]:
    """The stage held. Raises Refused where `why_not` tells why it cannot be done, and where the stage was reset since
    the preview: what was played since then would be lost unseen. `resets`: `Stage.resets` in the preview."""
    held, stage = hold_stage(stage)
    if resets is not None and resets != stage.resets:
        raise Refused("Somebody has reset this stage since you opened this page. Check again what would change.")
    if refusal := why_not(stage):
        raise Refused(refusal)
    return held, stage
