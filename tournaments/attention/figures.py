"""Figures about contests for /metrics and the alarms. Bounded: what is longer than `MOST` counts as `MOST`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, QuerySet
from django.utils import timezone

from contest.models import Contest
from contest.server.figures import Figure
from submissions.models import Submission
from tournaments.models import Delivery, Match, Stage, Webhook

MOST = 20_000
MINUTE = timedelta(minutes=1)
LATE = timedelta(minutes=1)  # after which a stage that should have started is late


def matches() -> list[Figure]:
    """How long matches have been due, and how many are played."""
    now = timezone.now()
    count, oldest = waiting(Match.objects.claimable(now).that_matter(), "due_at")
    running = Match.objects.filter(state=Match.State.RUNNING).count()
    troubled = Match.objects.filter(state=Match.State.QUEUED, failures__gt=0)[:MOST].count()
    going_on = Contest.objects.filter(ended_at=None).values("pk")  # the index is by contest
    results = Match.objects.filter(contest__in=going_on, finished_at__gt=now - MINUTE, finished_at__lte=now).count()
    return [
        Figure("matches_due", "Matches that could be played now, without ladders that never end.", count),
        Figure("match_due_oldest_seconds", "How long the oldest of these has been due.", age(oldest, now)),
        Figure("matches_running", "Matches that are being played.", running),
        Figure("matches_troubled", "Queued matches on which the machinery has failed.", troubled),
        Figure("results_per_minute", "Results of the last minute, in contests that go on.", results),
    ]


def builds() -> list[Figure]:
    now = timezone.now()
    count, oldest = waiting(Submission.objects.claimable(now), "due_at")
    running = Submission.objects.filter(state__in=Submission.WORKING).count()
    return [
        Figure("builds_due", "Versions that wait for their build or their check.", count),
        Figure("build_due_oldest_seconds", "How long the oldest of these has been due.", age(oldest, now)),
        Figure("builds_running", "Versions that are being built or checked.", running),
    ]


def stages() -> list[Figure]:
    now = timezone.now()
    late = Stage.objects.due(now - LATE).filter(starts_at__isnull=False)
    return [Figure("stages_late", "Stages that should have started more than a minute ago.", late.count())]


def webhooks() -> list[Figure]:
    now = timezone.now()
    count, oldest = waiting(Delivery.objects.waiting().filter(webhook__switched_off_at=None), "made_at")
    failing = Webhook.objects.on().filter(failing_since__isnull=False).count()
    return [
        Figure("webhook_deliveries_waiting", "Messages to webhooks that are not delivered yet.", count),
        Figure("webhook_delivery_oldest_seconds", "How long the oldest of these has waited.", age(oldest, now)),
        Figure("webhooks_failing", "Webhooks whose last message could not be delivered.", failing),
    ]


def waiting(rows: QuerySet[Any], since: str) -> tuple[int, datetime | None]:
    """How many rows there are, and the earliest moment among them; of the first `MOST` if there are more."""
    first = rows.order_by().values_list(since, flat=True)[:MOST]
    found = first.aggregate(count=Count("*"), oldest=Min(since))
    return found["count"], found["oldest"]


def age(moment: datetime | None, now: datetime) -> float:
    return max(0.0, (now - moment).total_seconds()) if moment else 0.0
