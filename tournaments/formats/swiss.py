"""Swiss system: in every round, teams with similar points meet; nobody is eliminated.

* Tables of four (docs/rulings.md, Intensity 6 and 8): 3, 2, 1, 0 points by place. Teams that tie share the points of
  their places equally, and house players have places too. Everybody plays every round; house players fill the empty
  seats, which are at the weakest table. Tables of two: a win is 1 point, a tie ½. With an odd number, one team has a
  bye, which is worth a win. If the game needs more players, house players join, but do not count.
* swiss_pairing.py draws a round. At tables of two it avoids repeats wherever any pairing can; at tables of four,
  wherever exchanges between neighbours can. A team has at most one bye while that is possible, and byes go to the
  lowest. `schools_apart`: pairs of one school are avoided after repeats and differences in points.
* Teams are ranked by points, then Buchholz, Sonneborn-Berger, wins (see tiebreaks.py), then game points. Teams level in
  all of these share a rank. This order is fixed.
* A round is drawn when every table of the round before is decided. Once it has begun it stays as drawn, even if earlier
  matches are played again.
* A team that is out is not drawn again, and its results stand. It does not play drawn matches that have not begun: at a
  table of two the other team wins without playing, at a table of four a house player takes the seat. If it comes back
  before the next round has begun, it has its seat again, unless that table was played without it.
* Chance decides only between equal points at tables of four, and follows from the stage's seed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import ceil, log2
from typing import Any

from games.engine import Game
from games.phrases import listed
from tournaments.formats.options import check_whole, completed, defaults
from tournaments.formats.plan import NOBODY, Format, FormatError, Out, Plan, Ranked, Results, TablePlan, TeamId
from tournaments.formats.swiss_pairing import Field, duels, fours, pair_of
from tournaments.formats.table_matches import decided, encounter
from tournaments.formats.table_matches import rules as encounter_rules
from tournaments.formats.tiebreaks import BY_PLACE, Scores, duel_points, place_points, unplayed
from tournaments.formats.withdrawals import SeatingByRounds, with_departures
from tournaments.formats.wording import points_text

MOST_ROUNDS = 100
COLUMNS = ("Points", "Buchholz", "Sonneborn-Berger", "Wins")
WIN = 1.0  # at a table of two


class Swiss(Format):
    slug = "swiss"
    title = "Swiss system"
    about = "In every round, teams with similar points meet. Nobody is eliminated."
    least = 2

    def draws_by_rounds(self) -> bool:
        return True

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`rounds`: how many; None: enough for the number of teams (`rounds_of`). For the others: formats.options."""
        known = {
            "table_size": min(4, game.seats[1]),
            "rounds": None,
            **defaults(game, game.fair_games()),
            "schools_apart": False,
        }
        options = completed(self.title, known, changes, game)
        if options["rounds"] is not None:
            check_whole("The number of rounds", options["rounds"], 1, MOST_ROUNDS)
        return options

    def rounds_of(self, options: Mapping[str, Any], entrants: int) -> int:
        """The number of rounds: as chosen, or as many as single elimination at tables of two would need."""
        rounds: int | None = options.get("rounds")
        return max(1, ceil(log2(entrants))) if rounds is None else rounds

    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        if len(order) < 2:
            raise FormatError("A Swiss needs at least two teams")
        return _Swiss(order, results, options, out).plan(self.rounds_of(options, len(order)))

    def columns(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        return COLUMNS

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        is_duel, count = options["table_size"] == 2, options["rounds"]
        gone = "Its next opponent wins without playing." if is_duel else "A house player takes its seat."
        unplayed = (
            "In both, a win without playing counts as a win against a team with as many points as the winner, but it "
            "is not included in the number of wins. "
            if is_duel
            else "House players count as nothing in both. "
        )
        fours = (
            "Four teams with similar points meet at a table. The first gets 3 points, the second 2, the third 1, the "
            "fourth none. Teams that tie share the points of their places equally, and a team that the referee "
            "disqualifies gets none.",
            "Everybody plays in every round. Empty seats are at the weakest table, and house players take them.",
            "Equal points are ordered at random. Then teams that have met before are kept apart, if that takes only "
            "exchanges between nearby tables of teams at most one point apart.",
        )
        twos = (
            "Two teams with similar points meet at a table. A win is 1 point, a tie ½; a team that the referee "
            "disqualifies gets none.",
            "No two teams meet twice while any pairing avoids it.",
            "With an odd number of teams, the lowest team without a bye so far gets one. A bye is worth a win.",
        )
        apart = (
            "Teams of one school do not meet, as long as that takes neither a second meeting of others nor an exchange "
            "of teams with different points.",
        )
        return (
            *(twos if is_duel else fours),
            *(apart if options.get("schools_apart") else ()),
            f"There are {count} rounds." if count else "There are as many rounds as single elimination in twos needs.",
            "A round is drawn when the one before is over, and stays as drawn once it has begun.",
            f"A team that leaves is not drawn again and has no rank, but its results still count. {gone}",
            "Teams are ranked by points, then Buchholz (the points of all opponents), then Sonneborn-Berger (the "
            "points of the opponents beaten, plus half the points of those tied with), then wins, then game points. "
            f"{unplayed}Teams level in all of these share the rank.",
            *encounter_rules(options),
        )


@dataclass(frozen=True, slots=True)
class _Finished:
    """The first rounds of a stage, the draws and results that they follow from, and what counts after them."""

    given: list[Any]
    rounds: tuple[tuple[TablePlan, ...], ...]
    scores: Scores
    met: Counter[tuple[TeamId, TeamId]]
    rankings: Mapping[int, tuple[Ranked, ...]]


@lru_cache(maxsize=16)
def _memory(order: tuple[TeamId, ...], terms: str, out: tuple[Any, ...]) -> list[_Finished]:
    """Where plans of a stage keep the rounds that are over. Else each result would cost as much as all before it."""
    return []


class _Swiss(SeatingByRounds):
    """One computation of the plan, round by round."""

    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out) -> None:
        super().__init__(order, results, options, out)
        self.size: int = options["table_size"]
        self.playing = [team for team in order if team not in out]
        self.scores = Scores(order, WIN if self.size == 2 else BY_PLACE[0])
        self.met: Counter[tuple[TeamId, TeamId]] = Counter()
        self.rounds: list[tuple[TablePlan, ...]] = []
        self.rankings: Mapping[int, tuple[Ranked, ...]] = {}

    def plan(self, length: int) -> Plan:
        self.finish(min(length, max(self.drawn, default=1) - 1))
        over = True  # all rounds so far
        for number in range(len(self.rounds) + 1, length + 1):
            drawn = self.lineups(number, over)
            if drawn is None:
                break
            self.add(tuple(self.table(number, at, teams) for at, teams in drawn))
            over = over and all(table.decided for table in self.rounds[-1])
        done = over and (len(self.rounds) == length or len(self.playing) < 2)
        ranking = self.scores.ranking(COLUMNS, self.out, done)
        return Plan(tuple(with_departures(self.rounds, self.out)), done, ranking, length, self.rankings)

    def finish(self, count: int) -> None:
        """Add the rounds that are over, of the first `count`, which stay as they were drawn. A plan goes on from those
        that an earlier one has finished, if they follow from the same draws and results."""
        draws = [(number, self.drawn.get(number, {})) for number in range(1, count + 1)]
        busy = {round for round, _ in self.options.get("playing", ())}
        given = [(n, tables, [self.results.get((n, at)) for at in tables], n in busy) for n, tables in draws]
        terms = {name: value for name, value in self.options.items() if name not in ("drawn", "playing", "rounds")}
        memory = _memory(tuple(self.order), repr(sorted(terms.items())), tuple(self.out.items()))
        known = next((each for each in memory[:1] if each.given == given[: len(each.given)]), None)
        if known is not None:
            self.rounds, self.rankings = list(known.rounds), known.rankings
            self.scores, self.met = known.scores.copy(), known.met.copy()
        for number in range(len(self.rounds) + 1, count + 1):
            tables = tuple(self.table(number, at, teams) for at, teams in self.drawn.get(number, {}).items())
            if not tables or not all(table.decided for table in tables):
                break
            self.add(tables)
            if number > count - 2:
                self.rankings = {**self.rankings, number: self.scores.ranking(COLUMNS, self.out, True)}
        given = given[: len(self.rounds)]
        if not any(each.given[: len(given)] == given for each in memory[:1]):  # else it is known, or long ago
            memory[:] = [_Finished(given, tuple(self.rounds), self.scores, self.met, self.rankings)]
            self.scores, self.met = self.scores.copy(), self.met.copy()

    def add(self, tables: tuple[TablePlan, ...]) -> None:
        for table in tables:
            self.scores.add(table)
            self.met.update(pair_of(*pair) for pair in combinations(table.teams, 2))
        self.rounds.append(tables)

    def lineups(self, round: int, over: bool) -> list[tuple[int, tuple[TeamId, ...]]] | None:
        """The numbered tables of a round, as drawn before or drawn now. None: it is too early to draw."""
        if round in self.drawn:
            return list(self.drawn[round].items())
        if not over or len(self.playing) < 2:
            return None
        points = self.scores.points
        if self.size == 2:
            teams = sorted(self.playing, key=lambda team: -points[team])  # stable: then by seed
        else:
            teams = sorted(self.playing, key=lambda team: (-points[team], self.lot(round, team)))
        byes = tuple(self.scores.byes[team] for team in teams)
        known: Mapping[str, str] = self.options.get("schools", {})
        schools = tuple(known.get(str(team), "") for team in teams) if known else ()
        field = Field(tuple(teams), tuple(points[team] for team in teams), frozenset(self.met.items()), byes, schools)
        return list(enumerate(duels(field) if self.size == 2 else fours(field), start=1))

    def lot(self, round: int, team: TeamId) -> bytes:
        """By its seed number, so that a team that takes another one's seat has its luck too."""
        return hashlib.sha256(f"{self.options.get('seed', 1)}/{round}/{self.seeds[team]}".encode()).digest()

    def table(self, round: int, number: int, drawn: tuple[TeamId, ...]) -> TablePlan:
        is_bye = self.size == 2 and len(drawn) == 1
        teams = drawn if is_bye else self.there((round, number), drawn)
        is_played = not is_bye and len(teams) >= (2 if self.size == 2 else 1)
        kept = self.kept(round, drawn, teams)
        count = self.options.get("seats", self.size) if is_played else len(kept)
        name = f"Round {round}, bye" if len(kept) == 1 and not is_played else f"Round {round}, table {number}"
        table = TablePlan(round, number, name, self.seats_of(kept, teams, count))
        if not is_played:
            return unplayed(table, WIN)
        met = encounter(teams, self.results.get(table.key, {}), self.options, self.why(table))
        if met.result is None:
            return replace(table, matches=met.matches)
        points = duel_points(met.result) if self.size == 2 else place_points(met.result)
        return decided(table, met, points, counts_house=self.size > 2)

    def why(self, table: TablePlan) -> str:
        """Why these players meet, in one sentence."""
        if table.round == 1:
            if self.size == 4:
                return f"{table.name}: drawn at random"
            return f"{table.name}: seeds {listed([str(self.seeds[team]) for team in table.teams])}"
        points = [points_text(self.scores.points[team]) for team in table.teams]
        pairs = combinations(table.teams, 2)
        again = sum(self.met[pair_of(*pair)] > 0 for pair in pairs)
        met = "" if not again else "; they have met before" if self.size == 2 else f"; {again} of the pairs have met"
        return f"{table.name}: similar points ({listed(points)}){met}"


FORMAT = Swiss()
