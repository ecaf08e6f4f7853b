"""What everybody may know of a stage released by rounds: the released rounds, and who meets in the next one.

That a match of the next round is voided, reviewed or restored would tell of a result that is not released. So the
public keeps the match that was drawn there first, until something happens that it may know of: a released match is
voided and other teams go on, a team leaves, the stage is reset.
"""

from __future__ import annotations

from collections.abc import Set
from itertools import chain
from math import inf
from operator import itemgetter

from django.db.models import Q

from contest.models import Kind
from tournaments.models import EarlierSpan, Match, Stage
from tournaments.models.matches import MatchQuerySet, counting
from tournaments.results.history import not_reset


def known(stage: Stage, n: int | None) -> Q:
    """Filter for the matches of a stage that count as of ledger number `n` (None: now), as the public knows them."""
    # Any further match in the next round, such as a play-off, would reveal a result.
    following = Q(table__round=stage.released + 1, number=1)
    counts = counting(n) & (Q(table__round__lte=stage.released) | following)
    drawn = Match.objects.filter(following, not_reset(n), stage=stage.pk).as_of(n).order_by()
    tables = set(drawn.void_by(n).values_list("table", flat=True))
    if not tables:
        return counts
    first = _first(stage, drawn.filter(table__in=tables), n)
    return (counts & ~Q(table__in=tables)) | Q(pk__in=first.values())


def _first(stage: Stage, drawn: MatchQuerySet, n: int | None) -> dict[int, int]:
    """By table: the first of these matches since the last end of one that the public may know of."""
    table_of = dict(drawn.values_list("pk", "table"))
    earlier = EarlierSpan.objects.filter(match__in=table_of).values_list("counts_from", "counts_until", "match")
    of_drawn = drawn.values_list("counts_from", "counts_until", "pk")
    spans = sorted(chain(earlier, of_drawn), key=itemgetter(0))
    public = _public_ends(stage, {end for _, end, _ in spans if end is not None})
    last = inf if n is None else n
    first: dict[int, int] = {}
    for start, end, match in spans:
        if start is not None and start <= last:
            first.setdefault(table_of[match], match)
        if end is not None and end <= last and end in public:
            first.pop(table_of[match], None)
    return first


def _public_ends(stage: Stage, ends: Set[int]) -> frozenset[int]:
    """Of these entries, which ended matches, those that follow from nothing hidden."""
    entries = stage.ledger.filter(number__in=ends).exclude(kind=Kind.REVIEW_APPLIED)
    found = entries.values_list("number", "kind", "data")
    return frozenset(number for number, kind, data in found if kind != Kind.MATCH_VOIDED or data.get("by_plan"))
