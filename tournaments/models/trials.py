"""Trials: is the new version of a bot better than the old one? What they ask, and what their pairs came to.

A trial is an order of practice whose games come in pairs: game 2n - 1 with the new version, game 2n with the old one.
"""

from __future__ import annotations

from django.db import models
from django.urls import reverse

from games.pairs import Measure, reach_of
from games.trial import Decision, Design
from tournaments.models.practice import PracticeOrder

MEASURES = [(Measure.POINTS.value, "Points a game"), (Measure.WINS.value, "Share of games won")]
DECISIONS = [
    (Decision.BETTER.value, "Better"),
    (Decision.NOT_BETTER.value, "Not better"),
    (Decision.NO_DIFFERENCE.value, "No difference"),
    (Decision.UNDECIDED.value, "Undecided"),
]


class Trial(models.Model):
    """What a trial asks (docs/trials.md), and what is known so far."""

    order = models.OneToOneField(PracticeOrder, on_delete=models.CASCADE, primary_key=True, related_name="trial")
    measure = models.CharField(max_length=6, choices=MEASURES, default=Measure.POINTS.value)
    low = models.FloatField()
    high = models.FloatField()
    cap = models.PositiveIntegerField()  # pairs that count, at most

    decision = models.CharField(max_length=13, choices=DECISIONS, blank=True)
    counted = models.PositiveIntegerField(default=0)  # pairs
    difference = models.FloatField(default=0)  # the mean so far
    ratio = models.FloatField(default=0)  # the log-likelihood ratio so far
    margin = models.FloatField(null=True)  # of the interval around the mean; None: too few pairs

    def __str__(self) -> str:
        return f"Trial {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("trial", args=[self.order.contest.slug, self.pk])

    @property
    def design(self) -> Design:
        return Design(self.low, self.high, self.cap, reach_of(self.order.contest.game, Measure(self.measure), 1))

    @property
    def lower(self) -> float | None:
        return None if self.margin is None else self.difference - self.margin

    @property
    def upper(self) -> float | None:
        return None if self.margin is None else self.difference + self.margin


class TrialPair(models.Model):
    """What both versions reached in a pair, higher is better. None if the portal failed on it: it does not count."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="pairs")
    number = models.PositiveIntegerField()  # 1, 2, 3 …; pairs count in this order
    new = models.FloatField(null=True)
    old = models.FloatField(null=True)
    fork = models.JSONField(null=True)
    """Where the two games first differ: `index` of the event, `player` who decided differently, and the sentences `new`
    and `old`. None: nowhere."""

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["trial", "number"], name="pairs_of_a_trial_have_numbers")]

    def __str__(self) -> str:
        return f"Pair {self.number} of trial {self.trial_id}"

    @property
    def difference(self) -> float | None:
        return None if self.new is None or self.old is None else self.new - self.old
