"""Stages and their tables as values: what their pages show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Count

from contest.models import Team
from tournaments import kinds
from tournaments.kinds import secrecy
from tournaments.kinds.exported import status_of
from tournaments.kinds.planned import PLANNED, stage_view
from tournaments.kinds.stage_views import StageView
from tournaments.models import Match, Stage
from tournaments.organising.timetable import name_of
from tournaments.results.cache import Cache
from tournaments.results.visibility import Sight
from tournaments.view_models.brackets import bracket_of
from tournaments.view_models.tables import SeatView, TableView, table_view
from tournaments.view_models.timetables import timetable_told

SAME = (
    *("id", "name", "format", "state", "entry", "best", "seeding", "release", "released", "resets", "last_round"),
    *("starts_at", "starts_after", "ends_at", "check_in_closes_at", "started_at", "finished_at"),
)
COUNTS: Cache[dict[str, int]] = Cache(64)


def stage_line(stage: Stage, sight: Sight) -> dict[str, Any]:
    """A stage of the reader's, without its entrants."""
    withheld, kind = sight.withheld(stage), kinds.of(stage)
    return {
        **{name: getattr(stage, name) for name in SAME},
        "kind": kind.name,
        "state_name": stage.state_name,
        "source": stage.source_id,
        "is_bracket": kind.is_bracket(stage),
        "is_rated": stage.is_rated,
        "is_over": stage.is_over,
        "awaits_release": stage.awaits_release,
        "entrants_withheld": withheld is not None and withheld.entrants,
        "withheld_from_round": withheld.round if withheld else None,
        "timetable": timetable_told(stage, sight),
    }


def stage_told(stage: Stage, sight: Sight) -> dict[str, Any]:
    """A stage with its rules, entrants and numbers of matches."""
    put_in = stage.substitutions()
    gone = [it["instead_of"] for it in put_in]
    named = dict(
        Team.objects.filter(pk__in=[*stage.order, *stage.left_out, *gone]).order_by().values_list("pk", "name")
    )
    return {
        **stage_line(stage, sight),
        "rules": list(stage.rules()),
        "options": secrecy.open_options(stage, sight),
        "entrants_words": stage.entrants_name,
        "entrants": [_entrant(team, named, seed) for seed, team in enumerate(stage.order, 1) if team in named],
        "left_out": [_entrant(team, named) for team in stage.left_out if team in named],
        "substitutes": [
            {
                "team_id": it["team"],
                "team": named.get(it["team"], ""),
                "instead_of_id": it["instead_of"],
                "instead_of": named.get(it["instead_of"]),
                "reason": it["reason"],
            }
            for it in put_in
        ],
        "matches": counts(stage, sight),
        "why": stage.why_reset() or stage.why_abandoned(),
    }


def _entrant(team: int, named: Mapping[int, str], seed: int | None = None) -> dict[str, Any]:
    return {"seed": seed, "team_id": team, "team": named[team]}


def counts(stage: Stage, sight: Sight) -> dict[str, int]:
    """How many matches of each state the reader may know of, counted once for everybody who may know the same."""
    key = stage.pk, stage.created_at, sight.revision, sight.sees_all
    return COUNTS.get(key, lambda: _counted(stage, sight))


def _counted(stage: Stage, sight: Sight) -> dict[str, int]:
    found = dict.fromkeys(Match.State.values, 0)
    if sight.n is not None:
        for state in found:
            found[state] = sight.in_state(state, sight.matches(stage)).count()
        return found
    rows = sight.matches(stage).filter(pending=False).order_by()
    return found | dict(rows.values_list("state").annotate(Count("pk")))


# Tables ---------------------------------------------------------------------------------------------------------------


def rounds_told(
    stage: Stage, sight: Sight, *, only: int | None = None, team: int | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rounds of a stage with their tables, as on its page. `only`: this round; `team`: where this one sits.
    Nothing where matches are made as the stage goes on."""
    if kinds.of(stage) is not PLANNED:
        return
    view = stage_view(stage, sight)
    for number, name, tables in _rounds(view, only):
        shown = [table for table in tables if team is None or team in table.plan.teams]
        if shown or team is None:
            yield {"number": number, "name": name, "tables": [_table(table) for table in shown]}


def _rounds(view: StageView, only: int | None) -> Iterator[tuple[int, str, list[TableView]]]:
    if view.is_bracket:
        for each in bracket_of(view):
            if only in (None, each.number):
                yield each.number, each.name, sorted(each.tables, key=lambda table: table.plan.key)
        return
    for number, tables in enumerate(view.plan.rounds, 1):
        if only in (None, number):
            yield number, name_of(view.stage, number, view.plan), [table_view(view, table) for table in tables]


def _table(table: TableView) -> dict[str, Any]:
    return {
        "number": table.plan.number,
        "name": table.plan.name,
        "state": table.state[1],
        "decided": table.decided,
        "is_bye": table.is_bye,
        "withheld": table.withheld,
        "seats": [_seat(seat) for seat in table.seats],
        "advancing": list(table.plan.advancing),
        "matches": [match.pk for match in table.matches],
        "playoffs": [match.pk for match in table.playoffs],
        "void": [match.pk for match in table.void],
    }


def _seat(seat: SeatView) -> dict[str, Any]:
    return {
        "player": seat.name,
        "team_id": seat.team.pk if seat.team else None,
        "seed": seat.seed,
        "taker": seat.taker.value,
        "score": seat.score,
        "tournament_points": seat.points,
        "place": seat.place,
        "disqualified": seat.disqualified,
        "first_fault": seat.fault,
        **status_of(seat.told),
    }
