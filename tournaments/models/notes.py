"""Notes: what people write at a position of a replay."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest, Team, User
from tournaments.models.matches import Match
from tournaments.models.practice import PracticeGame

LONGEST = 2000


class Note(models.Model):
    """A text at a position of a match or of a practice game."""

    class Audience(models.TextChoices):
        TEAM = "team", "Your team"
        DESK = "desk", "People with a role"
        PUBLIC = "public", "Everybody"

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="notes")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="notes")
    practice = models.ForeignKey(PracticeGame, on_delete=models.CASCADE, null=True, related_name="notes")
    game = models.PositiveIntegerField(default=1)  # of the record, from 1
    ply = models.PositiveIntegerField()  # the index of an event of that game (contest/replay)
    where = models.CharField(max_length=80)  # such as `Round 3, trick 5`
    author = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notes")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="notes")  # of the author
    by_desk = models.BooleanField(default=False)  # the author had a role
    audience = models.CharField(max_length=6, choices=Audience.choices, default=Audience.TEAM)
    text = models.TextField(max_length=LONGEST)  # Markdown
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["game", "ply", "made_at", "pk"]
        indexes = [
            models.Index(fields=["author", "made_at"], name="note_by_author_and_time"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(match__isnull=False, practice__isnull=True) | Q(match__isnull=True, practice__isnull=False),
                name="a_note_is_about_one_game",
            ),
        ]

    def __str__(self) -> str:
        return f"Note {self.pk}"

    @property
    def href(self) -> str:
        """The replay at its position."""
        if self.practice is not None:
            order = self.practice.order
            base = reverse("practice-game", args=[self.contest.slug, order.pk, self.practice.number])
        else:
            base = reverse("replay", args=[self.match_id, self.game])
        return f"{base}?ply={self.ply}"
