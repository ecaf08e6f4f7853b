"""What `/readyz`, the desk and `manage.py doctor` are told of casual games."""

from __future__ import annotations

from django.db import DatabaseError
from django.utils import timezone

from contest.server.health import Finding
from tournaments.casual.limits import AT_ONCE
from tournaments.casual.server import DUTY
from tournaments.models import CasualGame, Duty


def server() -> Finding:
    """Say who plays the tables. Asked only where CASUAL_GAMES is on."""
    try:
        duty = Duty.held(DUTY, timezone.now())
        tables = CasualGame.objects.playing().count()
    except DatabaseError as error:
        return Finding("casual", False, f"{error}")
    if duty is None:
        return Finding("casual", False, "nobody plays casual games: start manage.py casualserver")
    return Finding("casual", True, f"{duty.worker}, {tables} of at most {AT_ONCE} tables in progress")
