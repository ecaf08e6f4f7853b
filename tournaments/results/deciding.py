"""The stage of a contest that decides its champion."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tournaments.models import Stage


def deciding_stage(stages: Collection[Stage]) -> Stage | None:
    """Return the deciding stage among all stages of a contest. None: the contest has no stages.

    Organisers can choose it (`Stage.decides`), also a draft. Otherwise it is the end of the longest chain of stages
    that feed each other. If no stage feeds another, it is the newest one; leagues for invited teams and judged problems
    are chosen only if there is nothing else. Drafts count only while there is nothing else: nobody knows of them.
    """
    chosen = [stage for stage in stages if stage.decides]
    if chosen:
        return chosen[0]
    stages = [stage for stage in stages if stage.state != Stage.State.DRAFT] or stages
    by_id = {stage.pk: stage for stage in stages}
    aside = [stage for stage in stages if not (stage.entry == Stage.Entry.INVITED or not stage.is_rated)]
    return max(aside or stages, key=lambda stage: (_chain_length(stage, by_id), stage.pk), default=None)


def _chain_length(stage: Stage, by_id: Mapping[int, Stage]) -> int:
    """The length of the chain of stages that ends with this one."""
    seen: set[int] = set()
    step: Stage | None = stage
    while step is not None and step.pk not in seen:
        seen.add(step.pk)
        step = by_id.get(step.source_id) if step.source_id is not None else None
    return len(seen)
