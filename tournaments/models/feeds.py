"""What people follow, and the news of contests (tournaments/feeds)."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import Q
from django.utils import timezone

from contest.models import Announcement, Contest, Kind, Team, User
from tournaments.models.matches import Match
from tournaments.models.stages import Stage


class Follow(models.Model):
    """Somebody follows a contest or a team."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, null=True, related_name="+")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-since", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "contest"], name="a_contest_is_followed_once"),
            models.UniqueConstraint(fields=["user", "team"], name="a_team_is_followed_once"),
            models.CheckConstraint(
                condition=Q(contest__isnull=False, team=None) | Q(contest=None, team__isnull=False),
                name="one_thing_is_followed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} follows {self.contest or self.team}"


def new_key() -> str:
    return secrets.token_urlsafe(24)


class FollowSettings(models.Model):
    """How somebody gets the news of what they follow. Made when they first ask."""

    class Digest(models.TextChoices):
        NEVER = "", "Never"
        DAILY = "daily", "Every day, at seven in the morning"
        WEEKLY = "weekly", "Every Monday, at seven in the morning"

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=6, choices=Digest.choices, default=Digest.NEVER, blank=True)
    mailed_at = models.DateTimeField(default=timezone.now)  # older news was mailed, or is not wanted
    key = models.CharField(max_length=40, default=new_key, unique=True)  # in the address of the private feed

    def __str__(self) -> str:
        return f"What {self.user} follows"


class NewsItem(models.Model):
    """Something that everybody who may see the contest may know, in the words of the moment when it became known."""

    FURTHER = {"announcement": "Announcement", "ladder": "How a ladder stands, once a day"}
    """The kinds that are not those of an entry of the ledger."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="news", db_index=False)
    name = models.CharField(
        max_length=100
    )  # the id of the entry in the feed of the ledger, or of what else it is about
    at = models.DateTimeField(default=timezone.now)  # when it became known
    kind = models.CharField(max_length=20)
    title = models.CharField(max_length=200)
    text = models.CharField(max_length=500, blank=True)
    path = models.CharField(max_length=200)  # of the page about it
    teams = models.ManyToManyField(Team, related_name="+")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, null=True, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="+")
    announcement = models.ForeignKey(Announcement, on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [models.UniqueConstraint(fields=["contest", "name"], name="news_are_told_once")]
        indexes = [
            models.Index(fields=["contest", "-at"], name="news_by_contest"),
            models.Index(fields=["-at"], name="news_by_time"),
        ]

    def __str__(self) -> str:
        return self.title

    @classmethod
    def label_of(cls, kind: str) -> str:
        return cls.FURTHER.get(kind) or str(Kind(kind).label)


class FeedPlace(models.Model):
    """How far the ledger of a contest has become news (results/entries_seen.py)."""

    contest = models.OneToOneField(Contest, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveBigIntegerField(default=0)
    hiding = models.CharField(max_length=64, blank=True)
    resume = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.contest} up to {self.number}"


class Played(models.Model):
    """A match of a planned or judged stage, for one of its teams: to be told, or told."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    noted_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True)
    """When to look whether it can be told. None: not before an entry of the ledger makes it known."""
    told_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "match"], name="a_team_is_told_of_a_match_once")]
        indexes = [models.Index(fields=["due_at"], condition=Q(told_at=None), name="matches_to_tell")]

    def __str__(self) -> str:
        return f"{self.match} for {self.team}"


class LadderTold(models.Model):
    """How far a team knows of its matches in a ladder: up to this number of the ledger. It is told in bundles."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveBigIntegerField(default=0)
    told_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True, db_index=True)  # None: nothing new
    rating = models.FloatField(null=True)  # as it was told last

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "stage"], name="one_row_per_team_and_ladder")]

    def __str__(self) -> str:
        return f"{self.stage} for {self.team}"
