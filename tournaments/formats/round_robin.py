"""Round robin: everybody meets everybody else once, or twice with the seats swapped.

* Rounds follow the circle method: seed 1 stays, the others rotate. Everybody plays once in each round. With an odd
  number of teams each team has one bye, which counts for nothing because everybody has it.
* Two teams meet at a table. If the game needs more players, house players join.
* `home_and_away`: a second half repeats the first with the seats swapped. `duplicate`: the same deals are played from
  both seats (table_matches.py).
* The team with more points at a table gets `win`, and level teams get `tie` each. A team that the referee disqualifies
  gets nothing. The ranking goes by these points, then Sonneborn-Berger (the points of the opponents beaten, plus half
  the points of those tied with), then wins, then game points.
* A round starts when the one before is over, so a version activated in between plays from the next round on. A round
  that has begun stays as it is. When a team leaves, its results stand. It does not play matches that have not begun,
  and its opponents there win without playing. If it comes back before the next round has begun, they meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from games.engine import Game
from tournaments.formats.options import completed, defaults
from tournaments.formats.plan import NOBODY, Format, FormatError, Out, Plan, Results, TablePlan, TeamId
from tournaments.formats.table_matches import decided, encounter
from tournaments.formats.table_matches import rules as encounter_rules
from tournaments.formats.tiebreaks import Scores, duel_points, unplayed
from tournaments.formats.withdrawals import SeatingByRounds, with_departures
from tournaments.formats.wording import points_text

COLUMNS = ("Points", "Sonneborn-Berger", "Wins")
WIN_IS_MORE = "A win must be worth more than a tie"


class RoundRobin(Format):
    slug = "round_robin"
    title = "Round robin"
    about = "Everybody meets everybody else, once or twice, two teams at a table. House players fill larger tables."
    least = 2

    def draws_by_rounds(self) -> bool:
        return True

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`win` and `tie`: points for a table. For the others see formats.options."""
        known = {**defaults(game, game.fair_games()), "home_and_away": False, "win": 1, "tie": 0.5}
        options = completed(self.title, known, changes, game)
        if options["home_and_away"] and options["duplicate"]:
            raise FormatError("Home and away and the same deals from both seats exclude each other: choose one")
        for name in ("win", "tie"):
            if type(options[name]) not in (int, float) or not 0 <= options[name] <= 100:
                raise FormatError(f"The points for a {name} must be a number from 0 to 100")
        if options["tie"] >= options["win"]:
            raise FormatError(WIN_IS_MORE)
        return options

    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        if len(order) < 2:
            raise FormatError("A round robin needs at least two teams")
        return _RoundRobin(order, results, options, out).plan()

    def columns(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        return COLUMNS

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        twice, byes = (", once from each seat", "a bye in each half") if options["home_and_away"] else ("", "one bye")
        win, tie = points_text(options["win"]), points_text(options["tie"])
        return (
            f"Everybody meets everybody else{twice}. Points for a win: {win}; for a tie: {tie}. A team that the "
            f"referee disqualifies gets none. With an odd number of teams everybody has {byes}, which counts nothing.",
            "A round starts when the one before is over. When a team leaves, its results still count, its later "
            "opponents win without playing, and it has no rank.",
            "Teams are ranked by points, then Sonneborn-Berger (the points of the opponents beaten, plus half the "
            "points of those tied with), then wins, then game points. For Sonneborn-Berger, a win without playing "
            "counts as a win against a team with as many points as the winner, but not in the number of wins. Teams "
            "level in all of these share the rank.",
            *encounter_rules(options),
        )


class _RoundRobin(SeatingByRounds):
    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out) -> None:
        super().__init__(order, results, options, out)
        self.win, self.tie = float(options.get("win", 1)), float(options.get("tie", 0.5))

    def plan(self) -> Plan:
        rounds: list[tuple[TablePlan, ...]] = []
        over = True  # all rounds so far
        scores = Scores(self.order, self.win)
        for round, pairings in enumerate(self.pairings(), start=1):
            tables = tuple(self.table(round, number, pair, over) for number, pair in enumerate(pairings, start=1))
            for table in tables:
                if over or round in self.drawn:
                    scores.add(table)
            over = over and all(table.decided for table in tables)
            rounds.append(tables)
        return Plan(tuple(with_departures(rounds, self.out)), over, scores.ranking(COLUMNS, self.out, over))

    def pairings(self) -> list[list[tuple[TeamId, ...]]]:
        """By round, the teams that meet, the first one in the first seat. A single team has the bye."""
        first = [[tuple(self.order[at] for at in pair) for pair in pairs] for pairs in circle(len(self.order))]
        if self.options.get("home_and_away"):
            first += [[tuple(reversed(teams)) for teams in pairs] for pairs in first]
        return first[: self.options.get("rounds")]

    def table(self, round: int, number: int, pairing: tuple[TeamId, ...], over: bool) -> TablePlan:
        is_bye, begun = len(pairing) == 1, round in self.drawn
        drawn = self.drawn[round].get(number, ()) if begun else pairing
        # If a round was played, a single team stays: it keeps what it got without playing.
        stays = begun and len(drawn) == 1
        teams = drawn if stays else self.there((round, number), drawn)
        name = f"Round {round}, bye" if is_bye else f"Round {round}, table {number}"
        kept = self.kept(round, drawn, teams)
        count = self.options.get("seats", 2) if len(teams) == 2 else len(kept)
        table = TablePlan(round, number, name, self.seats_of(kept, teams, count))
        if not (over or begun):
            return table
        if len(teams) < 2:
            return unplayed(table, 0.0 if is_bye else self.win)
        played = self.results.get(table.key, {})
        rotation = 0 if self.options.get("home_and_away") else None
        met = encounter(teams, played, self.options, self.why(table), rotation=rotation)
        if met.result is None:
            return replace(table, matches=met.matches)
        return decided(table, met, duel_points(met.result, self.win, self.tie), counts_house=False)

    def why(self, table: TablePlan) -> str:
        again = ", again with the seats swapped" if table.round > len(circle(len(self.order))) else ""
        return f"{table.name}: everybody meets everybody{again}"


@lru_cache(maxsize=16)
def circle(entrants: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return rounds of pairs of 0 … entrants - 1. A single number has the bye.

    If the sum of a pair is odd, the lower number comes first, otherwise the higher one. Everybody comes first in half
    of their pairs, give or take one.
    """
    count = entrants + entrants % 2
    ring = list(range(1, count))
    rounds = []
    for round in range(count - 1):
        row = [0, *ring[round:], *ring[:round]]
        pairs = [sorted((row[at], row[-1 - at])) for at in range(count // 2)]
        turned = [pair if sum(pair) % 2 else pair[::-1] for pair in pairs]
        rounds.append(tuple(tuple(team for team in pair if team < entrants) for pair in turned))
    return tuple(rounds)


FORMAT = RoundRobin()
