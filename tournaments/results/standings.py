"""Standings: of a contest by rating, of a stage by its format. Always a constant number of queries.

Everything is computed for one reader (visibility.Sight). Totals come from tallies, so they cost the same after a
million results. If results are hidden from the reader, totals are added up from the visible ones, which takes longer.

Contests are ranked by the present Elo or OpenSkill rating, as in chess clubs. Teams with few matches come after the
others, by the lower bound of their rating (rating_systems.rating_order). So one lucky match does not lead the table,
and a team does not lose its rank just because it uploads a new version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import QuerySet, Sum

from contest.models import Team
from games.engine import Game
from tournaments.formats.confidence import FEWEST, mean_and_margin
from tournaments.formats.plan import Ranked, Status
from tournaments.formats.rating_systems import SETTLED, Skill, rating_order
from tournaments.models import MatchSeat, Rating, Stage, Tally
from tournaments.models.matches import MatchQuerySet
from tournaments.results import ratings, tallies
from tournaments.results.cache import Cache
from tournaments.results.tallies import OUTCOMES, PLACES
from tournaments.results.visibility import Sight


@dataclass(frozen=True, slots=True)
class Totals:
    """A team's totals in the matches that count."""

    matches: int = 0
    games: int = 0
    points: float = 0.0
    penalty: float = 0.0  # points for processor time; included in `average`
    places: tuple[int, ...] = ()  # how often first, second …
    faults: int = 0
    won: int = 0
    tied: int = 0  # shared first place
    lost: int = 0
    average: float | None = None  # points per game, the mean over units (tallies.py)
    margin: float | None = None  # ± of the average; None with too few units for one
    units: int = 0

    @property
    def average_place(self) -> float | None:
        counted = sum(self.places)
        return sum(place * count for place, count in enumerate(self.places, 1)) / counted if counted else None


class _Rated:
    """A line with a rating."""

    __slots__ = ()
    record: Totals
    sigma: float | None

    @property
    def margin(self) -> float | None:
        """± of the rating: two standard deviations. None after too few matches for an interval."""
        return None if self.sigma is None or self.record.matches < FEWEST else 2 * self.sigma


@dataclass(frozen=True, slots=True)
class Standing(_Rated):
    """A line of a contest's standings. Unrated teams have no rank and come last."""

    team: Team
    rank: int | None
    record: Totals
    mu: float | None = None
    sigma: float | None = None
    is_provisional: bool = False  # few matches: ranked after the others, by the lower bound of the rating


@dataclass(frozen=True, slots=True)
class StageRow(_Rated):
    """A line of a stage's ranking; with a rating if the stage is ranked by it."""

    team: Team
    ranked: Ranked
    record: Totals
    mu: float | None = None
    sigma: float | None = None
    is_provisional: bool = False


# Contests -------------------------------------------------------------------------------------------------------------


def of_contest(sight: Sight) -> list[Standing]:
    """Every team that takes part or has played, best first. Equal ratings share a rank. Teams that no longer take part
    come last, without a rank.
    """
    contest, game = sight.contest, sight.contest.game
    if not sight.misses_any:
        records = _recorded(Tally.objects.filter(stage__contest=contest), game)
    else:
        records = _kept(sight, "records", lambda: records_of(_seats(sight.done()), game))
    skills = skills_of(sight)
    everybody = Team.objects.filter(contest=contest).in_seed_order()
    teams = [team for team in everybody if team.is_competing or team.pk in records]
    ranks = _ranks((team for team in teams if team.is_competing), skills, records)
    rows = [
        Standing(team, ranks.get(team.pk), record, *_rating(skills.get(team.pk), record))
        for team in teams
        for record in (records.get(team.pk, Totals()),)
    ]
    # The sort is stable: equal teams stay in seed order.
    return sorted(rows, key=lambda row: (not row.team.is_competing, row.rank or len(rows) + 1))


def skills_of(sight: Sight) -> dict[int, Skill]:
    """The rating of every team that has one, as far as the reader may know."""
    contest = sight.contest
    if (until := sight.rated_until) is not None:
        return _kept(sight, "skills", lambda: sight.then.skills or ratings.skills_at(contest, until))
    rows = Rating.objects.filter(contest=contest).order_by().values_list("team", "mu", "sigma")
    return {team: Skill(mu, sigma) for team, mu, sigma in rows}


def _ranks(teams: Iterable[Team], skills: Mapping[int, Skill], records: Mapping[int, Totals]) -> dict[int, int]:
    """The ranks of rated teams."""
    return ranks(
        {team.pk: (skills[team.pk], records.get(team.pk, Totals()).matches) for team in teams if team.pk in skills}
    )


def ranks(rated: Mapping[int, tuple[Skill, int]]) -> dict[int, int]:
    """Ranks from each team's rating and number of matches. Equal ones share the better rank."""
    level = {team: rating_order(*known) for team, known in rated.items()}
    first: dict[tuple[bool, float], int] = {}
    for rank, value in enumerate(sorted(level.values(), reverse=True), start=1):
        first.setdefault(value, rank)
    return {team: first[value] for team, value in level.items()}


def _rating(skill: Skill | None, record: Totals) -> tuple[float | None, float | None, bool]:
    return (None, None, False) if skill is None else (*skill, record.matches < SETTLED)


