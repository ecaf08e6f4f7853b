"""What teams are still to be told of their matches (organising/played.py)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from contest.models import Team
from tournaments.models.matches import Match
from tournaments.models.stages import Stage


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
