"""What the tick does for practice: take games from lost workers, end what may not go on, wake workers, prune."""

from __future__ import annotations

from datetime import datetime, timedelta

from tournaments.models import PracticeOrder, PracticeRecord
from tournaments.practice import orders, play, queue, rights

RECORDS_KEPT = timedelta(days=14)
ORDERS_KEPT = timedelta(days=90)
PRUNED_AT_ONCE = 500  # records in one tick, and a tenth as many orders


def revive(now: datetime) -> None:
    play.requeue_abandoned(now)
    end_stopped(now)
    queue.wake(now)


def end_stopped(now: datetime) -> int:
    """End orders that may not go on: the contest has ended, practice was closed, an opponent has declined … Returns how
    many. The worker that plays a game of one drops it."""
    found = PracticeOrder.objects.open().select_related("contest", "team__contest")
    found = found.prefetch_related(orders.with_players())
    stopped = [(order, why) for order in found if (why := rights.why_over(order, now))]
    for order, why in stopped:
        orders.stop(order, why)
    return len(stopped)


def prune(now: datetime) -> int:
    """Delete old records, and older orders with all their games; some at a time. Returns how many rows."""
    ended = PracticeOrder.objects.filter(ended_at__lt=now - ORDERS_KEPT).order_by("pk").values_list("pk", flat=True)
    gone = PracticeOrder.objects.filter(pk__in=list(ended[: PRUNED_AT_ONCE // 10])).delete()[0]
    stale = PracticeRecord.objects.filter(made_at__lt=now - RECORDS_KEPT).order_by("pk").values_list("pk", flat=True)
    return gone + PracticeRecord.objects.filter(pk__in=list(stale[:PRUNED_AT_ONCE])).delete()[0]
