"""E-mail about answers, messages and announcements, for members who have not read them on the page.

Mail goes only to confirmed addresses, and to nobody who has turned it off. News of a few minutes becomes one message.
What a member has read meanwhile, or the organisers have withdrawn, is not sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from contest import letters
from contest.models import Contest, Kind, Membership

QUIET = timedelta(minutes=2)  # before sending: the organisers may add or correct something
OLD = timedelta(days=2)  # older news is not sent, for example when mail is first set up


@dataclass(frozen=True, slots=True)
class Said:
    """One piece of news. `team` is set if only that team may read it; `of_match`: its matches were played."""

    at: datetime
    title: str
    text: str
    team: int | None = None
    of_match: bool = False

    def concerns(self, member: Membership) -> bool:
        return self.team in (None, member.team_id) and (member.user.mail_matches or not self.of_match)


def send_due(now: datetime | None = None) -> int:
    """Send all news that is due. Returns how many messages were sent."""
    if not settings.EMAIL_URL:
        return 0
    now = now or timezone.now()
    contests = Contest.objects.exclude(ended_at__lt=now - OLD).order_by("pk")
    return sum(_send(contest, *each) for contest in contests for each in due(contest, now))


def due(contest: Contest, now: datetime) -> Iterator[tuple[Membership, list[Said]]]:
    """Members with their unread news, oldest first. Three queries, or two if there is no news."""
    said = _said(contest, now)
    if not said:
        return
    members = Membership.objects.filter(contest=contest, user__is_active=True, user__mail_news=True)
    members = members.select_related("user")
    for member in members.annotate(address=letters.confirmed_address()).exclude(address=None).order_by("pk"):
        known = max(member.knows_until, member.mailed_until or member.knows_until)
        if news := [it for it in said if it.at > known and it.concerns(member)]:
            yield member, news


def _said(contest: Contest, now: datetime) -> list[Said]:
    window = (now - OLD, now - QUIET)
    announcements = contest.announcements.filter(posted_at__range=window)
    answered = contest.questions.filter(answered_at__range=window).select_related("entry")
    found = [Said(it.posted_at, it.title, it.text) for it in announcements]
    for it in answered:
        asked = f"“{it.text}”\n\n" if it.text else ""
        team, of_match = None if it.to_all else it.team_id, it.entry is not None and it.entry.kind == Kind.MATCH_RESULT
        found.append(Said(it.answered_at or now, it.subject, f"{asked}{it.answer}", team, of_match))
    return sorted(found, key=lambda it: it.at)


@transaction.atomic
def _send(contest: Contest, member: Membership, news: Sequence[Said]) -> bool:
    """False if another process was faster."""
    mine = Membership.objects.filter(pk=member.pk, mailed_until=member.mailed_until)
    if not mine.update(mailed_until=news[-1].at):
        return False
    more = f" and {len(news) - 1} more" if len(news) > 1 else ""
    page, account = reverse("questions", args=[contest.slug]), reverse("account")
    context = {"contest": contest, "news": news, "portal": settings.PORTAL_URL, "page": page, "account": account}
    EmailMessage(
        subject=" ".join(f"{settings.EMAIL_SUBJECT_PREFIX}{contest}: {news[0].title}{more}".split()),
        body=render_to_string("contest/mail/news.txt", context),
        to=[member.address],  # type: ignore[attr-defined]
        headers={"Auto-Submitted": "auto-generated"},
    ).send()
    return True
