"""Ratings as they were at an earlier entry of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Min, Q

from contest.models import Contest
from tournaments.formats.rating_systems import Skill
from tournaments.models import Match, MatchSeat
from tournaments.results import ratings
from tournaments.results.cache import Cache
from tournaments.results.ratings import RatedSeat


@dataclass(frozen=True, slots=True)
class RatingsThen:
    """Ratings that differ from the stored ones, because a result has become void or valid since.

    `skills`: every team's; None: no result has changed. `links`: by seat.
    """

    skills: dict[int, Skill] | None = None
    links: Mapping[int, RatedSeat] = field(default_factory=dict)


NO_OTHERS = RatingsThen()
CACHE: Cache[RatingsThen] = Cache(4)
"""Shared by all readers while a freeze lasts."""


def ratings_then(contest: Contest, n: int, until: int) -> RatingsThen:
    """The ratings from the results before `until` that counted at number `n`."""
    changed = Q(counts_until__gt=n) | Q(counts_from__gt=n)
    first = contest.matches.filter(changed, resulted__lte=n).aggregate(first=Min("resulted"))["first"]
    if first is None or first >= until:
        return NO_OTHERS
    key = (contest.pk, contest.created_at, n, first, until)
    return CACHE.get(key, lambda: _computed(contest, n, first, until))


def _computed(contest: Contest, n: int, first: int, until: int) -> RatingsThen:
    played = Match.objects.filter(contest=contest).as_of(n).with_result(n)
    skills, links = ratings.before_voiding(contest, played.not_void_by(n), first, until)
    # What was void has no links, also where it has been restored since.
    void = MatchSeat.objects.filter(match__in=played.void_by(n).values("pk"), team__isnull=False)
    unrated = {
        seat: RatedSeat(seat, team, version, place, None, None, None, None)
        for seat, team, version, place in void.values_list("pk", "team_id", "submission_id", "place")
        if team is not None
    }
    return RatingsThen(skills, links | unrated)
