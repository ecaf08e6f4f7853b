"""Reviews and rehearsals by organisers, and duties that one process does for all."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from contest.models import Contest, User
from submissions.lease import LeaseQuerySet
from tournaments.models.stages import Stage


class Review(models.Model):
    """Matches replayed beside those that count. They replace the originals or are dropped, all at once.

    Its matches are `pending` and name the originals in `replay_of`.
    """

    class State(models.TextChoices):
        OPEN = "open", "Under review"
        APPLIED = "applied", "Applied"
        DROPPED = "dropped", "Dropped"

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="reviews")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="reviews")
    reason = models.CharField(max_length=300)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    decided_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"Review {self.pk}"


class Rehearsal(models.Model):
    """A stage played by house players in the teams' seats before it starts. Nothing of it counts."""

    class State(models.TextChoices):
        QUEUED = "queued", "Waiting for a worker"
        RUNNING = "running", "Running"
        DONE = "done", "Finished"
        FAILED = "failed", "Failed"

    stage = models.OneToOneField(Stage, on_delete=models.CASCADE, related_name="rehearsal")
    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    attempt = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    format = models.CharField(max_length=30, blank=True)
    terms = models.JSONField(default=dict)  # the stage's options and seed at the time of the request
    order = models.JSONField(default=list)  # the entrants
    # In order of arrival: [round, table, number, players, places, scores].
    results = models.JSONField(default=list)
    error = models.CharField(max_length=300, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = LeaseQuerySet["Rehearsal"].as_manager()

    def __str__(self) -> str:
        return f"Rehearsal of {self.stage}"

    @property
    def in_progress(self) -> bool:
        return self.state in (self.State.QUEUED, self.State.RUNNING)


class Duty(models.Model):
    """A task that one process at a time does for everybody, such as the periodic tick. Held like a lease."""

    MOST: ClassVar = timedelta(minutes=5)

    name = models.CharField(max_length=40, primary_key=True)
    worker = models.CharField(max_length=100, blank=True)
    since = models.DateTimeField(default=timezone.now)  # when this worker took it
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "duties"

    def __str__(self) -> str:
        return self.name

    @classmethod
    def take(cls, name: str, worker: str, now: datetime, length: timedelta) -> bool:
        """Take the duty unless somebody else holds it now. Whoever holds it for longer than `MOST` had a clock that was
        ahead."""
        cls.objects.get_or_create(name=name, defaults={"until": now - timedelta(seconds=1)})
        row, until = cls.objects.filter(name=name), now + length
        if row.filter(worker=worker, until__gte=now).update(until=until):
            return True
        free = Q(until__lt=now) | Q(until__gt=now + cls.MOST)
        return bool(row.filter(free).update(worker=worker, since=now, until=until))

    @classmethod
    def held(cls, name: str, now: datetime) -> Duty | None:
        """The duty, if anybody holds it now."""
        return cls.objects.filter(name=name, until__gt=now).first()

    @classmethod
    def give_back(cls, name: str, worker: str, now: datetime) -> None:
        cls.objects.filter(name=name, worker=worker).update(until=now - timedelta(seconds=1))
