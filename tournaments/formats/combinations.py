"""All combinations, all seatings (docs/rulings.md, Hearts 4): every group of four meets in all 24 seatings.

* A group is as large as the game has seats: all fours in a game for four, all pairs in a game for two. A table plays
  one match whose games are the seatings, each exactly once. If the rules decide how many games a match for two has,
  each of the two seatings is a match. With `duplicate`, the same deals are played from every seat: a table then has as
  many matches as seats, and their games together cover the seatings.
* Teams are ranked by points per game, time penalties included. An average is fair even if some teams played more.
* If all combinations would take more games than the `budget`, there is a qualifier and a final. The qualifier has as
  many combinations as fit beside the final. They are drawn at random from the stage's seed, so that everybody plays
  equally often (give or take one) and meets everybody else about equally often. The best teams play the final, again
  in all seatings. Every team plays in the qualifier at least once, whatever the budget.
* House players take the seats that are left if there are fewer entrants than seats, or when teams leave. In the second
  case only matches that have not begun are affected.
* A team that the referee disqualifies loses its rank (docs/rulings.md, Hearts 7). The other teams keep their results
  from its matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, factorial
from random import Random
from typing import Any

from games.engine import Game, Opening
from games.phrases import listed
from tournaments.formats.options import check_whole, completed, defaults
from tournaments.formats.plan import (
    NOBODY,
    Format,
    FormatError,
    Out,
    Plan,
    Ranked,
    Result,
    Results,
    Status,
    TablePlan,
    TeamId,
    WantedMatch,
    combined,
)
from tournaments.formats.table_matches import rules as encounter_rules
from tournaments.formats.table_matches import seated, team_places
from tournaments.formats.withdrawals import Seating, last_seats, with_departures

BUDGET = 5040  # games: all combinations of ten teams at tables of four
MOST_BUDGET = 100_000

Group = tuple[int, ...]
"""A combination: the positions of its teams in the list of entrants, from 0, in increasing order."""


class Combinations(Format):
    slug = "combinations"
    title = "All combinations, all seatings"
    about = "Every group of teams meets in every seating. With many teams there is a qualifier and a final."
    least = 2

    def fits(self, game: Game) -> bool:
        fewest, most = game.seats
        return fewest == most and (most == 2 if game.decides else most in (2, 3, 4))

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`budget`: the most games in the stage; if the rules decide a match's games, a match counts as one.

        `games` follows from the seatings and can be chosen only if the rules decide how long a match is. `matches` is
        always derived. For the other options see formats.options.
        """
        if not self.fits(game):
            raise FormatError(f"{game.title} cannot be played in all seatings")
        changes = {name: value for name, value in changes.items() if name != "matches"}
        seats, duplicate = game.seats[1], changes.get("duplicate") is True
        if not game.decides:
            games = len(seatings(seats, duplicate))
            if changes.get("games") not in (games, len(seatings(seats, not duplicate)), None):
                raise FormatError(f"A match has one game for each seating, so it must have {games} games")
            changes["games"] = games
        options = completed(self.title, {"budget": BUDGET, **defaults(game, 1)}, changes, game)
        check_whole("The budget of games", options["budget"], 1, MOST_BUDGET)
        return {**options, "seats": seats, "matches": seats if game.decides or duplicate else 1}

    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        if len(order) < 2:
            raise FormatError("All combinations need at least two teams")
        return _Combinations(order, results, options, out).plan()

    def ranks_by_round(self) -> bool:
        return True

    def counts_house(self, options: Mapping[str, Any]) -> bool:
        return True

    def openings(self, options: Mapping[str, Any], game: Game) -> list[Opening]:
        if game.decides:
            return []
        return [{"seating": list(seating)} for seating in seatings(options["seats"], options["duplicate"])]

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        seats, what = options["seats"], "matches" if options["games"] is None else "games"
        deals = " The same deals are played from every seat." if options["duplicate"] else ""
        return (
            f"Every group of {seats} teams meets at a table and plays all {factorial(seats)} seatings "
            f"exactly once.{deals}",
            f"If that takes more than {options['budget']} {what}, there is a qualifier and a final. The qualifier has "
            "as many groups as leave room for the final. They are drawn at random, so that everybody plays equally "
            "often, give or take one table, and meets everybody else about equally often. The best "
            f"{seats} teams play the final, again in all seatings. If teams are level, the higher seeds qualify.",
            "Teams are ranked by points per game, including the penalty for processor time. Finalists are ranked by "
            "the final alone. Teams that are level share the rank.",
            "A team that the referee disqualifies, or that leaves the contest, loses its rank. The other teams keep "
            "their results from its matches. House players fill empty seats. When a team leaves, they also take its "
            "seat in matches that have not started.",
            encounter_rules(options)[-1],
        )

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        if len(tables_by_round) == 1:
            return "All combinations"
        return ("Qualifier", "Final")[number - 1]


