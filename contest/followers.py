"""Reactions to the ledger: whatever follows from facts reads them in order, after they are committed.

A reaction is a name and a function. How far each has come in a contest is a row (`Follower`), so a process that dies
between a fact and what follows from it loses nothing: the next one goes on where it was. A reaction may see an entry
twice, so it must do no harm the second time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from contest.models import Contest, Follower, LedgerEntry

STEP = 500  # entries that a reaction is handed at once

React = Callable[[Sequence[LedgerEntry]], None]


def follow(name: str, contest_id: int, react: React) -> int:
    """Hand `react` the entries of a contest that `name` has not had yet, in order. Returns how many there were.

    Not inside the transaction that writes them. What `react` raises is raised, and the entries come again.
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
    """Contests of whose ledger `name` has not had everything."""
    number = Follower.objects.filter(name=name, contest=OuterRef("pk")).values("number")[:1]
    return Contest.objects.annotate(followed=Coalesce(Subquery(number), 0)).filter(last_number__gt=F("followed"))
