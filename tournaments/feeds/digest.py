"""News by mail, once a day or once a week, at seven in the morning in the portal's time zone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from contest import letters
from tournaments.feeds import reading
from tournaments.feeds.changes import unsubscribe_word
from tournaments.models import FollowSettings

HOUR = 7
MOST = 60  # news in a message
SETTLED = timedelta(seconds=30)  # by then, whoever was writing news has written them
Digest = FollowSettings.Digest


def send_due(now: datetime | None = None) -> int:
    """Send the digests that are due, with the news until `now`. Returns how many messages were sent."""
    if not settings.EMAIL_URL:
        return 0
    until = now or timezone.now() - SETTLED
    return sum(_send(row, until) for row in _due(until))


def _due(now: datetime) -> Iterator[FollowSettings]:
    rows = FollowSettings.objects.exclude(digest=Digest.NEVER).filter(user__is_active=True, mailed_at__lt=now)
    rows = rows.annotate(address=letters.confirmed_address()).exclude(address=None)
    yield from (row for row in rows.select_related("user").order_by("pk") if row.mailed_at < slot(row, now))


def slot(row: FollowSettings, now: datetime) -> datetime:
    """When their last digest was due."""
    local = timezone.localtime(now, timezone.get_default_timezone())
    found = local.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    if found > local:
        found -= timedelta(days=1)
    return found - timedelta(days=found.weekday()) if row.digest == Digest.WEEKLY else found


@transaction.atomic
def _send(row: FollowSettings, now: datetime) -> bool:
    """False if there is nothing to tell, or another process was faster."""
    news = list(reading.followed_by(row.user).filter(at__gt=row.mailed_at, at__lte=now)[: MOST + 1])
    mine = FollowSettings.objects.filter(pk=row.pk, mailed_at=row.mailed_at, digest=row.digest)
    if not mine.update(mailed_at=now) or not news:
        return False
    stop = settings.PORTAL_URL + reverse("unsubscribe", args=[unsubscribe_word(row.user)])
    context = {"news": news[:MOST], "more": len(news) > MOST, "portal": settings.PORTAL_URL, "stop": stop}
    EmailMessage(
        subject=" ".join(f"{settings.EMAIL_SUBJECT_PREFIX}{news[0].title}{_more(len(news))}".split()),
        body=render_to_string("tournaments/mail/digest.txt", {**context, "page": reverse("following")}),
        to=[row.address],  # type: ignore[attr-defined]
        headers={
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    ).send()
    return True


def _more(count: int) -> str:
    return "" if count == 1 else f" and {MOST}+ more" if count > MOST else f" and {count - 1} more"
