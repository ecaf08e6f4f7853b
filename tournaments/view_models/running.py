"""A match in progress, as its readers may follow it."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import lru_cache
from threading import Lock

import redis
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from contest import subjects
from contest.broadcast.channel import Channel, read, there
from contest.broadcast.feed import GameView
from contest.broadcast.following import let_follow
from contest.broadcast.publish import store
from contest.replay.growing import Unfinished
from games.record import Record, games, seating_of
from tournaments.kinds import secrecy
from tournaments.models import Match
from tournaments.playing.broadcast import channel_of
from tournaments.results.visibility import Sight, public

logger = logging.getLogger(__name__)

PUBLIC = "public"
"""The audience of all who see no more than everybody may."""

REMEMBERED = 50  # matches in progress that a process of the web server need not read from the start again


class _Read:
    """A broadcast that was read, and is read on by one thread at a time."""

    def __init__(self, name: str) -> None:
        self.channel, self.lock = Channel(name), Lock()


@lru_cache(REMEMBERED)
def _read(name: str) -> _Read:
    return _Read(name)


def so_far(match: Match) -> Record | None:
    """What was told of a running match until now; it has no result. None: nothing yet, or nobody can tell."""
    known = _read(channel_of(match))
    try:
        with known.lock, store() as client:
            if not there(client, [known.channel.name]):
                known.channel = Channel(known.channel.name)
            while read(client, [known.channel]):
                pass
            record = known.channel.record
            return {**record, "events": list(record["events"])} if record else None
    except redis.RedisError as error:
        logger.warning("%s cannot be followed: %s", match, error)
        return None


def replay_so_far(match: Match, sight: Sight, game: int, view: str | None, page: str) -> Unfinished | None:
    """The game as far as it was played. None: it has not begun, as far as anybody can tell."""
    record = so_far(match)
    if record is None or not record["events"] or len(games(record)) < game:
        return None
    views = _views(match, secrecy.shown(match, sight), record, game)
    chosen = view if view in views else views[0]
    base = reverse(page, args=[match.pk, game])
    return Unfinished(record, game, chosen, base, views, record.get("games", 1))


def newest_game(match: Match) -> int:
    """The number of the game that is being played."""
    record = so_far(match)
    return max(1, len(games(record))) if record else 1


def may_have(match: Match, game: int) -> bool:
    """Whether a running match may have a game of that number: it has begun, or it is certain to come."""
    planned = len(match.openings) or match.stage.options.get("games") or 1
    return 1 <= game <= planned or 1 <= game <= newest_game(match)


def stream(request: HttpRequest, match: Match, sight: Sight, game: int, view: str | None) -> HttpResponse:
    """The answer to a browser that wants to follow a game of a match that can be followed."""
    views = _views(match, secrecy.shown(match, sight), so_far(match), game)
    chosen = view if view in views else views[0]
    followed = GameView(channel_of(match), game, chosen)
    frozen_from = match.contest.frozen_from
    until = frozen_from.timestamp() if frozen_from and sight.n is None and not sight.sees_all else None
    audience = _audience(match, sight)
    told = subjects.results_of(sight.access)
    return let_follow(request, followed, audience, told, until, public=audience == PUBLIC)


def _views(match: Match, known: secrecy.Shown, record: Record | None, game: int) -> tuple[str, ...]:
    """The views of a game. Where a team sees its own seat and nobody knows yet which one that is, it sees no hands."""
    played = games(record) if record else []
    if record is not None and len(played) >= game:
        return secrecy.views(known, seating_of(record, played[game - 1]))
    return secrecy.views(replace(known, player=None), range(match.seats.count()))


def _audience(match: Match, sight: Sight) -> str:
    """All who may see the same of the match for the same reason."""
    everybody = public(match.contest)
    open_to_all = everybody.access.sees and everybody.sees(match)
    if open_to_all and secrecy.shown(match, everybody) == secrecy.shown(match, sight):
        return PUBLIC
    access = sight.access
    same = (access.role, access.team and access.team.pk, access.is_superuser, access.watches, access.as_public)
    return repr(same)
