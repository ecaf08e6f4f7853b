"""One game of a match as a replay, for its own page and for the pages of other sites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from contest.broadcast import channel, following
from contest.names import isolated
from contest.replay import Numbers, Replay
from contest.replay.films import Shelf
from contest.replay.growing import Unfinished, as_seen
from contest.replay.parts import ReplaySeat
from games.record import Record, game_seating, games, seating_of
from tournaments.kinds import secrecy
from tournaments.models import Match
from tournaments.playing.broadcast import channel_of
from tournaments.results.visibility import Sight, public
from tournaments.seating import player_numbers
from tournaments.view_models.records import digest_of, record_of, with_teams
from tournaments.view_models.visible_matches import readable_logs


def replay_of(match: Match, sight: Sight, game: int, view: str | None, page: str) -> Replay:
    """One game as this reader may see it, with links to the page of that name. Raises LookupError if it was not
    played."""
    found = record_of(match, sight)
    if found is None:
        raise LookupError("this match has not been played")
    record = with_teams(match, found)
    base, rules = reverse(page, args=[match.pk, game]), reverse("rules", args=[match.contest.slug])
    given = (base, readable_logs(match, sight, record), _numbers(match), rules)
    known = secrecy.shown(match, sight)
    if known.part != secrecy.Part.SEEN:
        return Replay(record, game, view, *given)
    return Guarded(record, game, view, *given, allowed=secrecy.views(known, game_seating(record, game)))


def about(match: Match, sight: Sight) -> list[str]:
    """What a game on paper says of its match; the first is the heading."""
    record = record_of(match, sight)
    names = [] if record is None else [isolated(seat["name"]) for seat in with_teams(match, record)["seats"]]
    found = [
        " – ".join(names),
        match.contest.name,
        match.stage.name,
        match.table.name,
        f"match {match.pk}",
    ]
    if match.finished_at is not None:
        found.append(date_format(timezone.localtime(match.finished_at), "j F Y"))
    return found


def _numbers(match: Match) -> Numbers:
    """The numbers by which the bots of a match know each other."""
    teams = player_numbers.team_numbers(match.contest)
    found = player_numbers.numbers(match.stage, match.players, teams)
    return Numbers(tuple(number for _, number in sorted(found.items())), player_numbers.count(match.contest, teams))


def shelf_of(match: Match, sight: Sight, game: int, page: str) -> Shelf | None:
    """The films of a game, whose links lead to the page of that name. None before the match is played."""
    version, known = digest_of(match, sight), secrecy.shown(match, sight)
    if version is None:
        return None

    def shared() -> bool:
        everybody = public(match.contest)
        return sight.access == everybody.access or (
            everybody.access.sees and sight.shares(match) and secrecy.shown(match, everybody) == known
        )

    source = f"{page} of match {match.pk} {version} {known.part}"
    return Shelf(source, game, public=shared, whole=known.is_whole)


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


class Guarded(Replay):
    """One game of a record in which nothing is left of what the reader may not see."""

    def __init__(self, *given: Any, allowed: Sequence[str]) -> None:
        """`given`: what a replay is made from. `allowed`: the views that the reader may choose; the first is usual."""
        self.allowed = tuple(allowed)
        super().__init__(*given)
        if self.view not in self.allowed:
            self.view = self.allowed[0]
        self.events = as_seen(self.game, self.events, self.view)  # so that two games without hands can be compared

    @property
    def views(self) -> dict[str, str]:
        return {key: label for key, label in super().views.items() if key in self.allowed}

    @property
    def open_seats(self) -> list[ReplaySeat]:
        """The reader's own. What other bots were sent follows from their hands."""
        return [seat for seat in self.seats if str(seat.index) in self.allowed]
