"""Ratings: OpenSkill (Plackett-Luce) among the teams of a match, in the order in which results came in.

A team's rating is the end of a chain: a pure function of the contest's valid results in the order of (finished_at,
id). The transaction that writes a result adds one link; when a match is voided, the chain is computed again from there
on; `manage.py rerate` computes all of it. All three give the same numbers to the last bit. House players are not rated,
and a match with fewer than two teams moves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet
from openskill.models import PlackettLuce

from contest.models import Contest
from tournaments.models import Match, MatchSeat, Rating

MODEL = PlackettLuce()


class Skill(NamedTuple):
    """What is believed of a team: mean and standard deviation."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma


START = Skill()


def rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Everybody's skill after a match with these places (1 is best, equal places tie). Pure."""
    if len(skills) < 2:
        return list(skills)
    before = [[MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    after = MODEL.rate(before, ranks=[float(place) for place in places])
    return [Skill(rating.mu, rating.sigma) for (rating,) in after]


def add(match: Match) -> None:
    """Add the link of a match that was just written as done, the last of its contest. Inside its transaction."""
    chairs = team_chairs(match)
    rows = {rating.team_id: rating for rating in Rating.objects.filter(team__in=chairs)}
    known = {team: Skill(row.mu, row.sigma) for team, row in rows.items()}
    _link(chairs, known)
    MatchSeat.objects.bulk_update(chairs.values(), FIELDS)
    for team in chairs:
        row = rows.get(team) or Rating(contest_id=match.contest_id, team_id=team)
        row.mu, row.sigma = known[team]
        row.matches += 1
        row.save()


FIELDS = ["mu_before", "sigma_before", "mu_after", "sigma_after"]


def team_chairs(match: Match) -> dict[int, MatchSeat]:
    """The chairs of a match in which teams sit, by team, in the order of the chairs."""
    return {seat.team_id: seat for seat in match.seats.all() if seat.team_id is not None}


def _link(chairs: Mapping[int, MatchSeat], known: dict[int, Skill]) -> bool:
    """Write before and after into the chairs of one match, and after into `known`. True when a number changed."""
    before = [known.get(team, START) for team in chairs]
    after = rate(before, [seat.place or 1 for seat in chairs.values()])
    changed = False
    for (team, seat), old, new in zip(chairs.items(), before, after, strict=True):
        values = (*old, *new)
        changed |= tuple(getattr(seat, name) for name in FIELDS) != values
        for name, value in zip(FIELDS, values, strict=True):
            setattr(seat, name, value)
        known[team] = new
    return changed


def recompute(contest: Contest, since: Match | None = None) -> int:
    """Compute the chain again, from `since` on or from the start. Returns how many matches changed.

    Inside a transaction that holds the contest's lock.
    """
    done = Match.objects.done().filter(contest=contest).in_order_of_results()
    known: dict[int, Skill] = {}
    if since is not None and since.finished_at is not None:
        later = Q(finished_at__gt=since.finished_at) | Q(finished_at=since.finished_at, pk__gte=since.pk)
        known = _skills_before(done.exclude(later))
        done = done.filter(later)
    changed: list[MatchSeat] = []
    matches = 0
    for match in done.prefetch_related("seats"):
        chairs = team_chairs(match)
        if _link(chairs, known):
            changed += chairs.values()
            matches += 1
    MatchSeat.objects.bulk_update(changed, FIELDS, batch_size=500)
    _write_ratings(contest, known)
    return matches


def _skills_before(matches: QuerySet[Match]) -> dict[int, Skill]:
    seats = MatchSeat.objects.filter(match__in=matches, team__isnull=False).order_by("match__finished_at", "match__pk")
    links = seats.values_list("team", "mu_after", "sigma_after")
    return {team: Skill(mu, sigma) for team, mu, sigma in links if mu is not None and sigma is not None}


def _write_ratings(contest: Contest, known: dict[int, Skill]) -> None:
    done = Match.objects.done().filter(contest=contest)
    played = MatchSeat.objects.filter(match__in=done, team__isnull=False)
    counts = dict(played.order_by().values_list("team").annotate(count=Count("pk")))
    Rating.objects.filter(contest=contest).exclude(team__in=counts).delete()
    rows = [
        Rating(contest=contest, team_id=team, mu=known[team].mu, sigma=known[team].sigma, matches=count)
        for team, count in counts.items()
    ]
    Rating.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["team"], update_fields=["mu", "sigma", "matches"]
    )


def imagined(contest: Contest, without: Sequence[Match], adding: Sequence[Match]) -> dict[int, Skill]:
    """What everybody's rating would be if these matches did not count and those did. Writes nothing."""
    first = min((match.finished_at, match.pk) for match in (*without, *adding) if match.finished_at is not None)
    later = Q(finished_at__gt=first[0]) | Q(finished_at=first[0], pk__gte=first[1])
    done = Match.objects.done().filter(contest=contest)
    known = _skills_before(done.exclude(later))
    staying = done.filter(later).exclude(pk__in=[match.pk for match in without]).prefetch_related("seats")
    for match in sorted((*staying, *adding), key=lambda match: (match.finished_at, match.pk)):
        _link(team_chairs(match), known)
    return known
