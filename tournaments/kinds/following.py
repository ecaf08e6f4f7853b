"""Stages follow their results, each as its kind does.

`reconcile` may be called at any time, by anybody, twice at once: it finds nothing to do the second time.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from contest import followers
from contest.models import Audience, Kind, LedgerEntry
from tournaments import kinds
from tournaments.kinds.schedule import Changes
from tournaments.models import Stage
from tournaments.results.locks import held_contest, hold_stage
from tournaments.seating import queue


@transaction.atomic
def reconcile(stage: Stage) -> Changes:
    """Bring a published stage in line with its plan, and tell the workers once it is written.

    Tables are written from the publication on, matches from the start on (also while paused: they wait). While the
    entrants are not known, or too few, there are no tables. A ladder has no plan: it goes on.
    """
    stage = hold_stage(stage)
    contest = held_contest(stage)
    if stage.state in (Stage.State.DRAFT, Stage.State.ABANDONED):
        return Changes()
    changes = kinds.of(stage).follow(stage, contest)
    if changes:
        contest.touch(hidden=contest.is_frozen() or stage.release == Stage.Release.ROUNDS)
    if changes.created and stage.state == Stage.State.RUNNING:
        transaction.on_commit(lambda: queue.wake(changes.created))
    return changes


NAME = "stages"
"""Under which stages follow the ledger (contest/followers.py)."""

MOVING = (Kind.MATCH_RESULT, Kind.MATCH_VOIDED, Kind.MATCH_RESTORED, Kind.REVIEW_APPLIED)


def follow_ledger(contest_id: int) -> None:
    """Bring every stage in line whose matches the ledger has told of since the last time."""
    followers.follow(NAME, contest_id, _move_on)


def _move_on(entries: Sequence[LedgerEntry]) -> None:
    told = {entry.stage_id for entry in entries if entry.kind in MOVING and entry.audience != Audience.ORGANISERS}
    for stage in Stage.objects.filter(pk__in=told).select_related("contest").order_by("pk"):
        if kinds.of(stage).moves_on(stage):
            reconcile(stage)


def is_in_line(stage: Stage) -> bool:
    """Would `reconcile` find nothing to do? A look without locks, for those who ask often."""
    return stage.state == Stage.State.ABANDONED or kinds.of(stage).in_line(stage)
