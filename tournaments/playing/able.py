"""Which matches this machine can play, where several machines with different languages share the work."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef

import games
from submissions.able import left_to_others
from tournaments.models import Match, MatchSeat
from tournaments.models.matches import MatchQuerySet
from tournaments.seating.queue import QUEUE


def here(matches: MatchQuerySet) -> MatchQuerySet:
    """Without matches that this machine cannot play and another worker can."""
    left = left_to_others(QUEUE)
    if left.languages:
        unknown = MatchSeat.objects.filter(match=OuterRef("pk"), submission__language__in=left.languages)
        matches = matches.exclude(Exists(unknown))
    if left.connections:
        by_socket = [slug for slug, game in games.GAMES.items() if game.protocol == "socket"]
        matches = matches.exclude(
            Exists(MatchSeat.objects.filter(match=OuterRef("pk"), submission__isnull=False)),
            contest__game_slug__in=by_socket,
        )
    return matches


def others_are_needed(now: datetime) -> bool:
    """Whether something is due that this machine leaves to others."""
    return bool(left_to_others(QUEUE)) and Match.objects.claimable(now).for_workers().exists()
