"""Totals of results, so that standings cost the same after a million of them."""

from __future__ import annotations

from django.db import models

from contest.models import Contest, Team
from submissions.models import Submission
from tournaments.models.stages import Stage


class Tally(models.Model):
    """A team's totals in a stage.

    Updated in the transaction of a result, and computed again from the results when some become void (tallies.py).
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="tallies")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="tallies")
    matches = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    points = models.FloatField(default=0)
    penalty = models.FloatField(default=0)  # points for processor time
    faults = models.PositiveIntegerField(default=0)
    first = models.PositiveIntegerField(default=0)  # how often it had this place, and so on
    second = models.PositiveIntegerField(default=0)
    third = models.PositiveIntegerField(default=0)
    fourth = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)  # matches: first, alone
    tied = models.PositiveIntegerField(default=0)  # first, shared
    lost = models.PositiveIntegerField(default=0)
    # For the error bar. A unit is a match, or all matches of a table on the same deals. Its value is points per game.
    units = models.PositiveIntegerField(default=0)
    total = models.FloatField(default=0)
    squares = models.FloatField(default=0)

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [models.UniqueConstraint(fields=["stage", "team"], name="one_tally_per_stage_and_team")]

    def __str__(self) -> str:
        return f"{self.team} in {self.stage}"


class Rating(models.Model):
    """A team's current rating in its contest: the end of the chain in MatchSeat, kept for fast lists."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="ratings")
    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="rating")
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)
    # The version it played last; another one widens the uncertainty.
    submission = models.ForeignKey(Submission, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-mu"]

    def __str__(self) -> str:
        return f"{self.team}: {self.mu:.1f} ± {2 * self.sigma:.1f}"


class Arrears(models.Model):
    """How far the recalculation of a contest's ratings has come. Everything before that number is correct."""

    contest = models.OneToOneField(Contest, on_delete=models.CASCADE, related_name="arrears")
    number = models.PositiveBigIntegerField()  # in the ledger: the next result to process
    # The ratings there of the teams concerned: [mu, sigma, version], null: unrated.
    known = models.JSONField(default=dict)
    # Whether all teams are concerned; those not listed are unrated at that point.
    everybody = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "arrears"

    def __str__(self) -> str:
        return f"Ratings of {self.contest} from {self.number} on"
