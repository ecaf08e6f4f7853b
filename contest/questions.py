"""Questions from teams, answers and messages. Every action is one transaction and one entry of the audit log.

An answer goes to the team that asked or to everyone, without the team's name. News for a member is what was posted
after they last opened the page of questions and announcements.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from contest.ledger import Held, hold
from contest.models import Act, LedgerEntry, Membership, Question, Team, User
from contest.refusal import Refused

MOST_IN_AN_HOUR = 6  # questions per team
MOST_WAITING = 10  # unanswered questions per team

CANNED = (
    "Read the rules, section …",
    "No comment.",
    "This is answered in an announcement: …",
    "We are looking into it.",
    "The result stands: …",
)
"""Common answers to start from."""


@transaction.atomic
def ask(team: Team, by: User, subject: str, text: str, now: datetime | None = None) -> Question:
    """Ask a question. Teams that are out may ask too, even after the end: they may have a complaint."""
    now = now or timezone.now()
    contest = hold(team.contest_id)
    waiting = contest.questions.filter(team=team, answered_at=None)
    if waiting.filter(text=text).exists():
        raise Refused("Your team has already asked exactly this. The organisers have your question.")
    if waiting.count() >= MOST_WAITING:
        raise Refused(f"Your team has {MOST_WAITING} unanswered questions. Please wait for the first answers.")
    recent = contest.questions.filter(team=team, asked_at__gt=now - timedelta(hours=1)).exclude(text="")
    if recent.count() >= MOST_IN_AN_HOUR:
        raise Refused(f"Your team has asked {MOST_IN_AN_HOUR} questions in the last hour. Please wait a little.")
    question = Question.objects.create(
        contest=contest, team=team, asked_by=by, asked_at=now, subject=subject, text=text
    )
    Act.record(contest, by, "ask", subject, team=team.pk, question=question.pk)
    contest.touch()
    return question


@transaction.atomic
def answer(question: Question, by: User, text: str, *, to_all: bool, seen: datetime | None) -> None:
    """Answer a question, or change its answer or audience. `seen` is the time of the answer that `by` was shown.

    Raises Refused if someone else has answered since.
    """
    contest = hold(question.contest_id)
    question = contest.questions.select_related("team", "answered_by").get(pk=question.pk)
    if question.answered_at != seen:
        raise Refused(
            f"{question.answered_by or 'Someone else'} has answered in the meantime. Please read that answer first."
        )
    if to_all and question.is_notice:
        raise Refused("A message to one team is for that team only. To reach everyone, post an announcement.")
    first = question.answered_at is None
    before = None if first else [question.answer, question.to_all]
    question.answer, question.to_all = text, to_all
    question.answered_by, question.answered_at = by, timezone.now()
    question.save(update_fields=["answer", "to_all", "answered_by", "answered_at"])
    verb = "answer" if first else "change notice" if question.is_notice else "change answer"
    team = question.team_id
    Act.record(contest, by, verb, question, team=team, question=question.pk, to_all=to_all, before=before)
    contest.touch()


@transaction.atomic
def tell(team: Team, by: User, subject: str, text: str) -> Question:
    """Send a message to one team."""
    contest = hold(team.contest_id)
    now = timezone.now()
    notice = Question.objects.create(
        contest=contest, team=team, subject=subject, answer=text, asked_at=now, answered_at=now, answered_by=by
    )
    Act.record(contest, by, "tell team", f"{team}: {subject}", team=team.pk, question=notice.pk)
    contest.touch()
    return notice


@dataclass(frozen=True, slots=True)
class Notice:
    """What the portal tells a team by itself."""

    team_id: int
    subject: str
    text: str


def notify(held: Held, entry: LedgerEntry | None, notices: Iterable[Notice]) -> int:
    """Tell teams what an entry of the ledger means for them. Each is told once, however often this is called. Without
    an entry it is told every time.

    Returns how many were told.
    """
    told = set(Question.objects.filter(entry=entry).values_list("team", flat=True)) if entry else ()
    now = timezone.now()
    made = Question.objects.bulk_create(
        Question(
            contest=held, team_id=notice.team_id, subject=notice.subject[:120], answer=notice.text,
            asked_at=now, answered_at=now, entry=entry,
        )
        for notice in notices
        if notice.team_id not in told
    )  # fmt: skip
    if made:
        held.touch()
    return len(made)


# What is new ----------------------------------------------------------------------------------------------------------


def unread(member: Membership) -> int:
    """How many answers, messages and announcements are new to this person. One query."""
    said = Question.objects.filter(contest=member.contest_id).heard_by(member.team)
    answers = said.filter(answered_at__gt=member.knows_until).order_by().values("pk")
    announcements = member.contest.announcements.filter(posted_at__gt=member.knows_until).order_by().values("pk")
    return answers.union(announcements, all=True).count()


def read(member: Membership, latest: datetime) -> None:
    """Mark everything posted until `latest` as read.

    `latest` is the time of a post, not of the clock: a post that is being written now may carry an earlier time.
    """
    if latest > member.knows_until:
        Membership.objects.filter(pk=member.pk).update(read_at=latest)
