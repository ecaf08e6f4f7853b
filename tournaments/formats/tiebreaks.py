"""Points and tie-breaks for formats in which everybody plays every round.

Everything is computed from decided tables (`TablePlan`): their places, points and scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from tournaments.formats.plan import Out, Ranked, Result, Status, TablePlan, TeamId

BY_PLACE = (3.0, 2.0, 1.0, 0.0)
"""Points for the places at a table of four (docs/rulings.md, Intensity 6)."""


# Points from one table ------------------------------------------------------------------------------------------------


def place_points(result: Result) -> dict[TeamId, float]:
    """Points by place for each team, among all players including the house. Players who tie share the points equally.

    A team that the referee disqualified gets none.
    """
    level = [
        (player in result.disqualified, place) for player, place in zip(result.players, result.places, strict=True)
    ]
    points = {}
    for player, own in zip(result.players, level, strict=True):
        if player is not None:
            ahead, tied = sum(other < own for other in level), level.count(own)
            shared = sum(BY_PLACE[ahead : ahead + tied]) / tied
            points[player] = 0.0 if player in result.disqualified else shared
    return points


def duel_points(result: Result, win: float = 1.0, tie: float = 0.5) -> dict[TeamId, float]:
    """Points for each of two teams: `win` for the better one, or `tie` for both, whatever the house did."""
    if result.winner is not None:
        return {team: float(win) if team == result.winner else 0.0 for team in result.teams}
    return {team: 0.0 if team in result.disqualified else float(tie) for team in result.teams}


def unplayed(table: TablePlan, points: float) -> TablePlan:
    """A table without opponents: a bye, or the opponents have left."""
    count = len(table.teams)
    absent = next((seat.instead_of for seat in table.seats if seat.instead_of is not None), None)
    seats = tuple(
        replace(seat, status=Status.BYE, instead_of=absent) if seat.team is not None else seat for seat in table.seats
    )
    return replace(
        table, seats=seats, decided=True, places=table.teams, scores=(0.0,) * count, points=(points,) * count
    )


# The ranking ----------------------------------------------------------------------------------------------------------


class Scores:
    """The points of the tables decided so far, and the tie-breaks that follow from them.

    * Buchholz: the points of all opponents; an opponent met twice counts twice, a house player counts as nothing.
    * Sonneborn-Berger: the points of the opponents beaten, plus half the points of those tied with.
    * For both, a bye counts as a win against a team with as many points as the team with the bye.
    * Wins: tables won without sharing first place. A bye does not count.
    """

    def __init__(self, order: Sequence[TeamId], top: float) -> None:
        self.order = order
        self.top = top  # points for winning a table without sharing
        self.points = dict.fromkeys(order, 0.0)
        self.byes = dict.fromkeys(order, 0)
        self.wins = dict.fromkeys(order, 0)
        self.score = dict.fromkeys(order, 0.0)
        self.met: dict[TeamId, list[tuple[TeamId, float]]] = {team: [] for team in order}  # with the outcome, 1, ½, 0
        self.last: dict[TeamId, tuple[int, int | None, Status]] = {}  # round, place and status at the latest table
        self.credit = dict.fromkeys(order, 0)  # byes that were worth points

    def copy(self) -> Scores:
        made = copy(self)
        made.__dict__ |= {name: value.copy() for name, value in vars(self).items() if isinstance(value, dict)}
        made.met = {team: met.copy() for team, met in self.met.items()}
        return made

    def add(self, table: TablePlan) -> None:
        """Add a table, decided or not, of the current round."""
        for team in table.teams:
            self.last[team] = (table.round, None, Status.DUE)
        if not table.decided:
            return
        found = dict(zip(table.places, table.points, strict=True))
        for at, (team, points) in enumerate(found.items()):
            self.points[team] += points
            self.score[team] += table.scores[at]
            seat = table.seat_of(team)
            self.last[team] = (table.round, seat.place, seat.status)
            if not table.matches:
                self.byes[team] += 1
                self.credit[team] += points > 0
                continue
            self.wins[team] += points == self.top
            for other, theirs in found.items():
                if other != team:
                    self.met[team].append((other, _outcome(points, theirs)))

    def buchholz(self, team: TeamId) -> float:
        own = self.credit[team] * self.points[team]
        return own + sum([self.points[other] for other, _ in self.met[team]])

    def sonneborn_berger(self, team: TeamId) -> float:
        own = self.credit[team] * self.points[team]
        return own + sum([outcome * self.points[other] for other, outcome in self.met[team]])

    def values(self, team: TeamId, names: Sequence[str]) -> tuple[float, ...]:
        known = {
            "Points": lambda: self.points[team],
            "Buchholz": lambda: self.buchholz(team),
            "Sonneborn-Berger": lambda: self.sonneborn_berger(team),
            "Wins": lambda: float(self.wins[team]),
        }
        return tuple(known[name]() for name in names)

    def ranking(self, columns: Sequence[str], out: Out, done: bool) -> tuple[Ranked, ...]:
        """Rank everybody by the columns and then by game points. Teams level in all of these share a rank.

        Teams that are out come last, without a rank.
        """

        def entry(team: TeamId) -> Ranked:
            round, place, status = self.last.get(team, (0, None, Status.DUE))
            now = out.get(team, status if done else Status.DUE)
            return Ranked(team, None, round, place, self.score[team], now, self.values(team, columns))

        def level(ranked: Ranked) -> tuple[object, ...]:
            if ranked.team in out:
                return (True,)
            return (False, *(-value for value in ranked.values), -(ranked.score or 0.0))

        entries = sorted(map(entry, self.order), key=level)  # stable: level teams stay in seed order
        levels: dict[tuple[object, ...], int] = {}
        return tuple(
            ranked if ranked.team in out else replace(ranked, rank=levels.setdefault(level(ranked), number))
            for number, ranked in enumerate(entries, 1)
        )


def _outcome(points: float, theirs: float) -> float:
    """1 for beating the other, ½ for a tie, 0 if neither has any points."""
    if points == theirs:
        return 0.5 if points else 0.0
    return float(points > theirs)
