"""The Celery workers of the portal, what they have proven, what operators are told of them, and outgoing mail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.core.mail import EmailMessage
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


REMEMBERED = timedelta(days=7)
"""How long a machine may be away until its proofs count no more. Workers give a sign twice a day."""


class ProofQuerySet(models.QuerySet["Proof"]):
    def of_machines_here(self) -> ProofQuerySet:
        """Those of machines that have not been gone for long."""
        return self.filter(seen_at__gte=timezone.now() - REMEMBERED)

    def of_machines_gone(self) -> ProofQuerySet:
        return self.filter(seen_at__lt=timezone.now() - REMEMBERED)


class Proof(models.Model):
    """The last attempt of a machine to prove a game in a language. Workers and `manage.py prove` write them."""

    game_slug = models.CharField(max_length=40)
    language = models.CharField(max_length=20)
    host = models.CharField(max_length=100)
    problem = models.TextField(blank=True)  # why it failed; blank: proven
    digest = models.CharField(max_length=64)  # of the programs, and of how they are built (submissions.proving)
    toolchain = models.CharField(max_length=200, blank=True)
    level = models.CharField(max_length=20)  # of the sandbox
    seconds = models.FloatField()
    proved_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)  # the machine's last sign; without one, it does not count

    objects = ProofQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game_slug", "language", "host"], name="one_proof_per_host")]

    def __str__(self) -> str:
        return f"{self.game_slug} in {self.language} at {self.host}: {self.problem or 'proven'}"


class Alarm(models.Model):
    """Something that is wrong with the portal, by its key. The row is deleted when it has been over for a while."""

    key = models.CharField(max_length=40, unique=True)
    message = models.CharField(max_length=500, blank=True)  # in one line, as it was seen last
    bad_since = models.DateTimeField(null=True, blank=True)
    good_since = models.DateTimeField(null=True, blank=True)  # None: it goes on
    raised_at = models.DateTimeField(null=True, blank=True)  # when operators were told; None: it may be over soon

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.key


class Letter(models.Model):
    """A message to one recipient, in plain text, until the mail server has taken it or refuses it for good."""

    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    tries = models.PositiveIntegerField(default=0)
    sender = models.TextField()
    recipient = models.TextField()
    subject = models.TextField()
    body = models.TextField()
    headers = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"“{self.subject}” to {self.recipient}"

    def message(self) -> EmailMessage:
        return EmailMessage(self.subject, self.body, self.sender, [self.recipient], headers=self.headers)
