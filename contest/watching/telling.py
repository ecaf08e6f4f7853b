"""Tell operators of an alarm: by mail to ALARM_MAIL, and by a POST of JSON to ALARM_WEBHOOK."""

from __future__ import annotations

import json
import urllib.request
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse

from contest.models import Alarm
from contest.watching.rules import Rule
from contest.words import one_line

TIMEOUT = 10.0  # seconds for the receiver of the webhook


@dataclass(frozen=True, slots=True)
class News:
    """An alarm that is raised or over."""

    rule: Rule
    state: str  # of Alarm.Told
    message: str
    since: datetime

    @property
    def title(self) -> str:
        return self.rule.title if self.state == Alarm.Told.RAISED else f"Over: {self.rule.title}"

    @property
    def page(self) -> str:
        return f"docs/operations/incidents/{self.rule.key}.md"

    @property
    def address(self) -> str:
        """Where operators read about it. Blank if the portal does not know its own address."""
        return settings.PORTAL_URL and settings.PORTAL_URL + reverse("operators-incident", args=[self.rule.key])


def mail(news: News) -> None:
    """Raises OSError or SMTPException."""
    moment = news.since.strftime("%Y-%m-%d %H:%M UTC")
    began = f"since {moment}" if news.state == Alarm.Told.RAISED else f"from {moment} on"
    lines = [f"{news.title}: {news.message}", f"({began})", "", "What to do:", news.address or news.page]
    EmailMessage(
        subject=one_line(f"{settings.EMAIL_SUBJECT_PREFIX}{news.title}"),
        body="\n".join(lines) + "\n",
        to=settings.ALARM_MAIL,
        headers={"Auto-Submitted": "auto-generated"},
    ).send()


def post(news: News) -> None:
    """Raises OSError or HTTPException if the receiver does not answer with a status 2xx."""
    told = {
        "text": f"{news.title}: {news.message} {news.address}".strip(),  # what chat programs show
        "alarm": news.rule.key,
        "state": news.state,
        "message": news.message,
        "since": news.since.isoformat(),
        "page": news.page,
        "portal": settings.PORTAL_URL,
    }
    headers = {"Content-Type": "application/json", "User-Agent": "Kibitz-Alarms/1"}
    # The address is the operator's own, checked by settings/watching.py: http or https.
    request = urllib.request.Request(settings.ALARM_WEBHOOK, json.dumps(told).encode(), headers)
    with urllib.request.urlopen(request, timeout=TIMEOUT):
        pass
