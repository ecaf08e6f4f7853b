"""Teams' own programs that connect to the contest server."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.db import models

from contest.models import Team


class ClientQuerySet(models.QuerySet["Client"]):
    def connected(self, at: datetime) -> ClientQuerySet:
        """Clients whose connection the contest server has confirmed recently."""
        return self.filter(connected_since__isnull=False, seen_at__gt=at - Client.SILENCE)


def new_token() -> str:
    """A token by which a team's own program identifies itself: 24 characters, too many to guess."""
    return secrets.token_urlsafe(18)


class Client(models.Model):
    """A team's own program, which connects to the contest server (manage.py botserver)."""

    SILENCE = timedelta(seconds=15)  # without confirmation by the server for this long, nobody counts as connected

    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="client")
    token = models.CharField(max_length=40, default=new_token, unique=True)
    address = models.GenericIPAddressField(null=True, blank=True)  # connections from here need no token
    connected_since = models.DateTimeField(null=True, blank=True)
    connected_from = models.CharField(max_length=60, blank=True)  # of the present or the last connection
    seen_at = models.DateTimeField(null=True, blank=True)  # when the server last confirmed it
    error = models.CharField(max_length=300, blank=True)  # the last problem, in words
    error_at = models.DateTimeField(null=True, blank=True)

    objects = ClientQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Client of {self.team}"

    def is_connected(self, at: datetime) -> bool:
        return bool(self.connected_since and self.seen_at and self.seen_at > at - self.SILENCE)