def seatings(seats: int, duplicate: bool = False) -> list[tuple[int, ...]]:
    """Return who sits where in each game. `duplicate` rotates the players anyway, so rotations are left out."""
    return [seating for seating in permutations(range(seats)) if not duplicate or seating[0] == 0]


# Who meets ------------------------------------------------------------------------------------------------------------


def tables_within(budget: int, entrants: int, seats: int, games: int) -> int:
    """The number of combinations to play first, at `games` games each: all of them if the budget allows."""
    every = comb(entrants, seats)
    if every * games <= budget:
        return every
    return min(every, max(budget // games - 1, -(-entrants // seats)))


@lru_cache(maxsize=32)
def chosen(entrants: int, seats: int, count: int, seed: int) -> tuple[Group, ...]:
    """Return `count` different combinations of 0 … entrants - 1: all of them, or a balanced choice."""
    every = comb(entrants, seats)
    if count == every:
        return tuple(combinations(range(entrants), seats))
    if 2 * count <= every:
        return tuple(sorted(_balanced(entrants, seats, count, seed)))
    left_out = _balanced(entrants, seats, every - count, seed)  # if these are balanced, so are the others
    return tuple(group for group in combinations(range(entrants), seats) if group not in left_out)


def _balanced(entrants: int, seats: int, count: int, seed: int) -> set[Group]:
    """Choose so that everybody plays equally often, give or take one, and meets the others about equally often."""
    random = Random(seed)
    balance = _Balance(entrants)
    while len(balance.groups) < count:
        group = balance.next(random.sample(range(entrants), entrants), seats)
        while group in balance.groups:  # its first members have already met every possible last one
            group = tuple(sorted(random.sample(range(entrants), seats)))
        balance.add(group, 1)
    balance.even_out()
    return balance.groups


class _Balance:
    """A set of combinations, with how often each team has played and met each other team."""

    def __init__(self, entrants: int) -> None:
        self.groups: set[Group] = set()
        self.played = [0] * entrants
        self.met = [[0] * entrants for _ in range(entrants)]

    def add(self, group: Group, times: int) -> None:
        """Add a combination (`times` 1) or take it away (-1)."""
        (self.groups.add if times > 0 else self.groups.remove)(group)
        for team in group:
            self.played[team] += times
        for one, other in permutations(group, 2):
            self.met[one][other] += times

    def meetings(self, team: int, others: Iterable[int]) -> int:
        """How often a team has met the others. Squares make repeated meetings cost more."""
        return sum(self.met[team][other] ** 2 for other in others)

    def next(self, lot: Sequence[int], seats: int) -> Group:
        """Pick teams one by one: fewest games, then fewest meetings with those picked, then the order of `lot`."""
        group: list[int] = []
        while len(group) < seats:
            free = [team for team in lot if team not in group]
            if len(group) == seats - 1:
                free = [team for team in free if tuple(sorted([*group, team])) not in self.groups] or free
            least = min(self.played[team] for team in free)
            among = [team for team in free if self.played[team] == least]
            group.append(min(among, key=lambda team: self.meetings(team, group)))
        return tuple(sorted(group))

    def even_out(self) -> None:
        """Swap the team that played least into combinations of the team that played most.

        This always ends: such a pair of teams always has a swap that makes a new combination.
        """
        while max(self.played) - min(self.played) > 1:
            most, least = self.played.index(max(self.played)), self.played.index(min(self.played))
            ways = []
            for group in sorted(self.groups):
                rest = [team for team in group if team != most]
                changed = tuple(sorted([*rest, least]))
                if len(rest) < len(group) and least not in group and changed not in self.groups:
                    ways.append((self.meetings(least, rest) - self.meetings(most, rest), group, changed))
            _, group, changed = min(ways)
            self.add(group, -1)
            self.add(changed, 1)


# The plan -------------------------------------------------------------------------------------------------------------


class _Combinations(Seating):
    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out) -> None:
        super().__init__(order, results, options, out)
        self.seats: int = options["seats"]
        self.matches: int = options["matches"]
        self.games: int = options["games"] or 1  # in a match; 1 if the rules decide how many
        self.deal = 1 if options["duplicate"] else None
        self.budget: int = options["budget"]
        self.seed: int = options.get("seed", 1)
        self.total = dict.fromkeys(order, 0.0)
        self.played = dict.fromkeys(order, 0)  # in games
        self.disqualified: set[TeamId] = set()

    def plan(self) -> Plan:
        entrants = len(self.order)
        seats = min(self.seats, entrants)
        count = tables_within(self.budget, entrants, seats, self.matches * self.games)
        groups = chosen(entrants, seats, count, self.seed)
        first = tuple(
            self.table(1, number, f"Combination {number}", [self.order[at] for at in group])
            for number, group in enumerate(groups, start=1)
        )
        over = all(table.decided for table in first)
        if count == comb(entrants, seats):
            return self.planned([first], over, None)
        if self.options.get("rounds") == 1:  # the organisers ended the stage without its final
            return self.planned([first], over, None)
        final = self.final(over)
        return self.planned([first, (final,)], final.decided, final if final.decided else None)

    def planned(self, rounds: Sequence[tuple[TablePlan, ...]], done: bool, final: TablePlan | None) -> Plan:
        rounds = with_departures(rounds, self.out)
        return Plan(tuple(rounds), done, self.ranking(rounds, done, final))

    def table(self, round: int, number: int, name: str, group: Sequence[TeamId]) -> TablePlan:
        """A table as it was played. If it has not been played, it is for the teams that are still in."""
        played = self.results.get((round, number), {})
        teams = self.there((round, number), group)
        table = TablePlan(round, number, name, self.seats_of(group, teams, self.seats))
        if not teams:
            return replace(table, decided=True)
        why = f"{name}: seeds {listed([str(self.seeds[team]) for team in teams])}, in all seatings"
        matches = tuple(
            WantedMatch(at, teams, self.seats, why, rotation=at - 1, deal=self.deal)
            for at in range(1, self.matches + 1)
        )
        done = [played[at] for at in sorted(played) if at <= self.matches and played[at].teams == frozenset(teams)]
        for result in done:
            self.disqualified |= result.disqualified
        if len(done) < self.matches:
            return replace(table, matches=matches)
        return self.decided(replace(table, matches=matches), combined(done))

    def decided(self, table: TablePlan, result: Result) -> TablePlan:
        places = sorted(table.teams, key=lambda team: (team in result.disqualified, -result.score(team)))
        if table.round == 1:
            for team in places:
                self.total[team] += result.score(team)
                self.played[team] += self.matches * self.games
        scores = tuple(result.score(team) for team in places)

        def status(team: TeamId) -> Status:
            return Status.DISQUALIFIED_REFEREE if team in result.disqualified else Status.PLACED

        seats = seated(table.seats, result, team_places(result, counts_house=True), status)
        return replace(table, decided=True, seats=seats, places=tuple(places), scores=scores)

    def average(self, team: TeamId) -> float | None:
        """Points per game in the first round."""
        return self.total[team] / self.played[team] if self.played[team] else None

    def first_round_order(self) -> list[TeamId]:
        """Teams by their results in the first round. Level teams are in seed order."""
        average = {team: self.average(team) for team in self.order}
        return sorted(self.order, key=lambda team: -(_NEVER if average[team] is None else average[team]))  # type: ignore[operator]

    def final(self, known: bool) -> TablePlan:
        """The final's table. Teams that have begun to play in it stay; one that leaves earlier is replaced."""
        if not known:
            return TablePlan(2, 1, "Final", ())
        begun = [result.teams for result in self.results.get((2, 1), {}).values()]
        staying = frozenset(self.options.get("playing", {}).get((2, 1), ())).union(*begun)
        gone = self.disqualified | (self.out.keys() - staying)
        best = [team for team in self.first_round_order() if team not in gone]
        return self.table(2, 1, "Final", best[: self.seats])

    def ranking(self, rounds: Sequence[Sequence[TablePlan]], done: bool, final: TablePlan | None) -> tuple[Ranked, ...]:
        """Rank the finalists by the final, then the others by their average. Level teams share a rank.

        Teams that left, or that the referee disqualified in any match, come last and have no rank.
        """
        score = dict(zip(final.places, final.scores, strict=True)) if final else {}
        last = last_seats(rounds)

        def level(team: TeamId) -> tuple[float, ...]:
            if team in self.out or team in self.disqualified:
                return (2,)
            average = self.average(team)
            return (0, -score[team]) if team in score else (1, -(_NEVER if average is None else average))

        def status(team: TeamId) -> Status:
            if team in self.out:
                return self.out[team]
            if team in self.disqualified:
                return Status.DISQUALIFIED_REFEREE
            return last[team].seat_of(team).status if done and team in last else Status.DUE

        teams = sorted(self.first_round_order(), key=level)
        levels = [level(team) for team in teams]
        return tuple(
            Ranked(
                team,
                None if level(team)[0] == 2 else levels.index(level(team)) + 1,
                (2 if team in score else 1) if self.played[team] else 0,
                last[team].seat_of(team).place if team in score else None,
                self.average(team),
                status(team),
            )
            for team in teams
        )


_NEVER = float("-inf")  # the average of a team that has not played

FORMAT = Combinations()
