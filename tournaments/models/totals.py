"""What is kept of results, added up: so that standings cost the same after a million of them."""

from __future__ import annotations

from django.db import models

from contest.models import Contest, Team
from submissions.models import Submission
from tournaments.models.stages import Stage


class Tally(models.Model):
    """What a team has done in a stage, added up: so that standings cost the same after a million results.

    Written in the transaction of a result, and added up again from the results when some become void (tallies.py).
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="tallies")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="tallies")
    matches = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    points = models.FloatField(default=0)
    penalty = models.FloatField(default=0)  # points for processor time
    faults = models.PositiveIntegerField(default=0)
    first = models.PositiveIntegerField(default=0)  # how often, and so on
    second = models.PositiveIntegerField(default=0)
    third = models.PositiveIntegerField(default=0)
    fourth = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)  # matches: alone first
    tied = models.PositiveIntegerField(default=0)  # first, but not alone
    lost = models.PositiveIntegerField(default=0)
    # For the error bar: a unit is a match, or all matches of a table on the same deals; its value the points a game.
    units = models.PositiveIntegerField(default=0)
    total = models.FloatField(default=0)
    squares = models.FloatField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "team"], name="one_tally_per_stage_and_team")]

    def __str__(self) -> str:
        return f"{self.team} in {self.stage}"


class Rating(models.Model):
    """A team's current rating in its contest: the end of the ordered chain in MatchSeat, kept for fast lists."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="ratings")
    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="rating")
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)
    # With which it played last: another one widens the uncertainty.
    submission = models.ForeignKey(Submission, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-mu"]

    def __str__(self) -> str:
        return f"{self.team}: {self.mu:.1f} ± {2 * self.sigma:.1f}"


class Arrears(models.Model):
    """A contest's ratings are being computed again, and this is how far: what came before is as it should be."""

    contest = models.OneToOneField(Contest, on_delete=models.CASCADE, related_name="arrears")
    number = models.PositiveBigIntegerField()  # of the ledger: the next result to be looked at
    # The teams concerned, as they are there: [mu, sigma, version], null: unrated.
    known = models.JSONField(default=dict)
    # All teams are concerned; who is not named is unrated there.
    everybody = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "arrears"

    def __str__(self) -> str:
        return f"Ratings of {self.contest} from {self.number} on"
