"""The timetable of a stage: when its rounds start, and when their results become public."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models

from contest.models.moments import MomentField
from tournaments.models.stages import Stage


class RoundManager(models.Manager["Round"]):
    """Leaves out the rounds that a reset has set aside."""

    def get_queryset(self) -> models.QuerySet[Round]:
        return super().get_queryset().filter(until=0)


class Round(models.Model):
    """What organisers have arranged for one round of a stage, and whether it was let go.

    A round without a row, or with the values of a new one, begins as its players become known. The first round starts
    with its stage (`Stage.starts_at`), so it has no start of its own here.
    """

    class Release(models.TextChoices):
        AT_ONCE = "at_once", "At once"
        MOMENT = "moment", "At a time"
        MANUAL = "manual", "When I release them"

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        HELD = "held", "On hold"
        RUNNING = "running", "In progress"
        DONE = "done", "Finished"

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="timetable")
    number = models.PositiveIntegerField()  # from 1
    starts_at = MomentField(null=True, blank=True)  # null: after the round before
    break_minutes = models.PositiveIntegerField(null=True, blank=True)  # after the whole round before; null: none
    hold = models.BooleanField(default=False)  # until an organiser starts it; who meets is the organisers' alone
    in_turn = models.BooleanField(default=False)  # one table after the other
    release = models.CharField(max_length=10, choices=Release.choices, default=Release.AT_ONCE)
    release_at = MomentField(null=True, blank=True)  # of a release at a moment
    started_at = models.DateTimeField(null=True, blank=True)  # when it was let go
    shown_from = models.PositiveBigIntegerField(null=True, blank=True)
    """The ledger entry from which everybody may know who meets in a round on hold. None: not yet."""
    moves = models.PositiveIntegerField(default=0)  # how often its start was changed, for calendars
    reminded_of = models.DateTimeField(null=True, blank=True)  # the start of which its teams were reminded
    until = models.PositiveBigIntegerField(default=0)  # the ledger entry that set it aside; 0: none

    objects: ClassVar[RoundManager] = RoundManager()
    every = models.Manager["Round"]()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "until", "number"], name="round_numbers_are_unique"),
        ]
        indexes = [
            models.Index(fields=["starts_at"], condition=models.Q(started_at=None), name="round_to_start"),
        ]

    def __str__(self) -> str:
        return f"Round {self.number}"

    @classmethod
    def known_of(cls, stage: Stage, n: int | None) -> list[Round]:
        """The rows of a stage as of ledger number `n` (None: now), by number. A reset may have set them aside since."""
        found = list(cls.every.filter(models.Q(until=0) | models.Q(until__gt=n or 0), stage=stage))
        kept = min((row.until for row in found if row.until), default=0) if n is not None else 0
        last = [row for row in found if row.until and row.until == max(each.until for each in found)]
        if n is None and not stage.has_started and last and not any(row.started_at for row in last):
            kept = last[0].until if Stage.objects.filter(pk=stage.pk).exclude(started_at=None) else 0  # a hidden start
        return [row for row in found if row.until == kept]

    @property
    def waits(self) -> bool:
        """Whether it is not simply played as its players become known."""
        return self.hold or self.starts_at is not None or self.break_minutes is not None

    def due_at(self, before_ended: datetime | None) -> datetime | None:
        """When it is to start, if the round before was over then (None: it is not). None: not known, or at once."""
        if self.starts_at is not None or self.break_minutes is None or before_ended is None:
            return self.starts_at
        return before_ended + timedelta(minutes=self.break_minutes)

    def is_due(self, now: datetime, before_ended: datetime | None) -> bool:
        """Whether to let it go now."""
        at = self.due_at(before_ended)
        return not self.waits if at is None else at <= now and not self.hold

    def hides_pairings(self, n: int | None) -> bool:
        """Whether who meets in it is the organisers' alone, as of ledger number `n` (None: now)."""
        return self.hold and (self.shown_from is None or (n is not None and self.shown_from > n))
