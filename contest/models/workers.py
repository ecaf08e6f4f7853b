"""The Celery workers of the portal. Each writes its row every thirty seconds (contest/workers.py)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models
from django.utils import timezone


@dataclass(frozen=True, slots=True)
class Confinement:
    """How a worker confines bots, as the sandbox's probe found on its machine (submissions.sandbox.probe)."""

    level: str
    title: str
    acceptable: bool  # if not, the worker runs no bots
    reasons: tuple[str, ...]  # why a stronger level is not possible
    no_port: str = ""  # why bots cannot be TCP clients there; blank if they can
    languages: tuple[str, ...] | None = None  # slugs of the languages it builds and runs; None if unknown


class Worker(models.Model):
    """A worker that is at work, or was lately: those that end as they should delete their row."""

    FRESH: ClassVar = timedelta(seconds=90)  # without a sign of life after which a worker counts as gone

    name = models.CharField(max_length=100, primary_key=True)  # Celery's: the queue or program, @, the machine
    queues = models.JSONField(default=list)  # from which it takes tasks
    processes = models.PositiveIntegerField(default=1)  # tasks at a time
    release = models.CharField(max_length=40, blank=True)  # of its code
    key = models.CharField(max_length=8, blank=True)  # a digest of its SECRET_KEY, to compare
    sandbox = models.JSONField(null=True, blank=True)  # its Confinement; None if it runs no bots
    since = models.DateTimeField()
    seen = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def machine(self) -> str:
        """The part of its name that all workers of its machine share."""
        return self.name.partition("@")[2]

    @property
    def confinement(self) -> Confinement | None:
        if self.sandbox is None:
            return None
        said: dict[str, Any] = {name: tuple(it) if isinstance(it, list) else it for name, it in self.sandbox.items()}
        return Confinement(**said)

    def is_alive(self, now: datetime | None = None) -> bool:
        return (now or timezone.now()) - self.seen <= self.FRESH
