"""What the ledger tells of stages, after some of its entries."""

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
"""By kind: the states in which it means something to a reader who may have missed others, and the one that follows."""

STAGE_KINDS = (*MOVES, Kind.ENTRANTS_SET)

OVERWRITING = (Kind.STAGE_RESET, Kind.STAGE_SHORTENED)
"""Kinds that change settings of the stage: `data["was"]` of the entry has those of before, by field. Of a ladder that
was stopped by an earlier version of the portal it is missing."""


def as_told(stage: Stage, entries: Iterable[LedgerEntry], n: int) -> Stage:
    """The stage as these entries tell it, in their order: a copy, not to be saved.

    Settings are those of today, apart from what entries after `n` have overwritten, and after a reset that the reader
    does not know of nothing is told. An entry that does not fit what was told before is passed over: a pause says
    nothing to somebody who must not know that the stage has started.
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
    """The entries that the reader knows, and those that have overwritten something since."""
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


def standing(n: int | None) -> Q:
    """Of matches, as known at number `n`: that a reset has not set their table aside."""
    return Q(table__until=0) if n is None else Q(table__until=0) | Q(table__until__gt=n)


def is_secretly_reset(stage: Stage) -> bool:
    """Was it reset in a freeze, so that the public sees it as it was before?"""
    frozen = stage.contest.frozen_number
    if not stage.resets or frozen is None:
        return False
    return stage.ledger.filter(kind=Kind.STAGE_RESET, number__gt=frozen).exists()


def audience_of(stage: Stage, kind: Kind | None = None) -> Audience | None:
    """Who may know what happens to a stage: whoever knows of a reset before it, and knows the stage in a state in which
    it means something. To pause a stage that nobody knows to have started would tell that it has. None: as usual."""
    if is_secretly_reset(stage):
        return Audience.RESULTS
    frozen = stage.contest.frozen_number
    if frozen is None or kind not in (Kind.STAGE_PAUSED, Kind.STAGE_RESUMED):
        return None
    (known,) = told_until(stage.contest, [stage], frozen)
    return None if known.state in MOVES[kind][0] else Audience.RESULTS


def stages_as_of(contest: Contest, n: int | None) -> list[Stage]:
    """All stages, as those know them who may not hear what the ledger says of results after number `n` (None: all of
    it). Not to be saved."""
    rows = list(contest.stages.order_by("pk"))
    return rows if n is None else told_until(contest, rows, n)


def told_until(contest: Contest, rows: Iterable[Stage], n: int) -> list[Stage]:
    """These stages after all that everybody may hear, and what was told of results until number `n`."""
    told: dict[int | None, list[LedgerEntry]] = {}
    heard = Q(audience=Audience.EVERYONE) | Q(audience=Audience.RESULTS, number__lte=n)
    asked = (heard & Q(kind__in=STAGE_KINDS)) | Q(kind__in=OVERWRITING)
    for entry in contest.ledger.filter(asked, stage__in=rows).order_by("number"):
        told.setdefault(entry.stage_id, []).append(entry)
    return [as_told(row, told.get(row.pk, ()), n) for row in rows]
