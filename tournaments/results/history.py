"""What the ledger tells of stages, as of an earlier entry."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from datetime import datetime

from django.db.models import Q

from contest.models import Audience, Contest, Kind, LedgerEntry
from contest.models.moments import within_range
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

BY_ROUNDS = (Kind.STAGE_PAUSED, Kind.STAGE_RESUMED, Kind.STAGE_REOPENED)
"""Kinds that can follow from a result that is not released yet. The entry then has the round of that result."""


def as_told(stage: Stage, entries: Iterable[LedgerEntry], n: int, *, public: bool = False) -> Stage:
    """Return the stage as these entries, in order, tell it: a copy that must not be saved.

    Settings are the present ones, except for those overwritten by entries after `n`. Nothing after a reset that the
    reader does not know of is told. Entries that do not fit what came before are skipped: a pause means nothing to a
    reader who must not know that the stage has started. `public`: entries that follow from rounds that are not released
    are skipped, too.
    """
    told = copy(stage)
    told.seen_at = n
    told.state, told.started_at, told.finished_at, told.order, told.left_out = State.DRAFT, None, None, [], []
    told.schools = {}
    told.refusal = ""  # that it was due, and could not start, tells of the stage before it
    known, hidden = _split(entries, n)
    for entry in reversed(hidden):
        for name, value in entry.data.get("was", {}).items():
            is_moment = name.endswith("_at") and value is not None
            setattr(told, name, within_range(datetime.fromisoformat(value)) if is_moment else value)
    for entry in known:
        if entry.kind == Kind.ENTRANTS_SET:
            told.order, told.left_out = entry.data["order"], entry.data.get("left_out", [])
            told.schools = entry.data.get("schools", {})
            continue
        before, after = MOVES[entry.kind]
        if told.state not in before or (public and _is_unreleased(told, entry)):
            continue
        told.state = after
        if entry.kind in (Kind.STAGE_STARTED, Kind.STAGE_RESET):
            told.started_at = entry.at if entry.kind == Kind.STAGE_STARTED else None
        told.finished_at = entry.at if after in Stage.ENDED else None
    return told


def _is_unreleased(stage: Stage, entry: LedgerEntry) -> bool:
    """Whether the entry follows from a result of a round that is not released yet."""
    hides = stage.release == Stage.Release.ROUNDS and entry.kind in BY_ROUNDS
    return hides and entry.round is not None and entry.round > stage.released


def hidden_round(stage: Stage, kind: Kind) -> int | None:
    """The round after which the public may know that a stage is resumed: that of a pause it does not know of."""
    if kind != Kind.STAGE_RESUMED:
        return None
    pause = stage.ledger.filter(kind=Kind.STAGE_PAUSED).order_by("-number").first()
    return pause.round if pause is not None and _is_unreleased(stage, pause) else None


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
    """Whether it was reset in a freeze, so that the public still sees it as it was before.

    Settings kept with every entry would not replace this. They could replace `OVERWRITING`, but only if each edit of a
    stage wrote an entry with all its settings. And announcements would still need it: that a stage is published, or who
    takes part, is public at once, except after a reset that the public does not know of (`audience_of`).
    """
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
    return [as_told(row, told.get(row.pk, ()), n, public=True) for row in rows]


def hide_unreleased(contest: Contest, rows: Iterable[Stage]) -> None:
    """Give these stages the state in which the public knows them without a freeze. They must not be saved."""
    by_rounds = {row.pk: row for row in rows if row.release == Stage.Release.ROUNDS and row.has_started}
    if not by_rounds:
        return
    found = contest.ledger.filter(kind__in=BY_ROUNDS, stage__in=by_rounds, round__isnull=False)
    affected = {entry.stage_id for entry in found if _is_unreleased(by_rounds[entry.stage_id or 0], entry)}
    for told in told_until(contest, [row for pk, row in by_rounds.items() if pk in affected], contest.last_number):
        row = by_rounds[told.pk]
        row.state, row.finished_at = told.state, told.finished_at
