"""What operators are told to look at (contest/watching)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.utils import timezone


class Alarm(models.Model):
    """A condition by its key, which is also the name of its page in docs/operations/incidents/.

    Its row stays when it is over, for the next time.
    """

    class Told(models.TextChoices):
        """What the operators were told last."""

        NOTHING = "", "nothing"
        RAISED = "raised", "that it is raised"
        OVER = "over", "that it is over"

    key = models.CharField(max_length=40, unique=True)
    message = models.CharField(max_length=500, blank=True)  # in one line, as it was seen last
    bad_since = models.DateTimeField(null=True, blank=True)  # the condition holds now
    good_since = models.DateTimeField(null=True, blank=True)  # it is raised, but does not hold any more
    raised_at = models.DateTimeField(null=True, blank=True)  # None: it is not raised
    over_at = models.DateTimeField(null=True, blank=True)  # when the last one was over
    mailed = models.CharField(max_length=6, choices=Told.choices, blank=True)
    posted = models.CharField(max_length=6, choices=Told.choices, blank=True)
    silent_until = models.DateTimeField(null=True, blank=True)
    silenced_by = models.CharField(max_length=150, blank=True)
    remembered = models.JSONField(default=dict, blank=True)  # what the rule wants to know next time

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.key

    @property
    def is_raised(self) -> bool:
        return self.raised_at is not None

    def is_silent(self, at: datetime | None = None) -> bool:
        """Whether an operator has said that they know."""
        return self.silent_until is not None and self.silent_until > (at or timezone.now())

    def values(self) -> dict[str, Any]:
        """Everything that the watchman changes. Silence is the operators' own."""
        names = ("message", "bad_since", "good_since", "raised_at", "over_at", "remembered")
        return {name: getattr(self, name) for name in names}
