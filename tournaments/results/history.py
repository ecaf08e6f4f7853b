"""What the ledger tells of a stage: the state after some of its entries."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from contest.models import Kind, LedgerEntry
from tournaments.models import Stage

State = Stage.State
MOVES: dict[str, tuple[frozenset[str], str]] = {
    Kind.STAGE_PUBLISHED: (frozenset({State.DRAFT}), State.PUBLISHED),
    Kind.STAGE_UNPUBLISHED: (frozenset({State.PUBLISHED}), State.DRAFT),
    Kind.STAGE_STARTED: (frozenset({State.PUBLISHED}), State.RUNNING),
    Kind.STAGE_PAUSED: (frozenset({State.RUNNING}), State.PAUSED),
    Kind.STAGE_RESUMED: (frozenset({State.PAUSED}), State.RUNNING),
    Kind.STAGE_FINISHED: (frozenset({State.RUNNING, State.PAUSED}), State.DONE),
    Kind.STAGE_REOPENED: (frozenset({State.DONE}), State.RUNNING),
    Kind.STAGE_SHORTENED: (frozenset({State.PAUSED}), State.RUNNING),
    Kind.STAGE_REMOVED: (frozenset(State), State.REMOVED),
}
"""By kind: the states in which it means something to a reader who may have missed others, and the one that follows."""

STAGE_KINDS = (*MOVES, Kind.ENTRANTS_SET)


def as_told(stage: Stage, entries: Iterable[LedgerEntry]) -> Stage:
    """The stage as these entries tell it, in their order: a copy, not to be saved. Settings are those of today.

    An entry that does not fit what was told before is passed over: a pause says nothing to somebody who must not know
    that the stage has started.
    """
    told = copy(stage)
    told.state, told.started_at, told.finished_at, told.order, told.left_out = State.DRAFT, None, None, [], []
    for entry in entries:
        if entry.kind == Kind.ENTRANTS_SET:
            told.order, told.left_out = entry.data["order"], entry.data.get("left_out", [])
            continue
        before, after = MOVES[entry.kind]
        if told.state not in before:
            continue
        told.state = after
        if entry.kind == Kind.STAGE_STARTED:
            told.started_at = entry.at
        told.finished_at = entry.at if after == State.DONE else None
    return told
