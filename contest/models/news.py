"""What is said in a contest: announcements, questions and messages."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from contest.models.contests import Contest, Team
from contest.models.people import User


class Announcement(models.Model):
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="announcements")
    title = models.CharField(max_length=120)
    text = models.TextField(blank=True)  # Markdown
    posted_at = models.DateTimeField(default=timezone.now)
    posted_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-posted_at", "-id"]

    def __str__(self) -> str:
        return self.title


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


class Question(models.Model):
    """A team's question to the organisers. The answer is for that team or for everyone.

    Without a text it is a notice: a message to the team from the organisers or the portal.
    """

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="questions")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="questions")
    asked_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    subject = models.CharField(max_length=120)
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
        return self.subject

    @property
    def is_notice(self) -> bool:
        return not self.text
