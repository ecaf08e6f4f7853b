"""“Play these deals again”: a match that a team played, to be practised with a version of its own in its seat.

A team may do that as soon as everybody may know the match's seed. So what practice shows follows from what is public.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from contest.models import Team
from contest.refusal import Refused
from tournaments.kinds import secrecy
from tournaments.models import Match, MatchSeat, Record
from tournaments.practice import deals, rights
from tournaments.practice.queue import WantedGame
from tournaments.results.visibility import Sight, public

NOT_POSSIBLE = (
    "You cannot play the deals of this match again: your team did not play in it, it has not been played, or its deals "
    "are not public yet."
)


@dataclass(frozen=True, slots=True)
class Again:
    """A match whose deals can be played again. `seat`: the team's place in its record."""

    match: Match
    seat: int
    games: list[WantedGame]
    opponents: tuple[str, ...]  # those who played in it, as far as they can; otherwise a house player
    places: tuple[str, ...]  # the names of those who played in it, in the same order


def may_play(match: Match, team: Team, reader: Sight) -> bool:
    """Whether the team may play the deals of this match, which its reader sees, again."""
    return _seat_of(match, team) is not None and is_open(match, reader)


def of_match(team: Team, match_id: int) -> Again:
    """The match with its deals. Raises Refused."""
    match = (
        Match.objects.select_related("contest", "stage", "table").filter(contest=team.contest_id, pk=match_id).first()
    )
    seat = _seat_of(match, team) if match is not None else None
    if match is None or seat is None or not is_open(match):
        raise Refused(NOT_POSSIBLE)
    record = Record.objects.get(match=match).loaded()
    found = deals.of_record(match.contest.game, record)
    places = tuple(other.name for other in match.players if other.team_id != team.pk)
    players = zip(keys_of(match, team), match.players, strict=True)
    opponents = tuple(key for key, other in players if other.team_id != team.pk)
    return Again(match, seat.index, found, opponents, places)


def _seat_of(match: Match, team: Team) -> MatchSeat | None:
    return next((seat for seat in match.players if seat.team_id == team.pk), None)


def is_open(match: Match, reader: Sight | None = None) -> bool:
    """Whether everybody may know what was dealt. Roles give no advantage. `reader`: somebody who sees the match."""
    everybody = public(match.contest)
    if not (reader.shares(match) if reader else everybody.sees(match)):
        return False
    known = everybody.as_known([copy(match)])[0]
    return secrecy.shows_seed(known, everybody) and Record.objects.filter(match=match).exists()


def keys_of(match: Match, team: Team) -> list[str]:
    """By place in the record: who played there, as an opponent in practice, as far as they can be."""
    possible = set(rights.opponents(team).values_list("pk", flat=True))
    known = {house.name for house in match.contest.game.house}

    def key(seat: MatchSeat) -> str:
        if seat.house in known:
            return f"house:{seat.house}"
        if seat.team_id == team.pk and seat.submission is not None:
            return f"version:{seat.submission.number}"
        return f"team:{seat.team_id}" if seat.team_id in possible else f"house:{match.contest.game.house[-1].name}"

    return [key(seat) for seat in match.players]
