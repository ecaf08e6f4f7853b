"""What the ledger tells of stages, as of an earlier entry."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from datetime import datetime

from django.db.models import Q

from contest.models import Audience, Contest, Kind, LedgerEntry
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
    Kind.STAGE_ABANDONED: (frozenset({State.RUNNING, State.PAUSED}), State.ABANDONED),
    Kind.STAGE_RESET: (frozenset(Stage.UNDER_WAY), State.PUBLISHED),
    Kind.STAGE_REMOVED: (frozenset(State), State.REMOVED),
}
"""By kind: the states in which an entry makes sense to a reader who may have missed others, and the state after it."""

STAGE_KINDS = (*MOVES, Kind.ENTRANTS_SET)

OVERWRITING = (Kind.STAGE_RESET, Kind.STAGE_SHORTENED)
"""Kinds that change settings of the stage. `data["was"]` of the entry has the old values by field. It is missing for a
ladder that an earlier version of the portal stopped."""


def as_told(stage: Stage, entries: Iterable[LedgerEntry], n: int) -> Stage:
    """Return the stage as these entries, in order, tell it: a copy that must not be saved.

    Settings are the present ones, except for those overwritten by entries after `n`. Nothing after a reset that the
    reader does not know of is told. Entries that do not fit what came before are skipped: a pause means nothing to a
    reader who must not know that the stage has started.
    """
    told = copy(stage)
    told.seen_at = n
    told.state, told.started_at, told.finished_at, told.order, told.left_out = State.DRAFT, None, None, [], []
    known, hidden = _split(entries, n)
    for entry in reversed(hidden):
        for name, value in entry.data.get("was", {}).items():
            is_moment = name == "ends_at" and value is not None
            setattr(told, name, datetime.fromisoformat(value) if is_moment else value)
    for entry in known:
        if entry.kind == Kind.ENTRANTS_SET:
            told.order, told.left_out = entry.data["order"], entry.data.get("left_out", [])
            continue
        before, after = MOVES[entry.kind]
        if told.state not in before:
            continue
        told.state = after
        if entry.kind in (Kind.STAGE_STARTED, Kind.STAGE_RESET):
            told.started_at = entry.at if entry.kind == Kind.STAGE_STARTED else None
        told.finished_at = entry.at if after in Stage.ENDED else None
    return told


def _split(entries: Iterable[LedgerEntry], n: int) -> tuple[list[LedgerEntry], list[LedgerEntry]]:
    """Split into the entries that the reader knows, and those that have overwritten something since."""
    known: list[LedgerEntry] = []
    hidden: list[LedgerEntry] = []
    reset = False
    for entry in entries:
        if entry.kind in OVERWRITING and entry.number > n:
            hidden.append(entry)
            reset = reset or entry.kind == Kind.STAGE_RESET
        elif not reset:
            known.append(entry)
    return known, hidden


def not_reset(n: int | None) -> Q:
    """Filter for matches whose table no reset has set aside, as known at number `n`."""
    return Q(table__until=0) if n is None else Q(table__until=0) | Q(table__until__gt=n)


def is_secretly_reset(stage: Stage) -> bool:
    """Whether it was reset in a freeze, so that the public still sees it as it was before."""
    frozen = stage.contest.frozen_number
    if not stage.resets or frozen is None:
        return False
    return stage.ledger.filter(kind=Kind.STAGE_RESET, number__gt=frozen).exists()


def audience_of(stage: Stage, kind: Kind | None = None) -> Audience | None:
    """Return who may know what happens to a stage: readers who know of any reset before it, and know the stage in a
    state that it fits. Pausing a stage would otherwise reveal that it has started. None: the kind's usual audience."""
    if is_secretly_reset(stage):
        return Audience.RESULTS
    frozen = stage.contest.frozen_number
    if frozen is None or kind not in (Kind.STAGE_PAUSED, Kind.STAGE_RESUMED):
        return None
    (known,) = told_until(stage.contest, [stage], frozen)
    return None if known.state in MOVES[kind][0] else Audience.RESULTS


def stages_as_of(contest: Contest, n: int | None) -> list[Stage]:
    """Return all stages as known to readers who may see results up to ledger number `n` (None: all). They must not be
    saved."""
    rows = list(contest.stages.order_by("pk"))
    return rows if n is None else told_until(contest, rows, n)


def told_until(contest: Contest, rows: Iterable[Stage], n: int) -> list[Stage]:
    """Return these stages after all public entries, and results up to number `n`."""
    told: dict[int | None, list[LedgerEntry]] = {}
    heard = Q(audience=Audience.EVERYONE) | Q(audience=Audience.RESULTS, number__lte=n)
    asked = (heard & Q(kind__in=STAGE_KINDS)) | Q(kind__in=OVERWRITING)
    for entry in contest.ledger.filter(asked, stage__in=rows).order_by("number"):
        told.setdefault(entry.stage_id, []).append(entry)
    return [as_told(row, told.get(row.pk, ()), n) for row in rows]
