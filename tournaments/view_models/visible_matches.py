"""One match for one reader, and what bots wrote in it."""

from __future__ import annotations

from django.db.models import F
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from contest import zones
from contest.replay import Pieces
from games.record import Record as GameRecord
from games.record import log
from tournaments import kinds
from tournaments.kinds import secrecy
from tournaments.kinds.statuses import Told
from tournaments.models import BotLog, Match, MatchSeat, Record
from tournaments.results import visibility
from tournaments.results.visibility import Sight
from tournaments.view_models.records import or_gone, record_of


class Withheld(Http404):
    """The match is known, but its outcome is hidden."""

    def __init__(self, match: Match) -> None:
        super().__init__("the result of this match is not public yet")
        self.match = match


def visible_match(request: HttpRequest, match_id: int) -> tuple[Match, Sight]:
    """Return the match with the reader's view of its contest. Raises Http404 if the match is hidden from this reader,
    and Withheld if only its result is."""
    found = Match.objects.defer(None).select_related("contest", "table").annotate(sha256=F("record__sha256"))
    match = get_object_or_404(found, pk=match_id)
    sight = visibility.sight(request, match.contest)
    match.stage = next((each for each in sight.stages if each.pk == match.stage_id), None) or match.stage
    zones.use(match.contest.time_zone)
    if sight.access.sees and sight.sees(match):
        return sight.as_known([match])[0], sight
    if sight.access.sees and sight.knows(match):
        raise Withheld(match)
    raise Http404("no such match")


def readable_logs(match: Match, sight: Sight, record: GameRecord) -> dict[int, Pieces]:
    """Debug output for this reader, by player: their own team's, or everybody's for people with a role. None from
    hidden games. `record`: as the reader may see it."""
    logs = BotLog.objects.filter(seat__match=match).select_related("seat")
    if not sight.sees_all:
        if sight.access.team is None:
            return {}
        logs = logs.filter(seat__team=sight.access.team)
    return {log.seat.index: secrecy.open_pieces(record, [(at, text) for at, text in log.pieces()]) for log in logs}


def open_record(match: Match, sight: Sight) -> Record:
    """The whole record as stored. Raises Http404 for a reader who may not have it all."""
    if not secrecy.shows_all(match, sight):
        raise Http404("a part of this record is still secret")
    kept = Record.objects.filter(match=match).first()
    if kept is None:
        raise or_gone(match, "this match has not been played")
    return kept


def log_of(match: Match, sight: Sight, game: int) -> str:
    """The game's own log of one game, which names every card. Raises Http404."""
    record = record_of(match, sight)
    if record is None:
        raise or_gone(match, "this match has not been played")
    if secrecy.shown(match, sight).part == secrecy.Part.SEEN:
        raise Http404("the cards of this match are not public yet")
    try:
        return log(record, game)
    except LookupError as error:
        raise Http404(str(error)) from error


def seats_told(match: Match, sight: Sight) -> list[tuple[MatchSeat, Told]]:
    """Each team's seat with what became of it at its table, as far as this reader may know it.

    It follows from a plan of the whole stage, so that is asked only where places do not tell all: if somebody is out,
    or once a match of a bracket is over. Empty otherwise, for matches that do not count, and without tables.
    """
    if match.status == Match.State.VOID or match.pending:
        return []
    kind = kinds.of(match.stage)
    ends = match.status == Match.State.DONE and kind.is_bracket(match.stage)
    return kind.seats_told(match, sight) if ends or is_anybody_out(match) else []


def is_anybody_out(match: Match) -> bool:
    """Whether the referee or the organisers put a player out, or its team left."""
    return any(seat.disqualified or (seat.team is not None and not seat.team.is_competing) for seat in match.players)
