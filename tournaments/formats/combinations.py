"""All combinations, all seatings (docs/rulings.md, Hearts 4): every four entrants at a table, in all 24 seatings.

* As many meet as the game has seats: all fours in a game for four, all pairs in a game for two. A table is one match
  whose games are the seatings, each exactly once. Where the rules decide how many games a match of two has, both
  seatings are matches. `duplicate`: the same deals from every seat; then a table has as many matches as seats, and
  their games together are the seatings.
* The order goes by points per game, time penalties included: an average, since not everybody need have played equally
  often.
* When all combinations are more games than the `budget`, there is a qualifier: as many combinations as leave room for
  the final, chosen so that everybody plays equally often (as far as possible) and meets everybody else about equally
  often, by lot from the stage's seed. The best of it play the final, once more in all seatings. Everybody plays in the
  qualifier at least once, whatever the budget says.
* With fewer entrants than seats, and when teams have left, house players take the seats of what is played from then on.
* A team that the referee disqualifies leaves the ranking (docs/rulings.md, Hearts 7); matches with it count for the
  others as they were played.
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
from tournaments.formats.options import check_whole, completed, defaults
from tournaments.formats.plan import (
    NOBODY,
    FormatError,
    Out,
    Plain,
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
from tournaments.formats.table_matches import rules as meeting_rules
from tournaments.formats.table_matches import seated, team_places
from tournaments.formats.withdrawals import Seating, last_seats, with_departures
from tournaments.formats.wording import listed

BUDGET = 5040  # games: all combinations of ten teams at tables of four
MOST_BUDGET = 100_000

Group = tuple[int, ...]
"""A combination: the places of its teams in the order of the entrants, from 0, increasing."""


class Combinations(Plain):
    slug = "combinations"
    title = "All combinations, all seatings"
    about = "Every combination of entrants at a table, in all seatings; with many entrants a qualifier and a final."
    least = 2

    def fits(self, game: Game) -> bool:
        fewest, most = game.seats
        return fewest == most and (most == 2 if game.decides else most in (2, 3, 4))

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`budget`: the most games of the stage; a match whose rules decide how many it has counts as one. `games` of a
        match follow from the seatings; only where the rules decide them another number can be asked for. `matches` of a
        table are not chosen. The others: formats.options."""
        if not self.fits(game):
            raise FormatError(f"{game.title} cannot be played in all seatings")
        changes = {name: value for name, value in changes.items() if name != "matches"}
        chairs, duplicate = game.seats[1], changes.get("duplicate") is True
        if not game.decides:
            games = len(seatings(chairs, duplicate))
            if changes.get("games") not in (games, len(seatings(chairs, not duplicate)), None):
                raise FormatError(f"A match has a game for each seating: {games}")
            changes["games"] = games
        options = completed(self.title, {"budget": BUDGET, **defaults(game, 1)}, changes, game)
        check_whole("The budget of games", options["budget"], 1, MOST_BUDGET)
        return {**options, "chairs": chairs, "matches": chairs if game.decides or duplicate else 1}

    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        if len(order) < 2:
            raise FormatError("All combinations need at least two teams")
        return _Combinations(order, results, options, out).plan()

    def counts_house(self, options: Mapping[str, Any]) -> bool:
        return True

    def columns(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        return ()

    def openings(self, options: Mapping[str, Any], game: Game) -> list[Opening]:
        if game.decides:
            return []
        return [{"seating": list(seating)} for seating in seatings(options["chairs"], options["duplicate"])]

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        chairs, what = options["chairs"], "matches" if options["games"] is None else "games"
        deals = " The same deals are played from every seat." if options["duplicate"] else ""
        return (
            f"Every combination of {chairs} teams meets at a table, in each of {factorial(chairs)} seatings exactly "
            f"once.{deals}",
            f"When that is more than {options['budget']} {what}, there is a qualifier: as many combinations as leave "
            "room for the final, drawn by lot so that everybody plays equally often, give or take one table, and meets "
            f"everybody else about equally often. The best {chairs} play the final, in all seatings once more; if "
            "teams are level, the higher seeds do.",
            "The order goes by the points per game, including the penalty for processor time; that of the finalists by "
            "the final alone. Teams that are level share the rank.",
            "A team that the referee disqualifies leaves the ranking, and so does a team that leaves the contest; "
            "their matches count for the others as they were played. House players take empty seats, and those of a "
            "team that leaves in what has not begun.",
            meeting_rules(options)[-1],
        )

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        if len(tables_by_round) == 1:
            return "All combinations"
        return ("Qualifier", "Final")[number - 1]


def seatings(chairs: int, duplicate: bool = False) -> list[tuple[int, ...]]:
    """Who sits where, by game: all ways; with `duplicate`, where players move on anyway, those that differ else."""
    return [seating for seating in permutations(range(chairs)) if not duplicate or seating[0] == 0]


# Who meets ------------------------------------------------------------------------------------------------------------


def tables_within(budget: int, entrants: int, chairs: int, games: int) -> int:
    """How many combinations are played first, each of so many games. All, if they are not more than the budget."""
    every = comb(entrants, chairs)
    if every * games <= budget:
        return every
    return min(every, max(budget // games - 1, -(-entrants // chairs)))


@lru_cache(maxsize=32)
def chosen(entrants: int, chairs: int, count: int, seed: int) -> tuple[Group, ...]:
    """So many different combinations of 0 … entrants - 1: all of them, or a balanced choice."""
    every = comb(entrants, chairs)
    if count == every:
        return tuple(combinations(range(entrants), chairs))
    if 2 * count <= every:
        return tuple(sorted(_balanced(entrants, chairs, count, seed)))
    left_out = _balanced(entrants, chairs, every - count, seed)  # what is left of all by a balanced choice is one, too
    return tuple(group for group in combinations(range(entrants), chairs) if group not in left_out)


def _balanced(entrants: int, chairs: int, count: int, seed: int) -> set[Group]:
    """Everybody equally often, but for one; and about equally often with everybody else."""
    random = Random(seed)
    balance = _Balance(entrants)
    while len(balance.groups) < count:
        group = balance.next(random.sample(range(entrants), entrants), chairs)
        while group in balance.groups:  # the first of it have met everybody who could be the last
            group = tuple(sorted(random.sample(range(entrants), chairs)))
        balance.add(group, 1)
    balance.even_out()
    return balance.groups


class _Balance:
    """Combinations, and who has played and met how often in them."""

    def __init__(self, entrants: int) -> None:
        self.groups: set[Group] = set()
        self.played = [0] * entrants
        self.met = [[0] * entrants for _ in range(entrants)]

    def add(self, group: Group, times: int) -> None:
        """`times` is -1 to take it away."""
        (self.groups.add if times > 0 else self.groups.remove)(group)
        for team in group:
            self.played[team] += times
        for one, other in permutations(group, 2):
            self.met[one][other] += times

    def meetings(self, team: int, others: Iterable[int]) -> int:
        """How much they have met, further times counted more."""
        return sum(self.met[team][other] ** 2 for other in others)

    def next(self, lot: Sequence[int], chairs: int) -> Group:
        """One by one: who has played least, among them who has met the others least, else who is first in the lot."""
        group: list[int] = []
        while len(group) < chairs:
            free = [team for team in lot if team not in group]
            if len(group) == chairs - 1:
                free = [team for team in free if tuple(sorted([*group, team])) not in self.groups] or free
            least = min(self.played[team] for team in free)
            among = [team for team in free if self.played[team] == least]
            group.append(min(among, key=lambda team: self.meetings(team, group)))
        return tuple(sorted(group))

    def even_out(self) -> None:
        """Put who has played least into combinations of who has played most. There is always one that is new by it."""
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
        self.chairs: int = options["chairs"]
        self.matches: int = options["matches"]
        self.games: int = options["games"] or 1  # of a match, or the match as one
        self.deal = 1 if options["duplicate"] else None
        self.budget: int = options["budget"]
        self.seed: int = options.get("seed", 1)
        self.total = dict.fromkeys(order, 0.0)
        self.played = dict.fromkeys(order, 0)  # games
        self.disqualified: set[TeamId] = set()

    def plan(self) -> Plan:
        entrants = len(self.order)
        seats = min(self.chairs, entrants)
        count = tables_within(self.budget, entrants, seats, self.matches * self.games)
        groups = chosen(entrants, seats, count, self.seed)
        first = tuple(
            self.table(1, number, f"Combination {number}", [self.order[at] for at in group])
            for number, group in enumerate(groups, start=1)
        )
        over = all(table.decided for table in first)
        if count == comb(entrants, seats):
            return self.planned([first], over, None)
        if self.options.get("rounds") == 1:  # shortened: without the final
            return self.planned([first], over, None)
        final = self.final(over)
        return self.planned([first, (final,)], final.decided, final if final.decided else None)

    def planned(self, rounds: Sequence[tuple[TablePlan, ...]], done: bool, final: TablePlan | None) -> Plan:
        rounds = with_departures(rounds, self.out)
        return Plan(tuple(rounds), done, self.ranking(rounds, done, final))

    def table(self, round: int, number: int, name: str, group: Sequence[TeamId]) -> TablePlan:
        """A table as it was played; one that was not is for those who are still there."""
        played = self.results.get((round, number), {})
        teams = self.there((round, number), group)
        table = TablePlan(round, number, name, self.seats_of(group, teams, self.chairs))
        if not teams:
            return replace(table, decided=True)
        why = f"{name}: seeds {listed([str(self.seeds[team]) for team in teams])}, in all seatings"
        matches = tuple(
            WantedMatch(at, teams, self.chairs, why, rotation=at - 1, deal=self.deal)
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
        """Points per game of the first round."""
        return self.total[team] / self.played[team] if self.played[team] else None

    def standing(self) -> list[TeamId]:
        """By the first round; level teams are in the order of the seeds."""
        average = {team: self.average(team) for team in self.order}
        return sorted(self.order, key=lambda team: -(_NEVER if average[team] is None else average[team]))  # type: ignore[operator]

    def final(self, known: bool) -> TablePlan:
        """The table of the best. Whoever has played it stays; whoever leaves before makes room for the next in line."""
        if not known:
            return TablePlan(2, 1, "Final", ())
        begun = [result.teams for result in self.results.get((2, 1), {}).values()]
        staying = frozenset(self.options.get("playing", {}).get((2, 1), ())).union(*begun)
        gone = self.disqualified | (self.out.keys() - staying)
        best = [team for team in self.standing() if team not in gone]
        return self.table(2, 1, "Final", best[: self.chairs])

    def ranking(self, rounds: Sequence[Sequence[TablePlan]], done: bool, final: TablePlan | None) -> tuple[Ranked, ...]:
        """The final's, then the others by their average; teams that are level share a rank.

        Teams that have left, and those that the referee disqualified in any match, come last, without a rank.
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

        teams = sorted(self.standing(), key=level)
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


_NEVER = float("-inf")  # the average of who has not played

FORMAT = Combinations()
