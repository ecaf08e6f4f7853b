"""The ratings of a contest's teams, in the order of results.

A team's rating is the end of a chain: a pure function of the contest's valid results in the order of their ledger
numbers (`Match.resulted`). The steps are in formats/rating_systems.py. The transaction that writes a result adds one
link. When matches become void or valid, the chain is computed again from there; `manage.py rerate` computes all of it.
All three ways give the same numbers to the last bit. House players are not rated. Matches with fewer than two teams,
judged runs and matches of open reviews change no rating.

Only matches concerned by the change are computed again: those of the teams involved, and of teams that met them since.
Long chains are processed in steps (`STEP`), so that requests and other users of the contest do not wait. The row
`Arrears` stores how far it has come, and the tick continues. Meanwhile new results are added at the end as always, and
computed again when the recalculation reaches them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import merge
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Count, Min, OuterRef, Q, QuerySet, Subquery

from contest import bulk
from contest.ledger import hold
from contest.models import Contest, Team
from tournaments.formats.rating_systems import Skill, System, system
from tournaments.models import Arrears, Match, MatchSeat, Rating, Review, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.results.cache import Cache

STEP = 10_000  # matches processed in one transaction: less than a second
RECENT = 10_000  # the latest matches, which include most teams that still play
PAGE = 2000  # matches read, and seats written, at once

# One link of the chain ------------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """A team after its last match: its skill, and the version it played (None: a connected program)."""

    skill: Skill
    version: int | None


class RatedSeat(NamedTuple):
    """A team's seat in a finished match, with its rating link; the fields of `RATED`."""

    pk: int
    team: int
    version: int | None
    place: int | None
    mu_before: float | None
    sigma_before: float | None
    mu_after: float | None
    sigma_after: float | None


LINK = ("mu_before", "sigma_before", "mu_after", "sigma_after")
RATED = ("pk", "team_id", "submission_id", "place", *LINK)


def linked(system: System, seats: Sequence[RatedSeat], known: dict[int, Known | None]) -> list[RatedSeat]:
    """Return the seats of one match with their correct links. Updates `known`."""
    before = []
    for seat in seats:
        last = known.get(seat.team)
        if last is None:
            before.append(system.start)
        else:
            before.append(last.skill if last.version == seat.version else system.widened(last.skill))
    places = [seat.place or 1 for seat in seats]
    after = system.rate(before, places) if len(seats) > 1 else before
    for seat, skill in zip(seats, after, strict=True):
        known[seat.team] = Known(skill, seat.version)
    return [RatedSeat(*seat[:4], *old, *new) for seat, old, new in zip(seats, before, after, strict=True)]


def rated_seats(match: Match) -> list[RatedSeat]:
    """The seats of teams, in order."""
    return [
        RatedSeat(*(getattr(seat, name) for name in RATED)) for seat in match.seats.all() if seat.team_id is not None
    ]


STORED = "SELECT team_id, mu, sigma, submission_id, matches FROM tournaments_rating WHERE team_id IN ({marks})"


def add(matches: Sequence[Match]) -> None:
    """Add the links of matches of one contest just written as done, its last ones, in the order of their results. Call
    inside their transaction. The links are set in the loaded seats, and the caller writes those."""
    contest = matches[0].contest
    played = [rated_seats(match) for match in matches]
    teams = {seat.team for seats in played for seat in seats}
    known: dict[int, Known | None] = {}
    counts = dict.fromkeys(teams, 0)
    with connection.cursor() as cursor:  # plain SQL: this is part of every result
        cursor.execute(STORED.format(marks=", ".join(["%s"] * len(teams)) or "NULL"), [*teams])
        for team, mu, sigma, version, counts[team] in cursor.fetchall():
            known[team] = Known(Skill(mu, sigma), version)
    rules = system(contest.game)
    for match, seats in zip(matches, played, strict=True):
        links = {link.pk: link for link in linked(rules, seats, known)}
        for seat in match.seats.all():
            if seat.pk in links:
                for name, value in zip(LINK, links[seat.pk][4:], strict=True):
                    setattr(seat, name, value)
        for each in seats:
            counts[each.team] += 1
    _write_ratings(contest, known, counts)


