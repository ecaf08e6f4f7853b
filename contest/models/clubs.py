"""Teams that last: the same team in several contests."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Club(models.Model):
    """A team across contests. It has no name of its own: it is called like the newest of its teams that may be seen.

    Teams belong to it because somebody who is captain of two of them said so (contest/clubs.py).
    """

    made_at = models.DateTimeField(default=timezone.now)
    is_public = models.BooleanField(default=True)  # has a page that everybody can open

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"Club {self.pk}"
