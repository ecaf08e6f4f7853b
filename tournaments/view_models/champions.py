"""Who has won a whole contest."""

from __future__ import annotations

from dataclasses import dataclass

from contest.models import Team
from tournaments import kinds
from tournaments.models import Stage
from tournaments.results.visibility import Sight


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
    team = kinds.of(last).champion(last, sight)
    return Champion(team, last) if team else None
