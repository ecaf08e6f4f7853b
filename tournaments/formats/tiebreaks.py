"""Points of formats in which everybody plays every round: what a table gives, and what the order goes by.

Everything is computed from decided tables (`TablePlan`): their places, points and scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from tournaments.formats.plan import Ranked, Result, TablePlan, TeamId
from tournaments.formats.table_matches import Meeting, winner

BY_PLACE = (3.0, 2.0, 1.0, 0.0)
"""The first of four gets 3 points, the second 2, the third 1 (docs/rulings.md, Intensity 6)."""


# What a table gives ---------------------------------------------------------------------------------------------------


def place_points(result: Result, scale: Sequence[float] = BY_PLACE) -> dict[TeamId, float]:
    """By team: points by place among all players, the house's included; who ties shares those of the places equally.

    Whom the referee disqualified gets none.
    """
    level = [
        (player in result.disqualified, place) for player, place in zip(result.players, result.places, strict=True)
    ]
    points = {}
    for player, own in zip(result.players, level, strict=True):
        if player is not None:
            ahead, tied = sum(other < own for other in level), level.count(own)
            shared = sum(scale[ahead : ahead + tied]) / tied
            points[player] = 0.0 if player in result.disqualified else shared
    return points


def duel_points(result: Result, win: float = 1.0, tie: float = 0.5) -> dict[TeamId, float]:
    """By team: what the better of two gets, or both where they are level, whatever the house did."""
    first = winner(result)
    if first is not None:
        return {team: float(win) if team == first else 0.0 for team in result.teams}
    return {team: 0.0 if team in result.disqualified else float(tie) for team in result.teams}


def judged(table: TablePlan, meeting: Meeting, points: Mapping[TeamId, float]) -> TablePlan:
    """The table as it was decided by the meeting's result."""
    result = meeting.result
    assert result is not None
    places = sorted(table.teams, key=lambda team: (team in result.disqualified, result.place(team)))
    return replace(
        table,
        matches=meeting.matches,
        decided=True,
        places=tuple(places),
        scores=tuple(result.score(team) for team in places),
        points=tuple(points[team] for team in places),
    )


def unplayed(table: TablePlan, points: float) -> TablePlan:
    """A table at which there is nobody to play against: a bye, or those who were to come are out."""
    count = len(table.teams)
    return replace(table, decided=True, places=table.teams, scores=(0.0,) * count, points=(points,) * count)


# What the order goes by -----------------------------------------------------------------------------------------------


class Scores:
    """The points of the tables decided so far, and what follows from them.

    * Buchholz: the points of all opponents, one met twice counted twice, the house's players as nothing.
    * Sonneborn-Berger: the points of those one has beaten and half of the points of those one has tied with.
    * A bye counts in both as a win against a team that has as many points as oneself.
    * Wins: tables won alone. A bye is none.
    """

    def __init__(self, order: Sequence[TeamId], top: float) -> None:
        self.order = order
        self.top = top  # points of who wins a table alone
        self.points = dict.fromkeys(order, 0.0)
        self.byes = dict.fromkeys(order, 0)
        self.wins = dict.fromkeys(order, 0)
        self.score = dict.fromkeys(order, 0.0)
        self.met: dict[TeamId, list[tuple[TeamId, float]]] = {team: [] for team in order}  # with the outcome, 1, ½, 0
        self.last: dict[TeamId, tuple[int, int | None]] = {}  # round and place at the latest table
        self.credit = dict.fromkeys(order, 0)  # byes that were worth something

    def add(self, table: TablePlan) -> None:
        """A table, decided or not, of the latest round so far."""
        for team in table.teams:
            self.last[team] = (table.round, None)
        if not table.decided:
            return
        found = dict(zip(table.places, table.points, strict=True))
        for at, (team, points) in enumerate(found.items()):
            self.points[team] += points
            self.score[team] += table.scores[at]
            self.last[team] = (table.round, at + 1)
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
        return own + sum(self.points[other] for other, _ in self.met[team])

    def sonneborn_berger(self, team: TeamId) -> float:
        own = self.credit[team] * self.points[team]
        return own + sum(outcome * self.points[other] for other, outcome in self.met[team])

    def values(self, team: TeamId, names: Sequence[str]) -> tuple[float, ...]:
        known = {
            "Points": lambda: self.points[team],
            "Buchholz": lambda: self.buchholz(team),
            "Sonneborn-Berger": lambda: self.sonneborn_berger(team),
            "Wins": lambda: float(self.wins[team]),
        }
        return tuple(known[name]() for name in names)

    def ranking(self, columns: Sequence[str], out: Set[TeamId]) -> tuple[Ranked, ...]:
        """Everybody by the columns and then by the points of the games; who is level in all shares a rank, in the order
        of the seeds. Who is out comes last."""

        def entry(team: TeamId) -> Ranked:
            round, place = self.last.get(team, (0, None))
            values = self.values(team, columns)
            return Ranked(team, None, round, place, self.score[team], team in out, values)

        def level(ranked: Ranked) -> tuple[object, ...]:
            if ranked.is_out:
                return (True,)
            return (False, *(-value for value in ranked.values), -(ranked.score or 0.0))

        entries = sorted(map(entry, self.order), key=level)  # stable: level ones stay in the order of the seeds
        levels: dict[tuple[object, ...], int] = {}
        return tuple(
            replace(ranked, rank=levels.setdefault(level(ranked), number)) for number, ranked in enumerate(entries, 1)
        )


def _outcome(points: float, theirs: float) -> float:
    """1 for a win over the other, ½ for a tie, nothing where both have got nothing."""
    if points == theirs:
        return 0.5 if points else 0.0
    return float(points > theirs)
