"""Stages follow their results, each in the way of its kind.

`reconcile` may be called at any time and concurrently: the second call finds nothing to do.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta

from django.db import transaction

from contest import followers, workers
from contest.followers import Reaction
from contest.models import Audience, Contest, Kind, LedgerEntry
from contest.models.ledger import ABOUT_TEAMS
from submissions import clock
from submissions.lease import worker_name
from tournaments import kinds
from tournaments.kinds.schedule import Changes
from tournaments.models import Duty, Match, Stage
from tournaments.models.stages import hold_stage
from tournaments.seating import queue

logger = logging.getLogger(__name__)

LONGEST = timedelta(seconds=20)  # that others leave a stage to a process, which may have died


def reconcile(stage: Stage) -> Changes:
    """Bring a published stage in line with its plan, and wake the workers after commit.

    Tables exist from publication, matches from the start (while paused they wait). There are no tables while the
    entrants are unknown or too few. A ladder has no plan: its next matches are made.
    """
    ahead = kinds.of(stage).look_ahead(stage)
    with transaction.atomic():
        contest, stage = hold_stage(stage)
        told = contest.last_number
        if stage.state in (Stage.State.DRAFT, Stage.State.ABANDONED):
            return Changes()
        changes = kinds.of(stage).follow(stage, contest, ahead)
        if changes and contest.last_number == told:  # else the ledger has moved the revisions
            contest.touch(hidden=contest.is_frozen() or stage.release == Stage.Release.ROUNDS)
        if changes.created and stage.state == Stage.State.RUNNING:
            transaction.on_commit(lambda: workers.wake(queue.PLAY, times=changes.created))
        return changes


def follow_ledger(contest_id: int) -> None:
    """Bring in line every stage that new entries of the ledger concern. Processes that write results call this."""
    followers.follow(STAGES, contest_id)


def follow_results(matches: Sequence[Match]) -> None:
    """Bring in line the stages of these matches, after their results. The worker that has written them calls this. If
    nothing follows from them, which is the rule, it costs a query a stage. The tick reads their entries later."""
    for stage in {match.stage_id: match.stage for match in matches}.values():
        _reconcile_if("results", kinds.of(stage).moves_on, stage)


def _move_on(entries: Sequence[LedgerEntry]) -> None:
    told = {entry.stage_id for entry in entries if entry.kind in MOVING and entry.audience != Audience.ORGANISERS}
    stages = Stage.objects.select_related("contest").order_by("pk")
    for stage in stages.filter(pk__in=told):
        _reconcile_if("results", kinds.of(stage).moves_on, stage)
    if any(entry.kind in ABOUT_TEAMS for entry in entries):
        for stage in stages.shown().filter(contest=entries[0].contest_id):
            _reconcile_if("teams", lambda it: not is_in_line(it), stage)


def _reconcile_if(what: str, is_due: Callable[[Stage], bool], stage: Stage) -> None:
    """One stage in trouble must not stop the others. The tick looks again at what is not in line.

    One process at a time does this: many end a match at the same moment, and all would compute the same. The others
    need not wait, because it looks again if the ledger has gone on meanwhile. `what` they follow must be the same."""
    duty, me, seen = f"{what} of stage {stage.pk}", f"{worker_name()}:{threading.get_ident()}", None
    number = Contest.objects.filter(pk=stage.contest_id).values_list("last_number", flat=True)
    try:
        while (last := number.get()) != seen and is_due(stage) and Duty.take(duty, me, clock.now(), LONGEST):
            seen = last
            try:
                reconcile(stage)
            finally:
                Duty.give_back(duty, me, clock.now())
    except Exception:
        logger.exception("stage %d cannot follow the ledger", stage.pk)


MOVING = frozenset({Kind.MATCH_RESULT, Kind.MATCH_VOIDED, Kind.MATCH_RESTORED, Kind.REVIEW_APPLIED})
STAGES = Reaction("stages", MOVING | frozenset(ABOUT_TEAMS), _move_on, woken_by=frozenset(ABOUT_TEAMS))
"""Stages follow results, and teams that leave or come back, which they do on pages that know nothing of stages."""


def is_in_line(stage: Stage) -> bool:
    """Whether `reconcile` would find nothing to do. Reads without locks, for callers that ask often."""
    return stage.state == Stage.State.ABANDONED or kinds.of(stage).in_line(stage)
