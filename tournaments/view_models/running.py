"""A match in progress, as its readers may follow it."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from contest.broadcast import channel, following
from contest.replay.growing import Unfinished
from games.record import Record, games, seating_of
from tournaments.kinds import secrecy
from tournaments.models import Match
from tournaments.playing.broadcast import channel_of
from tournaments.results.visibility import Sight


def so_far(match: Match) -> Record | None:
    """What was told of a running match until now; it has no result. None: nothing yet, or nobody can tell."""
    told = channel.told(channel_of(match))
    return told.record if told else None


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


def news_of(request: HttpRequest, match: Match, sight: Sight, game: int, view: str | None) -> HttpResponse:
    """The answer to a browser that follows a game of a match that can be followed."""
    told = channel.told(channel_of(match))
    views = _views(match, secrecy.shown(match, sight), told.record if told else None, game)
    return following.news(request, told, game, view if view in views else views[0])


def _views(match: Match, known: secrecy.Shown, record: Record | None, game: int) -> tuple[str, ...]:
    """The views of a game. Where a team sees its own seat and nobody knows yet which one that is, it sees no hands."""
    played = games(record) if record else []
    if record is not None and len(played) >= game:
        return secrecy.views(known, seating_of(record, played[game - 1]))
    return secrecy.views(replace(known, player=None), range(match.seats.count()))