# Recalculation --------------------------------------------------------------------------------------------------------


def recompute(contest: Contest, matches: Collection[Match]) -> int:
    """Recalculate the chain from the first of these matches, which became void or valid. Returns how many matches
    changed in this step; the tick does the rest (`catch_up`). Call inside a transaction that holds the contest."""
    teams = {seat.team_id for match in matches for seat in match.seats.all() if seat.team_id is not None}
    return recompute_from(contest, min(_number(match) for match in matches), teams)


def recompute_from(contest: Contest, first: int, teams: set[int]) -> int:
    """Recalculate the chain for these teams from this number on."""
    arrears = Arrears.objects.filter(contest=contest).first() or Arrears(contest=contest, number=first)
    _add_to(arrears, first, teams)
    return _step(arrears)


def start_over(contest: Contest) -> None:
    """Mark the whole chain for recalculation by `catch_up`. Call inside a transaction that holds the contest."""
    values = {"number": 0, "known": {}, "everybody": True}  # before the first number in a ledger
    Arrears.objects.update_or_create(contest=contest, defaults=values)


def catch_up(contest_id: int) -> int | None:
    """Do the next step of a pending recalculation in a transaction of its own. Returns how many matches changed; None
    if nothing is pending."""
    with transaction.atomic():
        contest = hold(contest_id)
        arrears = Arrears.objects.filter(contest=contest).first()
        if arrears is None:
            return None
        arrears.contest = contest
        changed = _step(arrears)
        contest.touch(hidden=contest.is_frozen())
        return changed


def imagined(contest: Contest, without: Sequence[Match], adding: Sequence[Match]) -> dict[int, Skill] | None:
    """Return all ratings if the matches `without` did not count and those `adding` did. Writes nothing. None: too many
    results came after them to compute this while somebody waits."""
    teams = {seat.team for match in (*without, *adding) for seat in rated_seats(match)}
    first = min(_number(match) for match in (*without, *adding))
    rows = Rating.objects.filter(contest=contest)
    skills = {row.team_id: Skill(row.mu, row.sigma) for row in rows}
    chain = _Chain(contest, first, _before(contest, first, teams))
    dropped = {match.resulted for match in without}
    added = [(_number(match), rated_seats(match)) for match in adding]
    for seen, (number, seats) in enumerate(merge(_played(_rated(contest), first), sorted(added))):
        if seen == STEP:
            return None
        if number not in dropped:
            chain.link(seats)
    now = {team: known.skill for team, known in chain.known.items() if known}
    return {team: skill for team, skill in skills.items() if team not in teams} | now


def skills_at(contest: Contest, until: int) -> dict[int, Skill]:
    """All ratings from the results before this ledger number."""
    return {team: known.skill for team, known in _before(contest, until, None).items() if known}


def before_voiding(
    contest: Contest, counted: MatchQuerySet, start: int, until: int
) -> tuple[dict[int, Skill], dict[int, RatedSeat]]:
    """Return all ratings at `until`, and the links by seat from `start` on, if these matches counted from `start` on.
    Everything before `start` is as stored. Writes nothing."""
    chain = _Chain(contest, start, _before(contest, start, None), everybody=True)
    counted = counted.filter(resulted__lt=until).exclude(stage__in=_unrated(contest))
    links = {seat.pk: seat for _, seats in _played(counted, start) for seat in chain.link(seats)}
    return {team: known.skill for team, known in chain.known.items() if known}, links


def skills_after(stage: Stage) -> dict[int, Skill]:
    """The rating of every team after its last match of a ladder.

    A team has one open match at a time, so its newest match was its last. This finds it quickly. It does not hold after
    reviews, whose matches are created later than others but may end before them.
    """
    mine = MatchSeat.objects.filter(team=OuterRef("pk"), match__stage=stage, mu_after__isnull=False)
    reviewed = stage.reviews.filter(state=Review.State.APPLIED).exists()
    newest_first = "-match__resulted" if reviewed else "-match"
    last = Subquery(mine.order_by(newest_first).values("pk")[:1])
    found = _after(Team.objects.filter(contest=stage.contest_id), last)
    return {team: known.skill for team, known in found.items() if known}


