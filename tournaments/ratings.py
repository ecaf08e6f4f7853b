"""Ratings among the teams of a match, in the order in which results came in.

A team's rating is the end of a chain: a pure function of the contest's valid results in the order of (finished_at,
id). The transaction that writes a result adds one link; when matches become void or valid, the chain is computed again
from there on; `manage.py rerate` computes all of it. All three give the same numbers to the last bit. House players are
not rated, a match with fewer than two teams moves nothing, and neither do judged runs and matches of a review.

Games of two have Elo (`elo`), others OpenSkill (Plackett-Luce). Both know how sure they are: mean and standard
deviation. A team that comes with another program than the one it played last keeps its rating and is less sure of it
(`System.widened`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import hypot, log, pi, sqrt
from typing import NamedTuple

from django.db import connection
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from openskill.models import PlackettLuce

from contest.models import Contest, Team
from games.engine import Game
from tournaments.models import Match, MatchSeat, Rating, Stage
from tournaments.models.matches import MatchQuerySet

MODEL = PlackettLuce()


class Skill(NamedTuple):
    """What is believed of a team: mean and standard deviation."""

    mu: float
    sigma: float


# The two systems ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class System:
    """How ratings follow from places. `rate`: everybody's skill after a match of at least two, from the skills before
    it and the places (1 is best, equal places tie). Pure."""

    title: str
    start: Skill
    rate: Callable[[Sequence[Skill], Sequence[int]], list[Skill]]

    def widened(self, skill: Skill) -> Skill:
        """Of a team that comes with another program. However sure it was, it does not become provisional by that."""
        most = max(skill.sigma, self.start.sigma / 2)
        return Skill(skill.mu, min(hypot(skill.sigma, self.start.sigma / 3), most))

    def is_provisional(self, skill: Skill) -> bool:
        """Is it still so unsure that it says little? So after the first few matches of a team."""
        return skill.sigma > self.start.sigma / 2

    def standing(self, skill: Skill) -> tuple[bool, float]:
        """What the order of standings goes by, more is better: the rating; those that are provisional come after the
        others, by their lower end, so that one lucky match does not lead the table."""
        if self.is_provisional(skill):
            return False, skill.mu - 2 * skill.sigma
        return True, skill.mu


def openskill(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Plackett-Luce as the openskill package has it."""
    before = [[MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    after = MODEL.rate(before, ranks=[float(place) for place in places])
    return [Skill(rating.mu, rating.sigma) for (rating,) in after]


SCALE = 400.0  # points of difference at which the better one is expected to win ten of eleven
SUREST = 30.0  # no deviation becomes smaller: bots change, and so does the company
_Q = log(10) / SCALE


def elo(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Elo for two, with a deviation and with steps that follow it: Mark Glickman, "The Glicko system" (1995), formulas
    1 and 2, every match a rating period of its own.

    E = 1 / (1 + 10^(-g(s')·(r - r') / 400)) is the share expected against the other, whose own uncertainty s' makes the
    result tell less: g(s) = 1 / sqrt(1 + 3·q²·s²/π²), q = ln 10 / 400. With d² = 1 / (q²·g²·E·(1-E)) and a score S of
    1, ½ or 0, the rating becomes r + q / (1/s² + 1/d²) · g · (S - E), the deviation sqrt(1 / (1/s² + 1/d²)), but never
    less than 30. A deviation of 75 gives about the step of 32 that chess clubs know.
    """
    one, other = skills
    score = 0.5 if places[0] == places[1] else float(places[0] < places[1])
    return [_moved(one, other, score), _moved(other, one, 1.0 - score)]


def _moved(mine: Skill, other: Skill, score: float) -> Skill:
    g = 1 / sqrt(1 + 3 * (_Q * other.sigma / pi) ** 2)
    expected = 1 / (1 + 10 ** (g * (other.mu - mine.mu) / SCALE))
    told = (_Q * g) ** 2 * expected * (1 - expected)
    variance = 1 / (1 / mine.sigma**2 + told)
    return Skill(mine.mu + _Q * variance * g * (score - expected), max(SUREST, sqrt(variance)))


OPENSKILL = System("OpenSkill", Skill(MODEL.mu, MODEL.sigma), openskill)
ELO = System("Elo", Skill(1500.0, 350.0), elo)


def system(game: Game) -> System:
    """That of all contests in this game."""
    return ELO if game.seats[1] == 2 else OPENSKILL


# One link of the chain ------------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """A team as the last match left it: its skill, and the version with which it played there (None: through its
    connection)."""

    skill: Skill
    version: int | None


class Chair(NamedTuple):
    """A team in a match that was played, with the link that was written for it; the fields of `CHAIR`."""

    seat: int
    team: int
    version: int | None
    place: int | None
    mu_before: float | None
    sigma_before: float | None
    mu_after: float | None
    sigma_after: float | None


LINK = ("mu_before", "sigma_before", "mu_after", "sigma_after")
CHAIR = ("pk", "team_id", "submission_id", "place", *LINK)


def linked(system: System, chairs: Sequence[Chair], known: dict[int, Known]) -> list[Chair]:
    """The chairs of one match with their links as they should be; what is known of the teams moves on."""
    before = []
    for chair in chairs:
        last = known.get(chair.team)
        if last is None:
            before.append(system.start)
        else:
            before.append(last.skill if last.version == chair.version else system.widened(last.skill))
    places = [chair.place or 1 for chair in chairs]
    after = system.rate(before, places) if len(chairs) > 1 else before
    for chair, skill in zip(chairs, after, strict=True):
        known[chair.team] = Known(skill, chair.version)
    return [Chair(*chair[:4], *old, *new) for chair, old, new in zip(chairs, before, after, strict=True)]


def chairs_of(match: Match) -> list[Chair]:
    """Those in which teams sit, in the order of the chairs."""
    return [Chair(*(getattr(seat, name) for name in CHAIR)) for seat in match.seats.all() if seat.team_id is not None]


def add(match: Match) -> None:
    """Add the link of a match that was just written as done, the last of its contest. Inside its transaction."""
    chairs = chairs_of(match)
    rows = {row.team_id: row for row in Rating.objects.filter(team__in=[chair.team for chair in chairs])}
    known = {team: Known(Skill(row.mu, row.sigma), row.submission_id) for team, row in rows.items()}
    _write_links(linked(system(match.contest.game), chairs, known))
    counts = {chair.team: rows[chair.team].matches + 1 if chair.team in rows else 1 for chair in chairs}
    _write_ratings(match.contest, known, counts)


# The chain again ------------------------------------------------------------------------------------------------------

PAGE = 2000  # matches that are read, and chairs that are written, at once
Moment = tuple[datetime, int]
"""A place in the order of results: when a match ended, and its id."""


def recompute(contest: Contest, since: Match | None = None, teams: Collection[int] | None = None) -> int:
    """Compute the chain again, from `since` on or from the start. Returns how many matches changed.

    `teams`: those of all the matches that became void or valid, of which `since` is the first; then only matches are
    computed that have to do with these teams, directly or through others, and written where they differ. Inside a
    transaction that holds the contest's lock.
    """
    chain = _Chain(contest, _moment(since) if since else None, teams)
    changed = 0
    links: list[Chair] = []
    for old, new in chain.links():
        if new != old:
            changed += 1
            links += new
        if len(links) > PAGE:
            _write_links(links)
            links = []
    _write_links(links)
    counts = _counts(contest, chain.touched)
    gone = Rating.objects.filter(contest=contest).exclude(team__in=counts)
    (gone if chain.touched is None else gone.filter(team__in=chain.touched)).delete()
    _write_ratings(contest, chain.known, counts)
    return changed


def imagined(contest: Contest, without: Sequence[Match], adding: Sequence[Match]) -> dict[int, Skill]:
    """What everybody's rating would be if these matches did not count and those did. Writes nothing."""
    skills = {row.team_id: Skill(row.mu, row.sigma) for row in Rating.objects.filter(contest=contest)}
    moments = [_moment(match) for match in (*without, *adding)]
    teams = {chair.team for match in (*without, *adding) for chair in chairs_of(match)}
    chain = _Chain(contest, min(moments), teams, {match.pk for match in without}, adding)
    for _ in chain.links():
        pass
    return {team: skill for team, skill in skills.items() if team not in teams} | {
        team: known.skill for team, known in chain.known.items()
    }


def skills_at(contest: Contest, until: datetime, stage: Stage | None = None) -> dict[int, Skill]:
    """Everybody's rating by the results before a moment; with a stage, of those who had a result there."""
    skills = {team: known.skill for team, known in _before(contest, (until, 0), None).items()}
    if stage is None:
        return skills
    played = MatchSeat.objects.filter(match__in=Match.objects.done().filter(stage=stage, finished_at__lt=until))
    teams = set(played.order_by().values_list("team", flat=True).distinct())
    return {team: skill for team, skill in skills.items() if team in teams}


def skills_after(stage: Stage) -> dict[int, Skill]:
    """The rating of every team after its last match of a continuous stage."""
    mine = MatchSeat.objects.filter(team=OuterRef("pk"), match__stage=stage, mu_after__isnull=False)
    last = Subquery(mine.order_by("-match").values("pk")[:1])
    return {team: known.skill for team, known in _links(Team.objects.filter(contest=stage.contest_id), last).items()}


def _moment(match: Match) -> Moment:
    assert match.finished_at is not None, f"{match} has no result"
    return match.finished_at, match.pk


class _Chain:
    """The chain from a moment on, computed again match by match.

    Untouched teams stand in the database as they should; who meets a touched one is touched from then on.
    """

    def __init__(
        self,
        contest: Contest,
        start: Moment | None,
        teams: Collection[int] | None,
        without: Collection[int] = (),
        adding: Sequence[Match] = (),
    ) -> None:
        self.contest = contest
        self.system = system(contest.game)
        self.start = start
        self.touched = None if start is None or teams is None else set(teams)  # None: everybody
        self.known = {} if start is None else _before(contest, start, teams)
        self.without = frozenset(without)
        self.adding = sorted((_moment(match), chairs_of(match)) for match in adding)

    def links(self) -> Iterator[tuple[list[Chair], list[Chair]]]:
        """The chairs of every match that is to be computed, as they are and as they should be."""
        for moment, chairs in _played(self.contest, self.start):
            while self.adding and self.adding[0][0] < moment:
                yield from self.link(self.adding.pop(0)[1])
            if moment[1] not in self.without:
                yield from self.link(chairs)
        while self.adding:
            yield from self.link(self.adding.pop(0)[1])

    def link(self, chairs: list[Chair]) -> Iterator[tuple[list[Chair], list[Chair]]]:
        if self.touched is not None:
            if self.touched.isdisjoint(chair.team for chair in chairs):
                return
            for chair in chairs:
                if chair.team not in self.touched:
                    self.touched.add(chair.team)
                    if chair.mu_before is not None and chair.sigma_before is not None:
                        self.known[chair.team] = Known(Skill(chair.mu_before, chair.sigma_before), chair.version)
        yield chairs, linked(self.system, chairs, self.known)


def _rated(contest: Contest) -> MatchQuerySet:
    """All matches of the chain."""
    runs = [stage.pk for stage in contest.stages.all() if stage.played_in.runs]
    done = Match.objects.done().filter(contest=contest)
    return done.exclude(stage__in=runs) if runs else done


def _played(contest: Contest, start: Moment | None) -> Iterator[tuple[Moment, list[Chair]]]:
    """The chairs of all matches of the chain from a moment on, match by match; a page at once is read."""
    rated = _rated(contest).in_order_of_results()
    page = rated if start is None else rated.filter(finished_at__gte=start[0])
    page = page if start is None else page.exclude(finished_at=start[0], pk__lt=start[1])
    while moments := [(at, pk) for at, pk in page.values_list("finished_at", "pk")[:PAGE] if at]:
        chairs: dict[int, list[Chair]] = {pk: [] for _, pk in moments}
        seats = MatchSeat.objects.filter(match__in=chairs, team__isnull=False).order_by("match", "index")
        for match, *values in seats.values_list("match_id", *CHAIR):
            chairs[match].append(Chair(*values))
        for moment in moments:
            yield moment, chairs[moment[1]]
        at, pk = moments[-1]
        page = rated.filter(finished_at__gte=at).exclude(finished_at=at, pk__lte=pk)


def _before(contest: Contest, moment: Moment, teams: Collection[int] | None) -> dict[int, Known]:
    """What was known of the teams before a moment, of all when none are named: their last links."""
    at, pk = moment
    earlier = Q(match__finished_at__lt=at) | Q(match__finished_at=at, match__lt=pk)
    linked = MatchSeat.objects.filter(earlier, team=OuterRef("pk"), mu_after__isnull=False)
    valid = linked.filter(match__state=Match.State.DONE, match__pending=False)
    last = Subquery(valid.order_by("-match__finished_at", "-match").values("pk")[:1])
    found = Team.objects.filter(contest=contest)
    return _links(found if teams is None else found.filter(pk__in=teams), last)


def _links(teams: QuerySet[Team], last: Subquery) -> dict[int, Known]:
    """What was known of these teams after the chair that the subquery names."""
    found = teams.order_by().annotate(last=last).values_list("last", flat=True)
    seats = MatchSeat.objects.filter(pk__in=[seat for seat in found if seat is not None])
    rows = seats.order_by().values_list("team", "mu_after", "sigma_after", "submission")
    return {
        team: Known(Skill(mu, sigma), version)
        for team, mu, sigma, version in rows
        if team is not None and mu is not None and sigma is not None
    }


def _counts(contest: Contest, teams: Collection[int] | None) -> dict[int, int]:
    """How many matches of the chain teams have played; who has played none is not named."""
    played = MatchSeat.objects.filter(match__in=_rated(contest), team__isnull=False)
    if teams is not None:
        played = played.filter(team__in=teams)
    return dict(played.order_by().values_list("team").annotate(count=Count("pk")))


# Writing --------------------------------------------------------------------------------------------------------------

ROWS = 500  # of one UPDATE


def _write_links(chairs: Sequence[Chair]) -> None:
    """In plain SQL that SQLite and PostgreSQL both speak: after a million results there may be two million of them, and
    one CASE a field and a row, as bulk_update has it, takes minutes for that."""
    with connection.cursor() as cursor:
        for first in range(0, len(chairs), ROWS):
            batch = chairs[first : first + ROWS]
            values = ", ".join(["(%s, %s, %s, %s, %s)"] * len(batch))
            cursor.execute(
                f"UPDATE {MatchSeat._meta.db_table} SET mu_before = new.column2, sigma_before = new.column3,"
                f" mu_after = new.column4, sigma_after = new.column5 FROM (VALUES {values}) AS new"
                f" WHERE {MatchSeat._meta.db_table}.id = new.column1",
                [value for chair in batch for value in (chair.seat, *chair[4:])],
            )


def _write_ratings(contest: Contest, known: dict[int, Known], counts: dict[int, int]) -> None:
    rows = [
        Rating(contest=contest, team_id=team, mu=it.skill.mu, sigma=it.skill.sigma, matches=counts[team],
               submission_id=it.version)
        for team, it in known.items()
        if team in counts
    ]  # fmt: skip
    written = ["mu", "sigma", "matches", "submission"]
    Rating.objects.bulk_create(rows, update_conflicts=True, unique_fields=["team"], update_fields=written)
