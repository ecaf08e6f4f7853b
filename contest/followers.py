"""Reactions to the ledger: whatever follows from facts reads them in order, after commit.

`settings.REACTIONS` lists them all. A row (`Follower`) stores how far each has come in a contest, so a process that
dies between a fact and its consequences loses nothing: the next one continues there. `wake` sends a message on commit,
and the tick finds what was not woken (`catch_up`).

A reaction may see an entry twice, so the second time must do no harm. It writes only to the database. Tasks that talk
to the world, such as a mail server, work off those rows at their own pace and delay nobody.

If a reaction fails at an entry, it is tried again `TRIES` times in all. Then the entry is logged and passed over
(`Follower.passed_over`), so it cannot hold up later ones for ever.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError

from contest.models import Contest, Follower, LedgerEntry

logger = logging.getLogger(__name__)

FOLLOW = "contest.tasks.follow"
FOLLOWED = ("name", "number", "tries", "passed_over")
STEP = 500  # the most entries passed to a reaction at once
TRIES = 5


@dataclass(frozen=True, slots=True)
class Reaction:
    """`react` gets the entries of these kinds, of one contest, in order. `woken_by`: the kinds whose commit sends a
    message. For other kinds the process that wrote the entry calls `follow`, or the next tick is early enough.
    `concerns` says whether the reaction has anything to do in a contest; if not, no message is sent for it."""

    name: str
    kinds: frozenset[str]
    react: Callable[[Sequence[LedgerEntry]], None]
    woken_by: frozenset[str]
    concerns: Callable[[int], bool] = lambda contest_id: True


@cache
def reactions() -> tuple[Reaction, ...]:
    return tuple(import_string(path) for path in settings.REACTIONS)


def wake(contest_id: int, kinds: frozenset[str]) -> None:
    """Tell the portal's worker on commit that there is something to follow."""
    woken = [reaction for reaction in reactions() if reaction.woken_by & kinds]
    if woken:
        transaction.on_commit(partial(_send, contest_id, woken))


def _send(contest_id: int, woken: Sequence[Reaction]) -> None:
    """What was written is committed, so nothing may fail here any more."""
    try:
        if any(reaction.concerns(contest_id) for reaction in woken):
            current_app.send_task(FOLLOW, args=[contest_id])
    except (OperationalError, DatabaseError):
        logger.warning("nobody can be woken: the tick follows the ledger of contest %d", contest_id, exc_info=True)


def follow_all(contest_id: int) -> None:
    """Let every reaction see its new entries. A reaction that fails does not stop the others."""
    for reaction in reactions():
        _follow_safely(reaction, contest_id)


def catch_up() -> None:
    """The same in every contest with entries that a reaction has not seen."""
    for reaction in reactions():
        for contest_id in behind(reaction).order_by("pk").values_list("pk", flat=True):
            _follow_safely(reaction, contest_id)


def _follow_safely(reaction: Reaction, contest_id: int) -> None:
    try:
        follow(reaction, contest_id)
    except Exception:
        logger.exception("%s cannot follow the ledger of contest %d", reaction.name, contest_id)


def behind(reaction: Reaction) -> QuerySet[Contest]:
    """Contests with entries that the reaction has not seen."""
    number = Follower.objects.filter(name=reaction.name, contest=OuterRef("pk")).values("number")[:1]
    return Contest.objects.annotate(followed=Coalesce(Subquery(number), 0)).filter(last_number__gt=F("followed"))


def follow(reaction: Reaction, contest_id: int) -> int:
    """Pass a reaction the entries of a contest that it has not seen yet. Returns how many it has dealt with.

    Do not call this in the transaction that writes them.
    """
    rows = Follower.objects.select_related("contest").only(*FOLLOWED, "contest__last_number")
    follower, _ = rows.get_or_create(name=reaction.name, contest_id=contest_id)
    head = follower.contest.last_number
    concerned = LedgerEntry.objects.filter(contest=contest_id, number__lte=head, kind__in=reaction.kinds)
    count = 0
    while follower.number < head:
        entries = list(concerned.filter(number__gt=follower.number).order_by("number")[:STEP])
        done, until = _hand(reaction, entries, follower), head if len(entries) < STEP else entries[-1].number
        count += done
        if done < len(entries):
            return count
        _reached(follower, until)
    return count


def _hand(reaction: Reaction, entries: Sequence[LedgerEntry], follower: Follower) -> int:
    """All at once or, if that fails, one by one up to the failing one. Returns how many are settled."""
    if not entries or _copes(reaction, entries):
        return len(entries)
    for done, entry in enumerate(entries):
        if len(entries) > 1 and _copes(reaction, [entry]):
            _reached(follower, entry.number)
            continue
        tries = follower.tries + 1
        if tries < TRIES:
            Follower.objects.filter(pk=follower.pk, number=follower.number).update(tries=tries)
            return done
        logger.error("%s passes over entry %d of contest %d", reaction.name, entry.number, entry.contest_id)
        passed = [*follower.passed_over, entry.number]
        Follower.objects.filter(pk=follower.pk).update(passed_over=passed)
        follower.passed_over = passed
        _reached(follower, entry.number)
    return len(entries)


def _copes(reaction: Reaction, entries: Sequence[LedgerEntry]) -> bool:
    try:
        reaction.react(entries)
    except Exception:
        if connection.in_atomic_block and connection.needs_rollback:
            raise
        what = (reaction.name, entries[0].number, entries[-1].number, entries[0].contest_id)
        logger.exception("%s cannot cope with entries %d to %d of contest %d", *what)
        return False
    return True


def _reached(follower: Follower, number: int) -> None:
    """Store the progress, unless another process is further by now."""
    follower.number, follower.tries = number, 0
    Follower.objects.filter(pk=follower.pk, number__lt=number).update(number=number, tries=0)
