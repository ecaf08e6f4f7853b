"""Two teams against each other: the balance of the matches that both played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from contest.models import Team
from tournaments.formats.confidence import mean_and_margin
from tournaments.models import Match, MatchSeat


@dataclass(frozen=True, slots=True)
class Balance:
    """One team against another in the matches that both played. The better place wins; house players are ignored."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    games: int = 0
    points: float = 0.0
    others: float = 0.0  # points of the other
    average: float | None = None  # points per game more than the other (fewer, if lower is better)
    margin: float | None = None  # its ±; None with fewer units than an interval needs

    @property
    def tied(self) -> int:
        return self.matches - self.won - self.lost

    @property
    def behind(self) -> float:
        return -(self.average or 0.0)

    @property
    def verdict(self) -> str:
        """What the error bar means, in words."""
        if self.average is None or self.margin is None:
            return ""
        if abs(self.average) <= self.margin:
            return "The difference could be luck."
        return "The difference is larger than luck would explain."

    # Parts of a bar that is 100 wide.

    @property
    def won_part(self) -> float:
        return round(100 * self.won / self.matches, 1)

    @property
    def tied_part(self) -> float:
        return round(100 * self.tied / self.matches, 1)

    @property
    def lost_from(self) -> float:
        return round(self.won_part + self.tied_part, 1)

    @property
    def lost_part(self) -> float:
        return round(100 * self.lost / self.matches, 1)


def met(matches: QuerySet[Match], team: Team, other: Team) -> QuerySet[Any]:
    """The ids of the matches in which both play."""
    of_team = MatchSeat.objects.filter(team=team).values("match")
    of_other = MatchSeat.objects.filter(team=other).values("match")
    return matches.filter(pk__in=of_team).filter(pk__in=of_other).values("pk")


def balance(matches: QuerySet[Match], team: Team, other: Team) -> Balance:
    """The balance in finished matches. One query. Matches on the same deals, which share a seed at their table, are one
    unit of the error bar."""
    done = matches.order_by().values("pk")
    seats: Iterable[MatchSeat] = (
        MatchSeat.objects.filter(match__in=done, team__in=[team, other])
        .select_related("match")
        .only("team_id", "place", "disqualified", "score", "penalty", "match__table_id", "match__seed", "match__games")
    )
    by_match: dict[int, dict[int, MatchSeat]] = {}
    for seat in seats:
        by_match.setdefault(seat.match_id, {})[seat.team_id or 0] = seat
    sign = -1 if team.contest.game.low_wins else 1
    units: dict[tuple[int, int], tuple[float, int]] = {}
    won = lost = games = 0
    points = others = 0.0
    for pair in by_match.values():
        one, two = pair[team.pk], pair[other.pk]
        won += not one.disqualified and (one.place or 0) < (two.place or 0)
        lost += one.disqualified or (one.place or 0) > (two.place or 0)
        points, others, games = points + one.counted, others + two.counted, games + one.match.games
        unit = one.match.table_id, one.match.seed
        ahead, of = units.get(unit, (0.0, 0))
        units[unit] = ahead + sign * (one.counted - two.counted), of + one.match.games
    values = [ahead / of for ahead, of in units.values() if of]
    average, margin = mean_and_margin(len(values), sum(values), sum(value * value for value in values))
    return Balance(len(by_match), won, lost, games, points, others, average, margin)


def opponents(matches: QuerySet[Match], team: Team, most: int = 12) -> list[tuple[int, str, int]]:
    """The teams that it met most often in these matches of its own: id, name, number of matches. One query."""
    from_there = MatchSeat.objects.filter(match__in=matches.values("pk"), team__isnull=False)
    counts = Counter(from_there.exclude(team=team.pk).order_by().values_list("team", "team__name").iterator())
    return sorted(((*other, count) for other, count in counts.items()), key=lambda it: (-it[2], it[0]))[:most]
