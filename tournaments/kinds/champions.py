"""The winner of a whole contest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from contest.models import Team
from tournaments import kinds
from tournaments.kinds.planned import stage_view, statuses_of
from tournaments.models import Match, Stage
from tournaments.models.stages import deciding_stage
from tournaments.results.visibility import Sight

GOES_ON = (Stage.State.PUBLISHED, Stage.State.RUNNING, Stage.State.PAUSED)


@dataclass(frozen=True, slots=True)
class Champion:
    """The team that won the deciding stage."""

    team: Team
    stage: Stage


def of(sight: Sight) -> Champion | None:
    """The champion as this reader may know it. None: the deciding stage is not over, or nobody won it alone."""
    stage = decided(sight)
    team = kinds.of(stage).champion(stage, sight) if stage else None
    return Champion(team, stage) if stage and team else None


def decided(sight: Sight) -> Stage | None:
    """The deciding stage once it is over, as far as this reader may know.

    In a contest that has ended, it is one of those that began, as far as the reader knows.
    """
    if not any(stage.state == Stage.State.DONE for stage in sight.stages):
        return None
    if sight.contest.ended_at is None:
        stages = list(sight.contest.stages.only("contest", "entry", "source", "format", "state", "decides"))
    else:
        stages = [stage for stage in sight.stages if stage.has_started]
    decides = deciding_stage(stages)
    stage = next((stage for stage in sight.stages if decides is not None and stage.pk == decides.pk), None)
    return stage if stage is not None and stage.state == Stage.State.DONE else None


def is_over(sight: Sight) -> bool:
    """Whether all of the contest is played, as far as this reader may know: it is decided, and no stage goes on."""
    return not any(stage.state in GOES_ON for stage in sight.stages) and decided(sight) is not None


def final_of(stage: Stage, sight: Sight) -> Match | None:
    """The last match of a bracket's final, play-offs included. None: no single match decided."""
    if not kinds.of(stage).is_bracket(stage):
        return None
    view = stage_view(stage, sight)
    found = view.at(view.plan.rounds[-1][0].key) if view.plan.rounds else []
    return next((match for match in reversed(found) if match.status == Match.State.DONE), None)


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
