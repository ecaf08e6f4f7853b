"""Bots that teams send us: every version of every team, how it was built, how it did in its check."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from contest.models import AnyUser, Contest, Team, User


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def visible_to(self, user: AnyUser) -> SubmissionQuerySet:
        """Source, logs and debug output are for the team itself and for those with a role in its contest."""
        if not user.is_authenticated:
            return self.none()
        if user.is_superuser:
            return self
        mine = Q(team__memberships__user=user) | Q(team__contest__roles__user=user)
        return self.filter(mine).distinct()

    def in_progress(self) -> SubmissionQuerySet:
        return self.filter(state__in=Submission.IN_PROGRESS)

    def abandoned(self, at: datetime) -> SubmissionQuerySet:
        """Builds and checks whose worker is gone: the lease has run out."""
        return self.filter(state__in=Submission.WORKING, lease_until__lt=at)

    def ready(self) -> SubmissionQuerySet:
        return self.filter(state=Submission.State.READY)

    def active(self) -> SubmissionQuerySet:
        return self.filter(is_active=True)


class Submission(models.Model):
    """One version of a team's bot."""

    class State(models.TextChoices):
        QUEUED = "queued", "Queued"
        BUILDING = "building", "Building"
        CHECKING = "checking", "Checking"
        READY = "ready", "Ready"
        REJECTED = "rejected", "Rejected"

    WORKING = (State.BUILDING, State.CHECKING)
    IN_PROGRESS = (State.QUEUED, State.BUILDING, State.CHECKING)

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="submissions")
    number = models.PositiveIntegerField()  # 1, 2, 3 … within the team
    language = models.CharField(max_length=20)  # a slug of submissions.languages
    filename = models.CharField(max_length=100)
    source = models.BinaryField()
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, db_index=True)
    strategy_filename = models.CharField(max_length=100, blank=True)
    strategy = models.TextField(blank=True)
    uploaded_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    uploaded_at = models.DateTimeField(default=timezone.now)

    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    verdict = models.TextField(blank=True)  # one clear sentence about why it was rejected
    is_active = models.BooleanField(default=False)

    build_command = models.TextField(blank=True)
    toolchain = models.CharField(max_length=200, blank=True)
    build_log = models.TextField(blank=True)  # also on success
    build_seconds = models.FloatField(null=True)
    artifact = models.ForeignKey("Artifact", on_delete=models.SET_NULL, null=True, related_name="+")

    worker = models.CharField(max_length=100, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["team", "number"], name="version_numbers_are_unique"),
            models.UniqueConstraint(fields=["team"], condition=Q(is_active=True), name="one_active_version_per_team"),
        ]
        indexes = [models.Index(fields=["state", "lease_until"])]

    def __str__(self) -> str:
        return f"{self.team} version {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("version", args=[self.team.contest.slug, self.number])

    @property
    def contest(self) -> Contest:
        return self.team.contest

    def source_text(self) -> str:
        return bytes(self.source).decode("utf-8", "replace")


class Artifact(models.Model):
    """What a build made, kept by content: the same source, commands and compiler are built once for all workers."""

    key = models.CharField(max_length=64, unique=True)  # sha-256 over language, source, kit files, toolchain, command
    data = models.BinaryField()  # zstd
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.key[:12]

    @staticmethod
    def key_of(*parts: bytes | str) -> str:
        digest = hashlib.sha256()
        for part in parts:
            raw = part.encode() if isinstance(part, str) else part
            digest.update(len(raw).to_bytes(8, "big") + raw)
        return digest.hexdigest()


class CheckGame(models.Model):
    """One game of a version's check against house players, for its team's eyes only."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="check_games")
    number = models.PositiveIntegerField()
    seat = models.PositiveIntegerField()
    passed = models.BooleanField()
    fault_kind = models.CharField(max_length=12, blank=True)
    fault_detail = models.TextField(blank=True)
    place = models.PositiveIntegerField(null=True)
    slowest_ms = models.FloatField(null=True)
    record = models.BinaryField()  # zstd of the canonical JSON
    stderr = models.BinaryField(default=b"")  # zstd of JSON: [[event index, text], …]

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["submission", "number"], name="check_game_numbers_are_unique")]

    def __str__(self) -> str:
        return f"{self.submission}, check game {self.number}"
