"""What operators are told to look at (tournaments/attention/alarms.py)."""

from __future__ import annotations

from django.db import models


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
