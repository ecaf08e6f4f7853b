"""The matches of a stage as plans and pages read them: by table and number, with their seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from operator import attrgetter
from typing import Any

from django.db.models import Aggregate, Count, Prefetch, Q, Sum

from tournaments.formats.plan import Result, TableKey
from tournaments.models import Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.results.cache import Cache

Present = Mapping[tuple[TableKey, int], Match]
"""The valid matches of a stage with their seats, by table and number."""

READ = ("match", "index", "team", "house", "score", "penalty", "place", "disqualified", "fault_kind", "faults")
"""The columns of a seat that plans and pages of a stage need."""

SUMMED = ("pk", "resulted", "counts_from", "attempt")
SAME = (*SUMMED, "state", "created_at")
KNOWN: Cache[tuple[dict[int, tuple[Any, Present]], dict[tuple[Any, ...], Match]]] = Cache(16)
"""By stage: matches of rounds in which all are over, by round, and of the others, with what changes as they move."""


def present(stage: Stage, among: MatchQuerySet | None = None) -> dict[tuple[TableKey, int], Match]:
    """The valid matches by table and number. `among`: those that count for a reader who may not see everything.

    A match is read again once it has moved. Nobody may change these.
    """
    if among is not None:
        return {place_of(match): match for match in with_seats(among)}
    (kept, before), valid = KNOWN.get((stage.pk, stage.created_at), lambda: ({}, {})), stage.matches.valid()
    sums: dict[str, Aggregate] = {"done": Count("pk", filter=Q(state=Match.State.DONE)), "matches": Count("pk")}
    sums |= {f"all_{name}": Sum(name) for name in SUMMED}
    marks = {round: mark for round, *mark in valid.order_by().values_list("table__round").annotate(**sums)}
    found = {round: matches for round, (mark, matches) in [*kept.items()] if marks.get(round) == mark}
    others = valid.filter(table__round__in=marks.keys() - found)
    same = {key[0]: before.get(key) for key in others.values_list(*SAME)}  # other threads clear it
    known = [*filter(None, same.values())]
    moved = others.filter(pk__in=[pk for pk, match in same.items() if match is None]) if known else others
    each_of = [*known, *with_seats(moved)]
    read: dict[int, dict[tuple[TableKey, int], Match]] = {}
    for match in sorted(each_of, key=attrgetter("pk")):
        read.setdefault(match.table.round, {})[place_of(match)] = match
    before.clear()
    before |= {attrgetter(*SAME)(match): match for match in each_of}
    for round, matches in read.items():
        if all(match.state == Match.State.DONE for match in matches.values()):
            each = [(1, 1, it.pk, it.resulted or 0, it.counts_from or 0, it.attempt) for it in matches.values()]
            kept[round] = [*map(sum, zip(*each, strict=True))], matches
    return {place: match for _, matches in sorted((found | read).items()) for place, match in matches.items()}


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
    """The result of a finished match, computed once. Its seats must be loaded."""
    if match.result is not None:
        return match.result
    seats = list(match.seats.all())
    sign = -1 if low_wins else 1
    match.result = Result(
        players=tuple(seat.team_id for seat in seats),
        places=tuple(seat.place or len(seats) for seat in seats),
        scores=tuple(sign * seat.counted for seat in seats),
        disqualified=frozenset(seat.team_id for seat in seats if seat.disqualified and seat.team_id),
    )
    return match.result


def playing(matches: Present) -> dict[TableKey, frozenset[int]]:
    """The teams of matches in progress, by table."""
    running = ((place, match) for (place, _), match in matches.items() if match.status == Match.State.RUNNING)
    return {
        place: frozenset(seat.team_id for seat in match.seats.all() if seat.team_id is not None)
        for place, match in running
    }
