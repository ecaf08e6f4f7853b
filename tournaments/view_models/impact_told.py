"""Previews as values: what the pages show of an impact (organising/impact.py)."""

from __future__ import annotations

from typing import Any

from tournaments.kinds.consequences import OUT, Shift, StageImpact
from tournaments.models import Match, Stage
from tournaments.organising.impact import Ending, Impact


def impact_told(impact: Impact) -> dict[str, Any]:
    return {
        "stages": [_stage_impact(found) for found in impact.stages],
        "drawn_again": [_stage(stage) for stage in impact.coming],
        "standings": [_shift(shift) for shift in impact.standings],
    }


def ending_told(ending: Ending, stage: Stage) -> dict[str, Any]:
    return {
        "resets": stage.resets,
        "played": ending.played,
        "unplayed": ending.unplayed,
        "last_round": ending.last_round,
        "too_many": ending.too_many,
        "impact": impact_told(ending.impact),
    }


def _stage_impact(found: StageImpact) -> dict[str, Any]:
    return {
        **_stage(found.stage),
        "voided": [_match(match) for match in found.voided],
        "replaced": [_match(match) for match in found.replaced],
        "restored": [_match(match) for match in found.restored],
        "no_longer_decided": list(found.reopened),
        "tables": [
            {"table": it.name, "leaving": it.leaving, "coming": it.coming, "vacancy": it.vacancy.value}
            for it in found.changes
        ],
        "ranking": [_shift(shift) for shift in found.shifts],
        "keep_their_teams": [_stage(stage) for stage in found.followers],
    }


def _stage(stage: Stage) -> dict[str, Any]:
    return {"stage": stage.pk, "name": stage.name}


def _match(match: Match) -> dict[str, Any]:
    return {"match": match.pk, "table": match.table.name, "state": match.state}


def _shift(shift: Shift) -> dict[str, Any]:
    before, after = shift.words
    return {
        "team_id": shift.team.pk,
        "team": shift.team.name,
        "rank": _rank(shift.before),
        "rank_after": _rank(shift.after),
        "words": before,
        "words_after": after,
        "so_far": shift.so_far,
    }


def _rank(rank: int | None) -> int | None:
    return None if rank == OUT else rank
