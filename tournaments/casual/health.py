"""What the operator is told of casual games by `manage.py doctor`."""

from __future__ import annotations

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from contest.server.health import Finding
from tournaments.casual.server import DUTY
from tournaments.models import CasualGame, Duty


def server() -> Finding:
    """Say who plays the tables. Nobody is a doubt and no failure: the rest of the portal does without."""
    if not settings.CASUAL_GAMES:
        return Finding("casual", True, "switched off (CASUAL_GAMES=0)")
    try:
        duty = Duty.held(DUTY, timezone.now())
        tables = CasualGame.objects.playing().count()
    except DatabaseError as error:
        return Finding("casual", True, f"{error}", doubtful=True)
    if duty is None:
        return Finding("casual", True, "nobody plays casual games: start manage.py casualserver", doubtful=True)
    return Finding("casual", True, f"{duty.worker}, {tables} of at most {settings.CASUAL_AT_ONCE} tables in progress")
