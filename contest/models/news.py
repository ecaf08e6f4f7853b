"""What is said in a contest: announcements, questions and messages; and the audit log."""

from __future__ import annotations

from typing import Any

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from contest.models.contests import Contest, Team
from contest.models.people import AnyUser, User
from contest.names import Name, Named, NameField


class Announcement(Named, models.Model):
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="announcements")
    title = NameField(max_length=120)
    text = models.TextField(blank=True)  # Markdown
    posted_at = models.DateTimeField(default=timezone.now)
    posted_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-posted_at", "-id"]

    def __str__(self) -> str:
        return Name(self.title)


class QuestionQuerySet(models.QuerySet["Question"]):
    def waiting(self) -> QuestionQuerySet:
        """Questions without an answer, oldest first."""
        return self.filter(answered_at=None).order_by("asked_at", "id")

    def answered(self) -> QuestionQuerySet:
        return self.filter(answered_at__isnull=False).order_by("-answered_at", "-id")

    def heard_by(self, team: Team | None) -> QuestionQuerySet:
        """What a team may read: answers to all and everything of its own. None: what everyone may read."""
        public = Q(to_all=True, answered_at__isnull=False)
        return self.filter(public | Q(team=team) if team else public)


class Question(Named, models.Model):
    """A team's question to the organisers. The answer is for that team or for everyone.

    Without a text it is a notice: a message to the team from the organisers or the portal.
    """

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="questions")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="questions")
    asked_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    subject = NameField(max_length=120)
    text = models.TextField()  # blank: a notice
    answer = models.TextField(blank=True)  # Markdown
    answered_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    to_all = models.BooleanField(default=False)  # show question and answer to everyone, without the team's name
    entry = models.ForeignKey("contest.LedgerEntry", on_delete=models.CASCADE, null=True, related_name="+")
    """Of a notice that the portal writes by itself: what it is about."""

    objects = QuestionQuerySet.as_manager()

    class Meta:
        ordering = ["-asked_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["team", "entry"], name="one_notice_per_team_and_entry"),
        ]

    def __str__(self) -> str:
        return Name(self.subject)

    @property
    def is_notice(self) -> bool:
        return not self.text


class Act(models.Model):
    """An entry of the audit log: who did what to what, when and why. Written with the action, never changed."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="acts")
    at = models.DateTimeField(default=timezone.now)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")  # null: the portal itself
    verb = models.CharField(max_length=40)  # "void match", "approve team"
    target = NameField(max_length=200, blank=True)  # "Match 17", a team's name
    reason = models.TextField(blank=True)
    data = models.JSONField(default=dict, blank=True)  # before and after, ids

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.verb} {self.target}"

    @classmethod
    def record(
        cls, contest: Contest, user: AnyUser | None, verb: str, target: object = "", reason: str = "", **data: Any
    ) -> Act:
        """Add an entry to the audit log. Must run in the transaction of the action."""
        act = cls.of(contest, user, verb, target, reason, **data)
        act.save(force_insert=True)
        return act

    @classmethod
    def of(
        cls, contest: Contest, user: AnyUser | None, verb: str, target: object = "", reason: str = "", **data: Any
    ) -> Act:
        """The same, not saved yet: for actions that write many at once."""
        assert transaction.get_connection().in_atomic_block, "record an act in the transaction of its action"
        who = user if isinstance(user, User) else None
        return cls(contest=contest, user=who, verb=verb, target=str(target)[:200], reason=reason, data=data)
