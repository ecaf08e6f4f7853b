"""News by mail, once a day or once a week, at seven in the morning of whoever gets them."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from smtplib import SMTPException, SMTPRecipientsRefused
from time import monotonic

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import OuterRef, Subquery
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from contest.words import one_line
from contest.zones import zone_called
from tournaments.feeds import reading
from tournaments.feeds.changes import unsubscribe_word
from tournaments.models import FollowSettings

logger = logging.getLogger(__name__)
HOUR = 7
LONGEST = 20.0  # seconds for one run; the next goes on
MOST = 60  # news in a message
SETTLED = timedelta(seconds=30)  # by then, whoever was writing news has written them
Digest = FollowSettings.Digest


def send_due(now: datetime | None = None) -> int:
    """Send the digests that are due, with the news until `now`. Returns how many messages were sent."""
    if not settings.EMAIL_URL:
        return 0
    now, until, count = now or timezone.now() - SETTLED, monotonic() + LONGEST, 0
    connection = get_connection()
    try:
        for row in _due(now):
            if monotonic() >= until:
                break
            count += _send(row, now, connection)
    except (OSError, SMTPException):
        logger.warning("cannot send digests: trying again in the next run", exc_info=True)
    finally:
        connection.close()
    return count


def _due(now: datetime) -> list[FollowSettings]:
    confirmed = EmailAddress.objects.filter(user=OuterRef("user"), verified=True).order_by("-primary", "pk")
    rows = FollowSettings.objects.exclude(digest=Digest.NEVER).filter(user__is_active=True, mailed_at__lt=now)
    rows = rows.annotate(address=Subquery(confirmed.values("email")[:1])).exclude(address=None)
    return [row for row in rows.select_related("user").order_by("pk") if row.mailed_at < slot(row, now)]


def slot(row: FollowSettings, now: datetime) -> datetime:
    """When their last digest was due."""
    local = now.astimezone(zone_called(row.user.time_zone) or timezone.get_default_timezone())
    found = local.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    if found > local:
        found -= timedelta(days=1)
    return found - timedelta(days=found.weekday()) if row.digest == Digest.WEEKLY else found


def _send(row: FollowSettings, now: datetime, connection: BaseEmailBackend) -> bool:
    """False if there is nothing to tell, another process was faster, or the address was refused."""
    news = list(reading.followed_by(row.user).filter(at__gt=row.mailed_at, at__lte=now)[: MOST + 1])
    mine = FollowSettings.objects.filter(pk=row.pk, mailed_at=row.mailed_at, digest=row.digest)
    if not mine.update(mailed_at=now) or not news:
        return False
    stop = settings.PORTAL_URL + reverse("unsubscribe", args=[unsubscribe_word(row.user)])
    context = {"news": news[:MOST], "more": len(news) > MOST, "portal": settings.PORTAL_URL, "stop": stop}
    message = EmailMessage(
        subject=one_line(f"{settings.EMAIL_SUBJECT_PREFIX}{news[0].title}{_more(len(news))}"),
        body=render_to_string("tournaments/mail/digest.txt", {**context, "page": reverse("following")}),
        to=[row.address],  # type: ignore[attr-defined]
        headers={
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        connection=connection,
    )
    try:
        connection.open()
        message.send()
    except SMTPRecipientsRefused:  # trying again would only delay the others
        logger.warning("the mail server refuses the address of %s", row.user)
        return False
    except (OSError, SMTPException):
        FollowSettings.objects.filter(pk=row.pk, mailed_at=now).update(mailed_at=row.mailed_at)
        raise
    return True


def _more(count: int) -> str:
    return "" if count == 1 else f" and {MOST}+ more" if count > MOST else f" and {count - 1} more"
