"""The matches of a stage as plans and pages read them: by table and number, with their seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy

from django.db.models import Prefetch

from tournaments.formats.plan import Result, TableKey
from tournaments.models import Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet

Present = Mapping[tuple[TableKey, int], Match]
"""The valid matches of a stage with their seats, by table and number."""

READ = ("match", "index", "team", "house", "score", "penalty", "place", "disqualified", "fault_kind", "faults")
"""The columns of a seat that plans and pages of a stage need."""


def present(stage: Stage, among: MatchQuerySet | None = None) -> dict[tuple[TableKey, int], Match]:
    """The valid matches by table and number. `among`: those that count for a reader who may not see everything."""
    return {place_of(match): match for match in with_seats(stage.matches.valid() if among is None else among)}


def with_seats(matches: MatchQuerySet) -> MatchQuerySet:
    """The matches with their tables and seats, and no more of them than plans need."""
    matches = matches.select_related("table").prefetch_related(Prefetch("seats", MatchSeat.objects.only(*READ)))
    return matches.defer("openings", "options", "limits", "last_error", "table__feeds", "table__players")


def place_of(match: Match) -> tuple[TableKey, int]:
    """Its table and its number there."""
    return (match.table.round, match.table.number), match.number


def in_places(matches: Iterable[Match]) -> dict[tuple[TableKey, int], Match]:
    """Copies of void matches by table and number, in the state they have once they are restored."""
    found = {place_of(match): copy(match) for match in matches}
    for match in found.values():
        match.state = Match.State.DONE
    return found


def result_of(match: Match, low_wins: bool) -> Result:
    """The result of a finished match. Its seats must be loaded."""
    seats = list(match.seats.all())
    sign = -1 if low_wins else 1
    return Result(
        players=tuple(seat.team_id for seat in seats),
        places=tuple(seat.place or len(seats) for seat in seats),
        scores=tuple(sign * seat.counted for seat in seats),
        disqualified=frozenset(seat.team_id for seat in seats if seat.disqualified and seat.team_id),
    )


def playing(matches: Present) -> dict[TableKey, frozenset[int]]:
    """The teams of matches in progress, by table."""
    running = ((place, match) for (place, _), match in matches.items() if match.status == Match.State.RUNNING)
    return {
        place: frozenset(seat.team_id for seat in match.seats.all() if seat.team_id is not None)
        for place, match in running
    }