def _number(match: Match) -> int:
    assert match.resulted is not None, f"{match} has no result"
    return match.resulted


def _add_to(arrears: Arrears, number: int, teams: set[int]) -> None:
    """Add a change at this place, perhaps while an earlier one is still being processed."""
    here = arrears.number
    if here <= number:  # everything up to here is correct, for these teams too
        more = teams - _unpacked(arrears.known).keys()
        if more and not arrears.everybody:
            arrears.known |= _packed(_before(arrears.contest, here, more))
        return
    concerned = None if arrears.everybody else teams | _unpacked(arrears.known).keys()
    arrears.number = number
    arrears.known = _packed(_before(arrears.contest, number, concerned))


def _step(arrears: Arrears) -> int:
    """Compute a stretch of the chain. Saves the row, or deletes it at the end. Returns how many matches changed."""
    chain = _Chain(arrears.contest, arrears.number, _unpacked(arrears.known), everybody=arrears.everybody)
    changed = 0
    links: list[RatedSeat] = []
    for seen, (number, seats) in enumerate(_played(_rated(chain.contest), chain.start)):
        if seen == STEP:
            arrears.number, arrears.known = number, _packed(chain.known)
            arrears.save()
            break
        if (new := chain.link(seats)) != seats:
            changed += 1
            links += new
        if len(links) > PAGE:
            _write_links(links)
            links = []
    else:
        counts = _count_matches(chain.contest, None if arrears.everybody else chain.known.keys())
        _write_ratings(chain.contest, chain.known, counts)
        if arrears.pk is not None:
            arrears.delete()
    _write_links(links)
    return changed


class _Chain:
    """The chain from a point on, computed again match by match.

    `known` are the teams concerned by the change. The stored ratings of all others are correct. A team that meets a
    concerned one becomes concerned.
    """

    def __init__(
        self, contest: Contest, start: int, known: dict[int, Known | None], *, everybody: bool = False
    ) -> None:
        self.contest, self.start, self.known, self.everybody = contest, start, known, everybody
        self.system = system(contest.game)

    def link(self, seats: list[RatedSeat]) -> list[RatedSeat]:
        """The seats of a match with their correct links."""
        if not self.everybody:
            if self.known.keys().isdisjoint(seat.team for seat in seats):
                return seats
            for seat in seats:
                if seat.team not in self.known:
                    self.known[seat.team] = _stored(seat)
        return linked(self.system, seats, self.known)


def _stored(seat: RatedSeat) -> Known | None:
    if seat.mu_before is None or seat.sigma_before is None:
        return None
    return Known(Skill(seat.mu_before, seat.sigma_before), seat.version)  # includes widening by a new version


def _packed(known: dict[int, Known | None]) -> dict[str, list[float | int | None] | None]:
    """As JSON values, which keep every bit."""
    return {str(team): it and [*it.skill, it.version] for team, it in known.items()}


def _unpacked(packed: dict[str, Any]) -> dict[int, Known | None]:
    return {int(team): it and Known(Skill(it[0], it[1]), it[2]) for team, it in packed.items()}


# Reading --------------------------------------------------------------------------------------------------------------


def _rated(contest: Contest) -> MatchQuerySet:
    """All matches in the chain."""
    return Match.objects.done().filter(contest=contest).exclude(stage__in=_unrated(contest))


def _unrated(contest: Contest) -> list[int]:
    """Ids of stages whose results change no rating."""
    return [stage.pk for stage in contest.stages.all() if not stage.is_rated]


def _played(rated: MatchQuerySet, start: int) -> Iterator[tuple[int, list[RatedSeat]]]:
    """Yield each match's number and seats, from `start` on. Reads a page at a time."""
    while True:
        found = rated.filter(resulted__gte=start).order_by("resulted").values_list("resulted", "pk")[:PAGE]
        page = [(number, pk) for number, pk in found if number is not None]
        seats: dict[int, list[RatedSeat]] = {pk: [] for _, pk in page}
        these = rated.filter(resulted__range=(start, page[-1][0])).order_by() if page else rated.none()
        rows = MatchSeat.objects.filter(match__in=these.values("pk"), team__isnull=False).order_by("match", "index")
        for match, *values in rows.values_list("match_id", *RATED):
            seats[match].append(RatedSeat(*values))
        for number, pk in page:
            yield number, seats[pk]
        if len(page) < PAGE:
            return
        start = page[-1][0] + 1


