"""Write a contest's ledger (models/ledger.py): one function, called in the transaction that changes something.

The contest's row is always locked first (`hold`), so entries are numbered in the order of commits, without gaps.
`write` also moves the revisions by which live pages poll. The public one moves only for public entries, because a
counter that moves reveals that something has happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NewType

from django.db import connection
from django.utils import timezone

from contest import bulk, followers
from contest.models import Audience, Contest, Kind, LedgerEntry, User

Held = NewType("Held", Contest)
"""A contest whose row this transaction has locked."""

EVERYONE = frozenset(
    {
        Kind.STAGE_PUBLISHED,
        Kind.STAGE_UNPUBLISHED,
        Kind.STAGE_PAUSED,
        Kind.STAGE_RESUMED,
        Kind.STAGE_REMOVED,
        Kind.STAGE_RELEASED,
        Kind.ROUND_MOVED,
        Kind.ROUND_RELEASED,
        Kind.ROUND_TAKEN_BACK,
        Kind.TEAM_DISQUALIFIED,
        Kind.TEAM_WITHDRAWN,
        Kind.TEAM_REINSTATED,
        Kind.FREEZE_SET,
        Kind.FREEZE_LIFTED,
    }
)
"""Announcements, which a freeze does not hide. All other kinds are about results."""


def hold(contest_id: int) -> Held:
    """Lock the contest until the transaction ends, and return its current state.

    The one order of locks: the contest first, then teams, stages, and matches or versions. Every transaction that
    writes to any of them begins here, so PostgreSQL finds no deadlock.
    """
    return Held(Contest.objects.select_for_update(no_key=True).get(pk=contest_id))


@dataclass(frozen=True, slots=True)
class Fact:
    """One entry to write; the subjects are ids.

    `audience` replaces the kind's own. `withheld`: hidden from the public by a release by rounds.
    """

    kind: Kind
    stage: int | None = None
    match: int | None = None
    team: int | None = None
    review: int | None = None
    round: int | None = None
    by: User | None = None
    reason: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    audience: Audience | None = None
    withheld: bool = False
    at: datetime | None = None

    @property
    def heard_by(self) -> Audience:
        return self.audience or (Audience.EVERYONE if self.kind in EVERYONE else Audience.RESULTS)


def write(held: Held, *facts: Fact) -> int:
    """Write facts, in this order. Returns the number of the first; the others follow it.

    Call inside a transaction that holds the contest.
    """
    assert connection.in_atomic_block, "the ledger is written in the transaction of what it tells"
    now = timezone.now()
    frozen = _is_frozen(held, now)
    public = any(
        fact.heard_by == Audience.EVERYONE or (fact.heard_by == Audience.RESULTS and not frozen and not fact.withheld)
        for fact in facts
    )
    last = _take(held, len(facts), public=public)
    first = last - len(facts) + 1
    bulk.insert([_entry(held, fact, number, now) for number, fact in enumerate(facts, first)])
    followers.wake(held.pk, frozenset(fact.kind for fact in facts))
    return first


def _entry(held: Held, fact: Fact, number: int, now: datetime) -> LedgerEntry:
    return LedgerEntry(
        contest_id=held.pk,
        number=number,
        at=fact.at or now,
        kind=fact.kind,
        audience=fact.heard_by,
        by=fact.by,
        reason=fact.reason[:300],
        stage_id=fact.stage,
        match_id=fact.match,
        team_id=fact.team,
        review_id=fact.review,
        round=fact.round,
        data=dict(fact.data),
    )


def _take(held: Held, count: int, *, public: bool) -> int:
    """Take `count` numbers, and move the revisions. Returns the last number.

    This reads the row, not `held`, because the transaction may hold the contest twice. One statement does both, since
    it is part of every result; Django has no words for it.
    """
    with connection.cursor() as cursor:
        cursor.execute(TAKE, [count, int(public), held.pk])
        ((held.last_number,),) = cursor.fetchall()
    return held.last_number


TAKE = (
    "UPDATE contest_contest SET last_number = last_number + %s, revision = revision + 1,"
    " public_revision = public_revision + %s WHERE id = %s RETURNING last_number"
)


def _is_frozen(held: Held, now: datetime) -> bool:
    """Whether the contest is frozen. The first writer after the planned time of a freeze writes that it has begun.

    This gives the public no sign: nobody may learn when that first entry was written.
    """
    if not held.is_frozen(now):
        return False
    if held.frozen_number is None:
        held.frozen_number = Contest.objects.values_list("frozen_number", flat=True).get(pk=held.pk)
    if held.frozen_number is None:
        _freeze(held, None, held.frozen_from, public=False)
    return True


def freeze(held: Held, by: User | None, at: datetime | None) -> None:
    """From now on, hide everything that is written from the public."""
    _freeze(held, by, at, public=True)


def _freeze(held: Held, by: User | None, at: datetime | None, *, public: bool) -> None:
    held.frozen_number = _take(held, 1, public=public)
    Contest.objects.filter(pk=held.pk).update(frozen_number=held.frozen_number)
    fact = Fact(Kind.FREEZE_SET, by=by, at=at)
    _entry(held, fact, held.frozen_number, timezone.now()).save(force_insert=True)


def lift(held: Held, by: User | None) -> None:
    """Show the public everything again."""
    held.frozen_from = held.frozen_number = None
    Contest.objects.filter(pk=held.pk).update(frozen_from=None, frozen_number=None)
    write(held, Fact(Kind.FREEZE_LIFTED, by=by))
