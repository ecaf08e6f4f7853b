"""A stage played without a database: what `ByPlan.settle` does with a format, in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import games
from tournaments.formats.plan import Format, Plan, Result, Status, TableKey, TablePlan, TeamId, WantedMatch

Judge = Callable[[WantedMatch], Result]


def ids(count: int) -> list[TeamId]:
    """Team ids that are neither sorted nor dense, so that no code can mistake an id for a seed number."""
    return [1000 + 7 * ((number * 37) % 211) for number in range(count)]


def gone(*teams: TeamId) -> dict[TeamId, Status]:
    """Teams that the organisers disqualified."""
    return dict.fromkeys(teams, Status.DISQUALIFIED_ORGANISERS)


class Playing:
    """A stage with its results so far. Rounds with a played match stay as drawn."""

    def __init__(self, format: Format, count: int, game: str = "tricky_eights", seed: int = 5, **options: Any) -> None:
        self.format = format
        self.order = ids(count)
        self.options = {**format.options(options, games.get(game)), "seed": seed}
        self.seats: int = self.options["seats"]
        self.results: dict[TableKey, dict[int, Result]] = {}
        self.out: set[TeamId] = set()
        self.playing: dict[TableKey, frozenset[TeamId]] = {}
        self._tables: dict[TableKey, TablePlan] = {}  # from the last plan

    def drawn(self) -> dict[TableKey, tuple[TeamId, ...]]:
        """Like planned._drawn: in the last round that has begun, include teams that have left their seats since."""
        places = [place for place, matches in self.results.items() if matches]
        begun = max((round for round, _ in [*places, *self.playing]), default=0)
        return {
            place: tuple(self.order[seat.feed[1] - 1] for seat in table.seats if seat.feed[0] == "seed")
            if place[0] == begun
            else table.teams
            for place, table in self._tables.items()
            if place[0] <= begun
        }

    def plan(self) -> Plan:
        """Like `ByPlan.settle`: results of matches that are no longer wanted are dropped."""
        while True:
            terms = {**self.options, "playing": self.playing}
            if self.format.draws_by_rounds():
                terms["drawn"] = self.drawn()
            plan = self.format.plan(self.order, self.results, terms, gone(*self.out))
            wanted = {(table.key, match.number): set(match.teams) for table in plan.tables() for match in table.matches}
            stale = [
                (place, number)
                for place, matches in self.results.items()
                for number, result in matches.items()
                if wanted.get((place, number)) != result.teams
            ]
            if not stale:
                self._tables = {table.key: table for table in plan.tables()}
                return plan
            for place, number in stale:
                del self.results[place][number]

    def due(self, plan: Plan | None = None) -> list[tuple[TablePlan, WantedMatch]]:
        tables = (plan or self.plan()).tables()
        return [
            (table, match)
            for table in tables
            for match in table.matches
            if match.number not in self.results.get(table.key, {})
        ]

    def play(self, due: Iterable[tuple[TablePlan, WantedMatch]], judge: Judge) -> None:
        for table, match in due:
            self.results.setdefault(table.key, {})[match.number] = judge(match)

    def play_all(self, judge: Judge, rounds: int = 10_000) -> Plan:
        """Play everything that is due, until nothing is."""
        for _ in range(rounds):
            plan = self.plan()
            if plan.done:
                return plan
            due = self.due(plan)
            assert due, "nothing is done and nothing is due: somebody would have to help"
            self.play(due, judge)
        return self.plan()

    def by_chance(self, seed: int, ties: bool = True, faults: bool = False) -> Judge:
        """Random places, including house players, with an occasional disqualification."""
        random = Random(seed)

        def judge(match: WantedMatch) -> Result:
            scores = [random.randint(0, 4 if ties else 10**9) for _ in range(self.players(match))]
            out = {team for team in match.teams if faults and random.random() < 0.1}
            return self.result(match, scores, out)

        return judge

    def by_seed(self, match: WantedMatch) -> Result:
        """The stronger seed always wins, and the house loses."""
        house = self.players(match) - len(match.teams)
        return self.result(match, [-self.order.index(team) for team in match.teams] + [-1000] * house)

    def players(self, match: WantedMatch) -> int:
        return max(match.seats, self.seats)

    def result(self, match: WantedMatch, scores: list[float], out: Iterable[TeamId] = ()) -> Result:
        """Places follow from the scores of the teams and then of the house; players sit as the match wants."""
        faulty = frozenset(out)
        players: list[TeamId | None] = [*match.teams, *[None] * (self.players(match) - len(match.teams))]
        places = [
            len(players) if player in faulty else 1 + sum(other > score for other in scores)
            for player, score in zip(players, scores, strict=True)
        ]
        by = (match.rotation or 0) % len(players)

        def moved(values: list[Any]) -> tuple[Any, ...]:
            return tuple(values[-by:] + values[:-by] if by else values)

        return Result(moved(players), moved(places), moved(scores), faulty)
