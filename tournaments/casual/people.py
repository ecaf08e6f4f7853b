"""What belongs to a person who played casual games: handed out, and deleted."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from contest.models import User
from games.record import dumps
from tournaments.casual import news
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
