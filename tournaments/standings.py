"""Who stands where: of a whole contest by rating, of one stage by its format. Always a constant number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.db.models import Count, F, FloatField, Q, QuerySet, Sum
from django.db.models.functions import Cast

from contest.models import Contest, Team
from tournaments import schedule
from tournaments.formats.plan import Ranked
from tournaments.models import Match, MatchSeat, Rating, Stage

CONFIDENCE = 1.96  # standard errors on either side: 95 % for many matches


@dataclass(frozen=True, slots=True)
class Record:
    """What a team has done in the matches that count."""

    matches: int = 0
    games: int = 0
    points: float = 0.0
    penalty: float = 0.0  # points for processor time; they count in `average`
    places: tuple[int, ...] = ()  # how often first, second …
    faults: int = 0
    average: float | None = None  # points per game, the mean over matches
    margin: float | None = None  # ± of the average; None with fewer than two matches

    @property
    def wins(self) -> int:
        return self.places[0] if self.places else 0

    @property
    def average_place(self) -> float | None:
        counted = sum(self.places)
        return sum(place * count for place, count in enumerate(self.places, 1)) / counted if counted else None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a contest's standings. Unrated teams have no rank and come last."""

    team: Team
    rank: int | None
    record: Record
    mu: float | None = None
    sigma: float | None = None

    @property
    def margin(self) -> float | None:
        """± of the rating: two standard deviations."""
        return None if self.sigma is None else 2 * self.sigma

    @property
    def sure(self) -> float:
        """The lower end of the rating: what the order goes by, so that one lucky match does not lead the table."""
        return float("-inf") if self.mu is None or self.sigma is None else self.mu - 2 * self.sigma


@dataclass(frozen=True, slots=True)
class StageRow:
    """A line of a stage's ranking."""

    team: Team
    ranked: Ranked
    record: Record


def of_contest(contest: Contest) -> list[Row]:
    """Every team that takes part or has played, best first; equal ratings share a rank."""
    records = records_of(MatchSeat.objects.filter(match__contest=contest), contest.game.seats[1])
    ratings = {rating.team_id: rating for rating in Rating.objects.filter(contest=contest)}
    involved = Q(state=Team.State.APPROVED) | Q(pk__in=list(records))
    teams = Team.objects.filter(involved, contest=contest).in_seed_order()
    rows = []
    for team in teams:
        rating = ratings.get(team.pk)
        skill = (rating.mu, rating.sigma) if rating else (None, None)
        rows.append(Row(team, None, records.get(team.pk, Record()), *skill))
    rows.sort(key=lambda row: -row.sure)  # stable: equal ones stay in the order of their seeds
    sure = [row.sure for row in rows]
    return [
        Row(row.team, sure.index(row.sure) + 1 if row.mu is not None else None, row.record, row.mu, row.sigma)
        for row in rows
    ]


def of_stage(stage: Stage) -> list[StageRow]:
    """Every entrant in the order of the stage's format. Empty before the stage has entrants."""
    if not stage.order:
        return []
    teams = Team.objects.in_bulk(stage.order)
    records = records_of(MatchSeat.objects.filter(match__stage=stage), stage.contest.game.seats[1])
    return [
        StageRow(teams[ranked.team], ranked, records.get(ranked.team, Record()))
        for ranked in schedule.plan_of(stage).ranking
        if ranked.team in teams
    ]


def records_of(seats: QuerySet[MatchSeat], places: int) -> dict[int, Record]:
    """What the teams did in these chairs, in one query. `places`: how many players a match has at most."""
    per_game = Cast(F("score") + F("penalty"), FloatField()) / F("match__games")
    won = Q() if places > 1 else Q(score__gt=0)  # who plays alone is first also with a wrong answer
    done = seats.filter(match__state=Match.State.DONE, team__isnull=False, match__games__gt=0).order_by()
    rows: Iterable[Mapping[str, Any]] = done.values("team").annotate(
        count=Count("pk"),
        games=Sum("match__games"),
        points=Sum("score"),
        fines=Sum("penalty"),
        faulty=Sum("faults"),
        total=Sum(per_game),
        squares=Sum(per_game * per_game),
        **{f"place{place}": Count("pk", filter=Q(place=place) & won) for place in range(1, places + 1)},
    )
    return {
        row["team"]: Record(
            row["count"],
            row["games"],
            row["points"] or 0.0,
            row["fines"] or 0.0,
            tuple(row[f"place{place}"] for place in range(1, places + 1)),
            row["faulty"] or 0,
            *mean_and_margin(row["count"], row["total"] or 0.0, row["squares"] or 0.0),
        )
        for row in rows
    }


def mean_and_margin(count: int, total: float, squares: float) -> tuple[float | None, float | None]:
    """The mean of `count` values from their sum and the sum of their squares, and the ± of it."""
    if not count:
        return None, None
    mean = total / count
    if count < 2:
        return mean, None
    variance = max(0.0, (squares - count * mean * mean) / (count - 1))
    return mean, CONFIDENCE * sqrt(variance / count)
