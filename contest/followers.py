"""Reactions to the ledger: whatever follows from facts reads them in order, after commit.

A reaction is a name and a function. A row (`Follower`) stores how far each has come in a contest, so a process that
dies between a fact and its consequences loses nothing: the next one continues there. A reaction may see an entry
twice, so the second time must do no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from contest.models import Contest, Follower, LedgerEntry

STEP = 500  # the most entries passed to a reaction at once

React = Callable[[Sequence[LedgerEntry]], None]


def follow(name: str, contest_id: int, react: React) -> int:
    """Pass `react` the entries of a contest that `name` has not seen yet, in order. Returns how many there were.

    Do not call this in the transaction that writes them. Exceptions from `react` pass through, and the entries come
    again.
    """
    follower, _ = Follower.objects.get_or_create(name=name, contest_id=contest_id)
    ahead = LedgerEntry.objects.filter(contest=contest_id).order_by("number")
    count = 0
    while entries := list(ahead.filter(number__gt=follower.number)[:STEP]):
        react(entries)
        follower.number = entries[-1].number
        Follower.objects.filter(pk=follower.pk, number__lt=follower.number).update(number=follower.number)
        count += len(entries)
    return count


def behind(name: str) -> QuerySet[Contest]:
    """Contests whose ledger has entries that `name` has not seen."""
    number = Follower.objects.filter(name=name, contest=OuterRef("pk")).values("number")[:1]
    return Contest.objects.annotate(followed=Coalesce(Subquery(number), 0)).filter(last_number__gt=F("followed"))
