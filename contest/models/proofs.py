"""What workers have proven: that a game can be played in a language on their machine."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone

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
