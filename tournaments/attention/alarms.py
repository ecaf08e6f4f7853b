"""What operators must look at, and what waits. The tick notices it, `/operators/` shows it, each gets one message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Count, Min, QuerySet
from django.urls import reverse

from contest import workers
from contest.formatting import duration
from contest.models import Alarm, Letter, User
from contest.server import backups, health
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


LASTS = timedelta(minutes=2)  # before it is told: workers come one after another
CALM = timedelta(hours=1)  # for which it must be over before it is told again
TODO = {
    "disk": "Free some space: “du -xsh var/*” shows what takes it.",
    "workers": "Read the worker's log in var/log/, or start one: docs/operations/machines.md.",
    "backup": "Remove the cause, then make one by hand: ./run backup.",
    "queue": "Read matches.log and builds.log in var/log/, and ask ./run manage doctor what this machine lacks.",
}


def troubles(now: datetime) -> dict[str, str]:
    """What is wrong, in a line, by the keys of `TODO`."""
    checks = [health.disk, workers.workforce, *([backups.finding] if settings.BACKUP_EVERY else [])]
    found = {it.part: it.detail for it in (check() for check in checks) if not it.ok}
    return found | ({"queue": words} if (words := stuck(now)) else {})


def watch(now: datetime) -> None:
    """Look at the portal, and tell the operators what lasts. Called with every tick."""
    found = troubles(now)
    if found or Alarm.objects.exists():
        with transaction.atomic():
            note(found, now)


def note(found: Mapping[str, str], now: datetime) -> None:
    for key, words in found.items():
        alarm, _ = Alarm.objects.get_or_create(key=key, defaults={"bad_since": now})
        alarm.message, alarm.good_since = words[:500], None
        if alarm.raised_at is None and now - (alarm.bad_since or now) >= LASTS:
            alarm.raised_at = now
            tell(alarm)
        alarm.save()
    over = Alarm.objects.exclude(key__in=found)
    over.filter(raised_at=None).delete()
    over.filter(good_since=None).update(good_since=now)
    over.filter(good_since__lt=now - CALM).delete()


def tell(alarm: Alarm) -> None:
    """Write to every operator whose address is confirmed."""
    if not settings.EMAIL_URL:
        return
    page = f"{settings.PORTAL_URL}{reverse('operators')}"
    for address in operators():
        EmailMessage(
            subject=f"{settings.EMAIL_SUBJECT_PREFIX}{alarm.key}",
            body=f"{alarm.message}\n\n{TODO[alarm.key]}\n{page}\n",
            to=[address],
            headers={"Auto-Submitted": "auto-generated"},
        ).send()


def operators() -> list[str]:
    """The addresses of administrators that are confirmed."""
    people = User.objects.filter(is_superuser=True, is_active=True)
    addresses = people.filter(emailaddress__verified=True, emailaddress__primary=True)
    return list(addresses.order_by("pk").values_list("emailaddress__email", flat=True))
