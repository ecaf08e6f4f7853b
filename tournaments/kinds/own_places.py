"""The places of a team that nothing can change any more, apart from what organisers do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from contest.models import Team
from tournaments import kinds
from tournaments.kinds.planned import statuses_of
from tournaments.models import Stage
from tournaments.results.visibility import Sight


@dataclass(frozen=True, slots=True)
class OwnPlace:
    stage: Stage
    rank: int
    sentence: str  # how the team got it; may be blank


def places_of(team: Team, sight: Sight) -> Iterator[OwnPlace]:
    """In stages that are over, and in brackets that go on without the team."""
    for stage in sight.stages:
        settled = stage.is_over or (stage.has_started and kinds.of(stage).is_bracket(stage))
        seen = statuses_of(stage, sight) if settled and team.pk in stage.order else None
        if seen is None:
            continue
        plan, statuses = seen
        ranked = next((each for each in plan.ranking if each.team == team.pk), None)
        if ranked is not None and ranked.rank is not None:
            yield OwnPlace(stage, ranked.rank, statuses.of_ranked(ranked).sentence)
