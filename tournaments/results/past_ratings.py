"""Ratings as they were at an earlier entry of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Min, Q

from contest.models import Contest
from tournaments.formats.rating_systems import Skill
from tournaments.models import Match
from tournaments.results import ratings
from tournaments.results.cache import Cache
from tournaments.results.ratings import Chair


@dataclass(frozen=True, slots=True)
class RatingsThen:
    """Ratings that differ from the stored ones, because a result has become void or valid since.

    `skills`: every team's; None: no result has changed. `links`: by seat.
    """

    skills: dict[int, Skill] | None = None
    links: Mapping[int, Chair] = field(default_factory=dict)


NO_OTHERS = RatingsThen()
CACHE: Cache[RatingsThen] = Cache(4)
"""Shared by all readers while a freeze lasts."""


def ratings_then(contest: Contest, n: int, until: int) -> RatingsThen:
    """The ratings from the results before `until` that counted at number `n`."""
    changed = Q(counts_until__gt=n) | Q(counts_from__gt=n)
    first = contest.matches.filter(changed, resulted__lte=n).aggregate(first=Min("resulted"))["first"]
    if first is None or first >= until:
        return NO_OTHERS
    counted = Match.objects.filter(contest=contest).as_of(n).not_void_by(n).with_result(n)
    key = (contest.pk, contest.created_at, n, first, until)
    return CACHE.get(key, lambda: RatingsThen(*ratings.before_voiding(contest, counted, first, until)))
