"""What waits to be done, by kind, for operators. Bounded: a queue that is longer than `MOST` counts as `MOST`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, QuerySet

from contest.formatting import duration
from contest.models import Letter
from submissions.models import Submission
from tournaments.models import Delivery, Match, PracticeGame

MOST = 20_000


@dataclass(frozen=True, slots=True)
class Queue:
    """Work that could be done now: how much, and how long the oldest has been due."""

    kind: str
    waiting: int
    oldest: timedelta


def queues(now: datetime) -> list[Queue]:
    deliveries = Delivery.objects.waiting().filter(webhook__switched_off_at=None)
    return [
        _queue("matches", Match.objects.claimable(now).for_workers(), "due_at", now),
        _queue("builds", Submission.objects.claimable(now), "due_at", now),
        _queue("practice", PracticeGame.objects.claimable(now), "due_at", now),
        _queue("webhooks", deliveries, "made_at", now),
        _queue("mail", Letter.objects.filter(due_at__lte=now), "created_at", now),
    ]


def stuck(now: datetime) -> str:
    """Why operators must look at the queues, in a line. Blank if work goes on."""
    due = {queue.kind: queue for queue in queues(now)}
    matches, builds = due["matches"], due["builds"]
    if matches.oldest > timedelta(minutes=5) and not Match.objects.filter(state=Match.State.RUNNING).exists():
        return f"{matches.waiting} matches are due, and none is played"
    if builds.oldest > timedelta(minutes=15):
        return f"{builds.waiting} versions wait for their build, one of them for {duration(builds.oldest)}"
    return ""


def _queue(kind: str, rows: QuerySet[Any], since: str, now: datetime) -> Queue:
    found = rows.order_by().values_list(since, flat=True)[:MOST].aggregate(count=Count("*"), oldest=Min(since))
    return Queue(kind, found["count"], max(timedelta(), now - (found["oldest"] or now)))
