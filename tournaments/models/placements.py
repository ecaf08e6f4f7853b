"""Placements: where a new version stands on the ladder of house players, found by practice that nobody ordered.

A placement is an order of practice whose games come in pairs, the matches of a duel: game 2n - 1 and, with changed
seats on the same deal, game 2n.
"""

from __future__ import annotations

from django.db import models

from submissions.models import Submission
from tournaments.models.practice import PracticeOrder


class Placement(models.Model):
    """What is known so far about where a version stands."""

    order = models.OneToOneField(PracticeOrder, on_delete=models.CASCADE, primary_key=True, related_name="placement")
    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="placement")
    duels = models.JSONField(default=list, blank=True)  # that count: the name of the rung, and the share that was won
    lost = models.PositiveIntegerField(default=0)  # duels on which the portal failed
    rating = models.FloatField(null=True)
    error = models.FloatField(null=True)  # half of the 95 % interval
    hands = models.JSONField(default=list, blank=True)  # that cost most (tournaments.practice.placements.Hand)

    def __str__(self) -> str:
        return f"Placement {self.pk}"
