"""What a version would do at a position of a replay: an order of practice with one game, whose past is given."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.urls import reverse

from tournaments.models.matches import Match
from tournaments.models.practice import PracticeGame, PracticeOrder


class FromHere(models.Model):
    """Where an order begins, and what its version answered there."""

    order = models.OneToOneField(PracticeOrder, on_delete=models.CASCADE, primary_key=True, related_name="from_here")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="+")
    practice = models.ForeignKey(PracticeGame, on_delete=models.CASCADE, null=True, related_name="+")
    game = models.PositiveIntegerField(default=1)  # of the record, from 1
    ply = models.PositiveIntegerField()  # the position after that event of the game
    where = models.CharField(max_length=80)  # such as `Round 3, trick 5`
    seat = models.PositiveIntegerField()  # who decides there
    plays_out = models.BooleanField(default=False)  # the rest of the game too
    past: Any = models.JSONField()  # by player: decisions and faults before it (games.resume.Past)
    decided = models.PositiveIntegerField(default=0)  # decisions in the games before this one
    decision = models.TextField()  # what was decided in the record, in a sentence
    chosen: Any = models.JSONField()  # the same as an event
    answer: Any = models.JSONField(default=dict, blank=True)
    """Once it is known: `text`, `ms`, `same`, and `differs`: [{name, own, ply, where, text}]."""

    class Meta:
        verbose_name_plural = "from here"
        indexes = [models.Index(fields=["match", "game"], name="from_here_by_game")]

    def __str__(self) -> str:
        return f"{self.order} at {self.where}"

    @property
    def source(self) -> str:
        """The address of the replay."""
        if self.practice is not None:
            order = self.practice.order
            return reverse("practice-game", args=[self.order.contest.slug, order.pk, self.practice.number])
        return reverse("replay", args=[self.match_id, self.game])

    @property
    def href(self) -> str:
        """The position in the replay."""
        return f"{self.source}?ply={self.ply}"