# Stages ---------------------------------------------------------------------------------------------------------------


def records_in(stage: Stage, sight: Sight) -> dict[int, Totals]:
    """Each team's totals in a stage."""
    game = stage.contest.game
    if not sight.withholds(stage):
        return _recorded(Tally.objects.filter(stage=stage), game)
    return _kept(sight, f"records of {stage.pk}", lambda: records_of(_seats(sight.done(stage)), game))


def totals_of(team: Team, sight: Sight) -> Totals:
    """A team's totals in the whole contest."""
    if sight.misses_any:
        found = records_of(_seats(sight.done()).filter(team=team), sight.contest.game)
    else:  # few rows, which Django reads in less time than it takes to write an SQL sum of each column
        rows = Tally.objects.filter(team=team).values(*tallies.COUNTED)
        found = _added(((team.pk, row) for row in rows), sight.contest.game)
    return found.get(team.pk, Totals())


def by_rating(stage: Stage, sight: Sight) -> list[StageRow]:
    """A stage ranked by rating: the present ratings or, once it is finished, those after each team's last match there.
    Teams that no longer take part come last, without a rank. Empty before the stage has entrants.

    `stage` is one of the reader's stages.
    """
    if not stage.order:
        return []
    teams = {team.pk: team for team in Team.objects.filter(contest=stage.contest_id)}
    records = records_in(stage, sight)
    if (until := sight.rated_until) is not None:
        rated = sight.done(stage).filter(resulted__lt=until)
        there = _kept(sight, f"who is on {stage.pk}", lambda: dict.fromkeys(_teams(rated), True))
        skills = {team: skill for team, skill in skills_of(sight).items() if team in there}
    elif stage.has_ended:
        skills = ratings.skills_after(stage)
    else:
        skills = {team: skill for team, skill in skills_of(sight).items() if team in records}
    ranks = _ranks((team for team in teams.values() if team.is_competing), skills, records)
    rows = []
    for pk in stage.order:
        if pk not in teams:
            continue
        skill = skills.get(pk)
        ranked = Ranked(pk, ranks.get(pk), 1, None, skill.mu if skill else None, _status(teams[pk], stage))
        record = records.get(pk, Totals())
        rows.append(StageRow(teams[pk], ranked, record, *_rating(skill, record)))
    return sorted(rows, key=lambda row: (row.ranked.is_out, row.ranked.rank or len(rows) + 1))


def _status(team: Team, stage: Stage) -> Status:
    if not team.is_competing:
        return left_as(team.state)
    return Status.PLACED if stage.state == Stage.State.DONE else Status.DUE


# For readers with hidden results --------------------------------------------------------------------------------------

T = TypeVar("T")
CACHE: Cache[Any] = Cache(16)
"""Recent totals for the public of a contest, shared until something changes that it can see."""


def _kept(sight: Sight, name: str, read: Callable[[], dict[int, T]]) -> dict[int, T]:
    contest = sight.contest
    key = (contest.pk, contest.created_at, sight.revision, sight.rated_until, name)
    found: dict[int, T] = CACHE.get(key, read)
    return found


def _seats(matches: MatchQuerySet) -> QuerySet[MatchSeat]:
    return MatchSeat.objects.filter(match__in=matches.values("pk"))


def _teams(matches: MatchQuerySet) -> Iterable[int]:
    seats = _seats(matches).filter(team__isnull=False)
    return seats.order_by().values_list("team_id", flat=True).distinct()


# Totals ---------------------------------------------------------------------------------------------------------------


def records_of(seats: QuerySet[MatchSeat], game: Game) -> dict[int, Totals]:
    """Each team's totals in these seats, added up from the results."""
    return _added(((team, sums) for (_, team), sums in tallies.summed(seats, game).items()), game)


def _added(parts: Iterable[tuple[int, Mapping[str, float]]], game: Game) -> dict[int, Totals]:
    """Each team's totals, added up from its sums in several stages."""
    added: dict[int, dict[str, float]] = {}
    for team, sums in parts:
        known = added.setdefault(team, dict.fromkeys(sums, 0))
        for name, value in sums.items():
            known[name] += value
    return {team: _record(sums, game) for team, sums in added.items()}


def _recorded(rows: QuerySet[Tally], game: Game) -> dict[int, Totals]:
    sums = {f"{name}_": Sum(name) for name in tallies.COUNTED}
    found: Iterable[Mapping[str, Any]] = rows.order_by().values("team").annotate(**sums)
    return {row["team"]: _record({name: row[f"{name}_"] for name in tallies.COUNTED}, game) for row in found}


def _record(sums: Mapping[str, Any], game: Game) -> Totals:
    average, margin = mean_and_margin(sums["units"], sums["total"], sums["squares"])
    return Totals(
        sums["matches"],
        sums["games"],
        sums["points"],
        sums["penalty"],
        tuple(sums[name] for name in PLACES[: game.seats[1]]),
        sums["faults"],
        average=average,
        margin=margin,
        units=sums["units"],
        **{name: sums[name] for name in OUTCOMES},
    )


def left_as(state: str) -> Status:
    """The status of a team that no longer competes: the organisers disqualified it, or it withdrew."""
    put_out = (Team.State.DISQUALIFIED, Team.State.REFUSED)
    return Status.DISQUALIFIED_ORGANISERS if state in put_out else Status.WITHDREW
