"""Stages follow their results, each in the way of its kind.

`reconcile` may be called at any time and concurrently: the second call finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from contest import followers
from contest.models import Audience, Kind, LedgerEntry
from tournaments import kinds
from tournaments.kinds.schedule import Changes
from tournaments.models import Stage
from tournaments.results.locks import hold_stage
from tournaments.seating import queue


@transaction.atomic
def reconcile(stage: Stage) -> Changes:
    """Bring a published stage in line with its plan, and wake the workers after commit.

    Tables exist from publication, matches from the start (while paused they wait). There are no tables while the
    entrants are unknown or too few. A ladder has no plan: its next matches are made.
    """
    contest, stage = hold_stage(stage)
    if stage.state in (Stage.State.DRAFT, Stage.State.ABANDONED):
        return Changes()
    changes = kinds.of(stage).follow(stage, contest)
    if changes:
        contest.touch(hidden=contest.is_frozen() or stage.release == Stage.Release.ROUNDS)
    if changes.created and stage.state == Stage.State.RUNNING:
        transaction.on_commit(lambda: queue.wake(changes.created))
    return changes


NAME = "stages"
"""The name under which stages follow the ledger (contest/followers.py)."""

MOVING = (Kind.MATCH_RESULT, Kind.MATCH_VOIDED, Kind.MATCH_RESTORED, Kind.REVIEW_APPLIED)


def follow_ledger(contest_id: int) -> None:
    """Bring in line every stage whose matches appear in new entries of the ledger."""
    followers.follow(NAME, contest_id, _move_on)


def _move_on(entries: Sequence[LedgerEntry]) -> None:
    told = {entry.stage_id for entry in entries if entry.kind in MOVING and entry.audience != Audience.ORGANISERS}
    for stage in Stage.objects.filter(pk__in=told).select_related("contest").order_by("pk"):
        if kinds.of(stage).moves_on(stage):
            reconcile(stage)


def is_in_line(stage: Stage) -> bool:
    """Whether `reconcile` would find nothing to do. Reads without locks, for callers that ask often."""
    return stage.state == Stage.State.ABANDONED or kinds.of(stage).in_line(stage)
