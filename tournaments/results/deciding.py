"""Which stage of a contest decides who is its champion."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tournaments.models import Stage


def deciding_stage(stages: Collection[Stage]) -> Stage | None:
    """The stage that decides, of all stages of a contest, drafts included; None: the contest has no stages.

    Organisers can choose it (`Stage.decides`). Otherwise it is the end of the longest chain of stages that lead to one
    another. Where no stage leads to another, it is the one made last, leagues for invited teams and judged problems
    aside unless there is nothing else.
    """
    chosen = [stage for stage in stages if stage.decides]
    if chosen:
        return chosen[0]
    by_id = {stage.pk: stage for stage in stages}
    aside = [stage for stage in stages if not (stage.entry == Stage.Entry.INVITED or not stage.is_rated)]
    return max(aside or stages, key=lambda stage: (_chain_length(stage, by_id), stage.pk), default=None)


def _chain_length(stage: Stage, by_id: Mapping[int, Stage]) -> int:
    """How many stages lead to this one, one after the other, itself included."""
    seen: set[int] = set()
    step: Stage | None = stage
    while step is not None and step.pk not in seen:
        seen.add(step.pk)
        step = by_id.get(step.source_id) if step.source_id is not None else None
    return len(seen)
