"""Who has won a whole contest."""

from __future__ import annotations

from dataclasses import dataclass

from contest.models import Team
from tournaments.models import Stage
from tournaments.pages import brackets, rounds
from tournaments.results import standings
from tournaments.results.visibility import Sight
from tournaments.view_models.stage_view import sheet_of


@dataclass(frozen=True, slots=True)
class Champion:
    """The first of the last stage."""

    team: Team
    stage: Stage


def of(sight: Sight) -> Champion | None:
    """None while anything is to be played, where nobody stands alone, and where every problem is judged by itself."""
    begun = [stage for stage in sight.stages if stage.started_at]
    ended = sight.contest.ended_at is not None
    if not begun or any(stage.state != Stage.State.DONE for stage in (begun if ended else sight.stages)):
        return None
    last = max(begun, key=lambda stage: (stage.started_at, stage.pk))
    team = _first(last, sight)
    return Champion(team, last) if team else None


def _first(stage: Stage, sight: Sight) -> Team | None:
    if stage.played_in.runs:
        return None
    if stage.played_in.continuous:
        first = [row.team for row in standings.of_stage(stage, sight) if row.ranked.rank == 1]
        return first[0] if len(first) == 1 else None
    find = brackets.champion_of if stage.played_in.page == "bracket" else rounds.champion_of
    return find(sheet_of(stage, sight))
