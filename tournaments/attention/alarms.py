"""What operators must look at. The tick notices it, `/operators/` shows it, and each operator gets one message."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse

from contest import workers
from contest.models import Alarm, User
from contest.server import backups, health
from tournaments.attention.queues import stuck

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
