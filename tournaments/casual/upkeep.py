"""What the tick does for casual games: end those that nobody plays, and delete old ones."""

from __future__ import annotations

from datetime import datetime, timedelta

from tournaments.casual import tables
from tournaments.models import CasualGame

WAITING = timedelta(minutes=30)
"""How long a table waits for people to join."""

LONGEST = timedelta(hours=12)
"""How long a game may take: someone may think about every card, but not for ever."""

KEPT = timedelta(days=30)
"""How long the record of a finished game is kept."""

PRUNED_AT_ONCE = 200


def end_idle(now: datetime) -> int:
    """Give up tables that nobody joined, and games that take longer than anybody plays. Returns how many."""
    stale = CasualGame.objects.filter(state=CasualGame.State.OPEN, made_at__lt=now - WAITING)
    ended = sum(tables.abandon(game, "Nobody else came.") for game in stale)
    endless = CasualGame.objects.playing().filter(started_at__lt=now - LONGEST)
    return ended + sum(tables.abandon(game, "It took too long.") for game in endless)


def prune(now: datetime) -> int:
    """Delete games that ended long ago, some at a time. Returns how many."""
    old = CasualGame.objects.filter(ended_at__lt=now - KEPT).order_by("pk")
    stale = list(old.values_list("pk", flat=True)[:PRUNED_AT_ONCE])
    CasualGame.objects.filter(pk__in=stale).delete()
    return len(stale)