def _before(contest: Contest, number: int, teams: Collection[int] | None) -> dict[int, Known | None]:
    """What was known of these teams (None: of all) before that result: their last links."""
    wanted = Team.objects.filter(contest=contest)
    found: dict[int, Known | None] = {}
    if teams is None:  # most teams have played recently, and searching each one's matches takes much longer
        latest = _rated(contest).filter(resulted__lt=number)
        found |= _latest(latest.order_by("-resulted")[:RECENT])
        wanted = wanted.exclude(pk__in=found)
    else:
        wanted = wanted.filter(pk__in=teams)
    mine = MatchSeat.objects.filter(match__resulted__lt=number, team=OuterRef("pk"), mu_after__isnull=False)
    valid = mine.filter(match__state=Match.State.DONE, match__pending=False)
    last = Subquery(valid.order_by("-match__resulted").values("pk")[:1])
    return found | _after(wanted, last)


def _latest(matches: MatchQuerySet) -> dict[int, Known | None]:
    """What was known of the teams after these matches."""
    seats = MatchSeat.objects.filter(match__in=matches.values("pk"), mu_after__isnull=False).order_by("match__resulted")
    rows = seats.values_list("team", "mu_after", "sigma_after", "submission")
    return {team: Known(Skill(mu, sigma), version) for team, mu, sigma, version in rows}  # type: ignore[arg-type]


def _after(teams: QuerySet[Team], last: Subquery) -> dict[int, Known | None]:
    """What was known of each team after the seat that the subquery names."""
    last_seats = dict(teams.order_by().annotate(last=last).values_list("pk", "last"))
    found_seats = MatchSeat.objects.filter(pk__in=[pk for pk in last_seats.values() if pk is not None])
    rows = found_seats.order_by().values_list("team", "mu_after", "sigma_after", "submission")
    found: dict[int, Known | None] = dict.fromkeys(last_seats)
    for team, mu, sigma, version in rows:
        if team is not None and mu is not None and sigma is not None:
            found[team] = Known(Skill(mu, sigma), version)
    return found


# Writing --------------------------------------------------------------------------------------------------------------


def _count_matches(contest: Contest, teams: Collection[int] | None) -> dict[int, int]:
    """Count the rated matches of each of these teams (None: all). The ratings of those without any are deleted."""
    played = MatchSeat.objects.filter(match__contest=contest, match__state=Match.State.DONE, match__pending=False)
    played = played.filter(team__isnull=False).exclude(match__stage__in=_unrated(contest))
    rows = Rating.objects.filter(contest=contest)
    if teams is not None:
        played, rows = played.filter(team__in=teams), rows.filter(team__in=teams)
    counts = dict(played.order_by().values_list("team").annotate(count=Count("pk")))
    rows.exclude(team__in=counts).delete()
    return counts


def _write_links(seats: Sequence[RatedSeat]) -> None:
    bulk.update(MatchSeat, LINK, [(seat.pk, *seat[4:]) for seat in seats])


def _write_ratings(contest: Contest, known: dict[int, Known | None], counts: dict[int, int]) -> None:
    rows = [
        (team, contest.pk, *it.skill, counts[team], it.version) for team, it in known.items() if it and team in counts
    ]
    bulk.put(Rating, ("team",), ("contest", "mu", "sigma", "matches", "submission"), rows)


# At an earlier entry of the ledger ------------------------------------------------------------------------------------


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
    skills, links = before_voiding(contest, played.not_void_by(n), first, until)
    # What was void has no links, also where it has been restored since.
    void = MatchSeat.objects.filter(match__in=played.void_by(n).values("pk"), team__isnull=False)
    unrated = {
        seat: RatedSeat(seat, team, version, place, None, None, None, None)
        for seat, team, version, place in void.values_list("pk", "team_id", "submission_id", "place")
        if team is not None
    }
    return RatingsThen(skills, links | unrated)
