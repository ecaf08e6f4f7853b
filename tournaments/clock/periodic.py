"""The periodic tick: it restarts whatever has stopped unintentionally.

It uses only the database, so it does not matter what was lost: a worker, a message, the whole broker, or a process that
was about to schedule the next round.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic

from kombu.exceptions import OperationalError

from contest import followers, workers
from contest.models import AnsweredRequest
from contest.refusal import Refused
from submissions import clock, lifecycle
from submissions.lease import worker_name
from tournaments.attention import alarms
from tournaments.casual import people as casual_upkeep
from tournaments.feeds import writing
from tournaments.kinds import following
from tournaments.models import Arrears, Duty, Match, PracticeGame, Stage
from tournaments.organising import admission, news, played, rehearsals, releases, stages
from tournaments.playing import play, pruning
from tournaments.practice import play as practice
from tournaments.practice import queue as practice_queue
from tournaments.results import ratings
from tournaments.seating import queue

logger = logging.getLogger(__name__)

TICK = "tick"
LENGTH = timedelta(seconds=60)  # after which another process may take over from a tick that hangs or was killed
MOST_CALLS = 1000
MOST_SECONDS = 8.0  # in one tick for a contest's ratings


def tick(now: datetime | None = None) -> bool:
    """Do everything once. False if another process is doing it, or another thread of this one."""
    now = now or clock.now()
    worker = f"{worker_name()}:{threading.get_ident()}"
    if not Duty.take(TICK, worker, now, LENGTH):
        return False
    try:
        for part in PARTS:
            try:
                part(now)
            except Exception:  # a failure in one part must not stop the others
                logger.exception("tick: %s.%s failed", part.__module__, part.__name__)
    finally:
        Duty.give_back(TICK, worker, clock.now())
    return True


def pull_in_times(now: datetime) -> None:
    """Correct what a clock that was ahead has written (submissions/clock.py)."""
    found = Match.objects.pull_in(now, play.LEASE, play.RETRIES.last)
    found += PracticeGame.objects.pull_in(now, practice_queue.LEASE, practice.RETRIES.last)
    found += lifecycle.pull_in(now)
    found += rehearsals.pull_in(now)
    if found:
        logger.warning("%d leases and due times were in the future: a clock was ahead", found)


def start_due_stages(now: datetime) -> None:
    for stage in Stage.objects.due(now).select_related("contest", "source"):
        try:
            if not admission.held_back(stage, now):
                stages.start(stage, by=None)
        except Refused as refusal:
            logger.warning("%s of %s cannot start: %s", stage, stage.contest, refusal)
            stages.refuse_start(stage, str(refusal))
        except Exception:  # and a failing stage must not stop the others
            logger.exception("tick: stage %d cannot be started", stage.pk)


def redraw_led_stages(now: datetime) -> None:
    """Draw stages whose source has finished, or is in progress again."""
    for stage in Stage.objects.led_by_another().unsettled().select_related("contest"):
        try:
            if not stages.redraw(stage):
                # The revision was read before this check, so any change in between has increased it.
                Stage.objects.filter(pk=stage.pk).update(settled_at=stage.contest.revision)
        except Exception:
            logger.exception("tick: stage %d cannot be drawn", stage.pk)


def follow_ledgers(now: datetime) -> None:
    """Catch up if a process was lost between a fact and its consequences."""
    followers.catch_up()


def reconcile_stages(now: datetime) -> None:
    """Bring stages in line after a team has left, or if a process was lost after a result."""
    for stage in Stage.objects.shown().unsettled().select_related("contest"):
        try:
            if not following.is_in_line(stage):
                following.reconcile(stage)
            elif stage.has_ended:
                # The revision was read before this check, so any change in between has increased it.
                Stage.objects.filter(pk=stage.pk).update(settled_at=stage.contest.revision)
        except Exception:
            logger.exception("tick: stage %d cannot be reconciled", stage.pk)


def catch_up_ratings(now: datetime) -> None:
    """Continue recalculating ratings, a few steps for each contest."""
    for contest in Arrears.objects.order_by("pk").values_list("contest", flat=True):
        until = monotonic() + MOST_SECONDS
        while ratings.catch_up(contest) is not None and monotonic() < until:
            pass


def wake_workers(now: datetime) -> None:
    """Send missing wake-up calls. Calls that workers are handling do not count, so one too many may be sent."""
    due = Match.objects.claimable(now).for_workers().order_by().count()
    if not due:
        return
    try:
        missing = min(due - queue.waiting(), MOST_CALLS)
    except OperationalError:
        logger.warning("the broker does not answer: %d matches are waiting", due)
        return
    workers.wake(queue.PLAY, times=max(missing, 0))


def tell_what_was_played(now: datetime) -> None:
    played.tell_due(now)
    played.prune(now)


def tell_followers(now: datetime) -> None:
    writing.tell_others(now)
    writing.prune(now)


def delete_old_records(now: datetime) -> None:
    """At the beginning of each hour, because a look passes over all old records that are kept for ever."""
    if now.minute < 10:
        pruning.prune(now)


def forget_answered_requests(now: datetime) -> None:
    AnsweredRequest.prune()


PARTS: tuple[Callable[[datetime], object], ...] = (
    pull_in_times,
    play.requeue_abandoned,
    lifecycle.requeue_abandoned,
    follow_ledgers,
    reconcile_stages,
    redraw_led_stages,
    start_due_stages,
    releases.release_due,
    news.remind,
    rehearsals.revive,
    wake_workers,
    practice.revive,
    catch_up_ratings,
    forget_answered_requests,
    tell_what_was_played,
    tell_followers,
    practice.prune,
    delete_old_records,
    casual_upkeep.end_idle,
    casual_upkeep.prune,
    alarms.watch,
)
