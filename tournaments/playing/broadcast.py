"""Matches in progress, told to those who follow them (contest/broadcast).

Everything is told, whoever may see it: only `tournaments.kinds.secrecy` decides what of it a reader gets.
"""

from __future__ import annotations

from math import inf

from contest.broadcast.publish import Broadcast
from games.format import FORMAT
from tournaments import kinds
from tournaments.models import Match, MatchSeat


def channel_of(match: Match) -> str:
    """Each attempt has its own, since a match that is played again begins anew."""
    return f"match:{match.pk}:{match.attempt}"


def _bot(seat: MatchSeat) -> str:
    """As the record names it (play.seated)."""
    if seat.is_live:
        return "client"
    return seat.submission.filename if seat.submission else f"house:{seat.house}"


def of(claimed: Match) -> Broadcast:
    """A context in which a claimed match is played."""
    seats = [{"name": seat.name, "bot": _bot(seat)} for seat in claimed.players]
    head = {
        "format": FORMAT,
        "game": claimed.contest.game_slug,
        "rules": claimed.contest.preset,
        "seed": 0,  # nobody who follows needs it
        "options": dict(claimed.options),
        "seats": seats,
        "games": len(claimed.openings) or claimed.stage.options.get("games") or 1,
    }
    if kinds.of(claimed.stage).hides_games(claimed):
        return Broadcast(channel_of(claimed), head, after=inf)  # nobody may follow it
    return Broadcast(channel_of(claimed), head)
