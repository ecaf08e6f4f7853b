"""Casual games that end or are deleted: those that nobody plays, old ones, and what belongs to a person."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from contest.models import User
from games.record import dumps
from tournaments.casual import news, tables
from tournaments.models import CasualGame, CasualSeat

GONE = "Somebody"
"""The name at a table of a person who is no longer here."""


def export_of(user: User) -> list[dict[str, Any]]:
    """Return a person's casual games as JSON, the newest first: each with its seats, and its record when it is over.

    Keys of other people's seats are not in it.
    """
    found = CasualGame.objects.filter(seats__user=user).distinct().prefetch_related("seats").order_by("-pk")
    return [_told(game, user) for game in found]


def _told(game: CasualGame, user: User) -> dict[str, Any]:
    return {
        "id": game.pk,
        "game": game.game_slug,
        "rules": game.preset,
        "state": game.state,
        "made_at": game.made_at.isoformat(),
        "ended_at": game.ended_at and game.ended_at.isoformat(),
        "seats": [
            {"seat": seat.index, "kind": seat.kind, "name": seat.name, "you": seat.user_id == user.pk}
            for seat in game.seats.all()
        ],
        "record": game.loaded() if game.record else None,
    }


@transaction.atomic
def forget(user: User) -> int:
    """Delete a person's casual games. Where other people sat at the table, the game stays without this person's name.
    Returns how many games were deleted or changed."""
    others = CasualSeat.objects.filter(game=OuterRef("pk"), kind=CasualSeat.Kind.PERSON).exclude(user=user)
    mine = CasualGame.objects.filter(seats__user=user).distinct()
    shared = list(mine.filter(Exists(others.exclude(key=""))))
    alone = mine.exclude(pk__in=[game.pk for game in shared])
    count = len(shared) + alone.count()
    CasualGame.objects.filter(pk__in=list(alone.values_list("pk", flat=True))).delete()
    for game in shared:
        _forget_at(game, user)
    CasualGame.objects.filter(made_by=user).update(made_by=None)
    return count


def _forget_at(game: CasualGame, user: User) -> None:
    seats = list(game.seats.filter(user=user))
    if game.record:
        record = game.loaded()
        for seat in seats:
            record["seats"][seat.index]["name"] = GONE
        CasualGame.objects.filter(pk=game.pk).update(**game.keep(dumps(record)))
    for seat in seats:
        seat.name, seat.user, seat.key = GONE, None, f"gone {seat.pk}"
        seat.left_at = seat.left_at or game.made_at
        seat.save(update_fields=["name", "user", "key", "left_at"])
    news.wake(game.pk)  # what is told of a game in progress has the name, too


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
