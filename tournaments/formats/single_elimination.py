"""Single elimination at tables of two or four teams.

* Two or four teams meet at a table; where the game needs more players, the house's join in. Each round has the fewest
  tables; empty chairs are the house's, spread evenly, at the tables of the highest seeds first (bracket.py). A house
  player never advances: its place is skipped.
* One or two of four advance, one of two. The last round is one table, the final; its places are the final ranking, the
  others are ranked by the round they reached, their place there and their points.
* A tie for an advancing place, or for the first place of the final (`playoff_all`: for any place of the final), is
  played off among the tied teams on further deals until it is decided.
* The two that advance from a table do not meet again in the next round, unless that is the final. Seeds 1 and 2 keep
  their halves also when they come second, so they can meet only in the final.
* A team that the referee disqualifies is last at its table and does not advance. A team that is out (disqualified by
  the organisers, withdrawn, or without a bot when the stage started) leaves its chair to the next in line, or in round
  one to the house. What it has played already stands: nobody has to play again because of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import combinations
from typing import Any

from games.engine import Game, Opening
from tournaments.formats import bracket
from tournaments.formats.plan import (
    Chair,
    FormatError,
    Place,
    Plan,
    Ranked,
    Result,
    Results,
    TablePlan,
    TeamId,
    WantedMatch,
)

MOST_GAMES = 100  # the record of more would not fit a page, nor a night

Group = list[TeamId]


class SingleElimination:
    slug = "single_elimination"
    title = "Single elimination"
    about = "Tables of four or two; the best advance until one table is left, the final."
    page = "bracket"
    runs = False
    continuous = False
    by_rounds = False
    least = 2

    def fits(self, game: Game) -> bool:
        return game.seats[1] > 1

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        most = game.seats[1]
        size = min(4, most)
        options: dict[str, Any] = {
            "table_size": size,
            "advance": 1,
            "games": None if game.decides else 1,
            "house": list(game.fillers) or [game.house[0].name],
            "playoff_all": False,
            "freeze_versions": True,
        }
        unknown = set(changes) - set(options)
        if unknown:
            raise FormatError(f"Single elimination has no option {', '.join(sorted(unknown))}")
        options |= changes
        sizes = [size for size in (2, 4) if size <= most]
        if options["table_size"] not in sizes:
            fitting = " or ".join(map(str, sizes))
            raise FormatError(
                f"In {game.title} {fitting} teams can meet at a table" if sizes else f"{game.title} is played alone"
            )
        if options["advance"] not in range(1, options["table_size"] // 2 + 1):
            raise FormatError(
                "One or two of four can advance" if options["table_size"] == 4 else "One of two players advances"
            )
        games = options["games"]
        by_rules = games is None and game.decides
        if not by_rules and (type(games) is not int or not 1 <= games <= MOST_GAMES):
            raise FormatError(f"The games per table must be a whole number from 1 to {MOST_GAMES}")
        known = [house.name for house in game.house]
        if not options["house"] or not set(options["house"]) <= set(known):
            raise FormatError(f"Empty chairs can be filled with {', '.join(known)}")
        return options

    def plan(
        self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Set[TeamId] = frozenset()
    ) -> Plan:
        if len(order) < 2:
            raise FormatError("A bracket needs at least two teams")
        return _Bracket(order, results, options, out).plan()

    def columns(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        return ()

    def openings(self, options: Mapping[str, Any], game: Game) -> list[Opening]:
        return []

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        return bracket.round_name(number, tables_by_round, options["table_size"])


class _Bracket:
    """One computation of the plan, round by round."""

    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Set[TeamId]) -> None:
        self.order = order
        self.results = results
        self.out = out
        self.size: int = options["table_size"]
        self.advance: int = options["advance"]
        self.playoff_all: bool = options["playoff_all"]
        self.shape = bracket.shape(len(order), self.size, self.advance)
        self.tables_by_round = [len(shape.tables) for shape in self.shape]
        self.played_in_round: dict[int, set[TeamId]] = {}
        for (round, _), matches in results.items():
            for result in matches.values():
                self.played_in_round.setdefault(round, set()).update(result.teams)

    def plan(self) -> Plan:
        rounds: list[tuple[TablePlan, ...]] = []
        for round, shape in enumerate(self.shape, start=1):
            slots = self.first_slots() if round == 1 else self.next_slots(round, rounds[-1])
            rounds.append(
                tuple(
                    self.table(round, number, [slots[slot] for slot in chairs])
                    for number, chairs in enumerate(shape.tables, start=1)
                )
            )
        done = all(table.decided for tables in rounds for table in tables)
        return Plan(tuple(rounds), done, ranking(self.order, rounds, self.out))

    def goes_on(self, team: TeamId, round: int) -> bool:
        """May it sit in that round? A team that is out may not, unless it has played there already."""
        return team not in self.out or team in self.played_in_round.get(round, ())

    def first_slots(self) -> list[Chair]:
        return [
            Chair(("seed", number), team) if self.goes_on(team, 1) else Chair(("seed", number), house=True)
            for number, team in enumerate(self.order, start=1)
        ]

    def next_slots(self, round: int, before: Sequence[TablePlan]) -> list[Chair]:
        shape = self.shape[round - 1]
        table_of = {slot: number for number, slots in enumerate(shape.tables, start=1) for slot in slots}
        slot_of = {(source.table, source.rank): slot for slot, source in enumerate(shape.sources)}
        chairs: dict[int, Chair] = {}
        for table in before:
            slots = [slot_of[table.number, way] for way in range(self.advance)]
            for way, team in enumerate(self.ways(table, [(round, table_of[slot]) for slot in slots])):
                rank = table.advancing.index(team) if team in table.advancing else way
                feed = ("table", table.round, table.number, rank + 1)
                chairs[slots[way]] = Chair(feed, team, house=table.decided and team is None)
        return [chairs[slot] for slot in range(len(chairs))]

    def ways(self, table: TablePlan, following: Sequence[Place]) -> list[TeamId | None]:
        """Who takes the first's way and who the second's; None where nobody does (yet).

        Seeds 1 and 2 always take the first's. When somebody is out, whoever has played at a following table already
        stays there, also while a play-off about the other place is due, and the others close up.
        """
        first_choice = sorted(table.advancing, key=lambda team: team not in self.order[:2])
        ways: list[TeamId | None] = [None] * self.advance
        if not self.out.isdisjoint(table.teams):
            may_stay = first_choice if table.decided else table.teams if len(table.matches) > 1 else ()
            for way, place in enumerate(following):
                match = self.results.get(place, {}).get(1)
                stays = (team for team in may_stay if match and team in match.teams and team not in ways)
                ways[way] = next(stays, None)
        left = [team for team in first_choice if team not in ways]
        return [team if team is not None else (left.pop(0) if left else None) for team in ways]

    def table(self, round: int, number: int, chairs: list[Chair]) -> TablePlan:
        empty = self.size - len(chairs)
        all_chairs = (*chairs, *(Chair(("house",), house=True) for _ in range(empty)))
        name = bracket.table_name(round, number, self.tables_by_round, self.size)
        plan = TablePlan(round, number, name, all_chairs)
        if not all(chair.is_known for chair in all_chairs):
            return plan
        return self.decide(plan)

    def decide(self, table: TablePlan) -> TablePlan:
        """What is to be played at a table whose players are known, and what came of it."""
        if not table.teams:  # all of its teams are out: nobody plays, nobody advances
            return replace(table, decided=True)
        matches = [WantedMatch(1, table.teams, self.size, self.why(table))]
        results = self.results.get(table.place, {})
        first = results.get(1)
        if first is None or first.teams != frozenset(table.teams):
            return replace(table, matches=tuple(matches))
        standing = _Standing(first, self.order)
        is_final = table.round == len(self.shape)
        gone = {team for team in self.out if is_final or not self.goes_on(team, table.round + 1)}
        decided = self.play_off(table, standing, matches, results, gone)
        if not decided:
            return replace(table, matches=tuple(matches))
        ranked = standing.ranked()
        eligible = [team for team in ranked if team not in gone and team not in standing.disqualified]
        places = [team for team in ranked if team not in self.out] + [team for team in ranked if team in self.out]
        return replace(
            table,
            matches=tuple(matches),
            decided=True,
            places=tuple(places),
            advancing=() if is_final else tuple(eligible[: self.advance]),
            scores=tuple(first.score(team) for team in places),
        )

    def play_off(
        self,
        table: TablePlan,
        standing: _Standing,
        matches: list[WantedMatch],
        results: Mapping[int, Result],
        gone: Set[TeamId],
    ) -> bool:
        """Split the ties that matter by the play-offs so far. False: another one is wanted (the last of `matches`).

        Play-offs stand as they were played: with some who are `gone` now, without those who were gone then.
        """
        tied = self.tie_in_final if table.round == len(self.shape) else self.tie_for_advancing
        while result := results.get(len(matches) + 1):
            then = standing.gone_before(result.teams, gone, tied)
            if then is None:
                break
            standing.remove(then)
            group = tied(standing.groups)
            matches.append(self.playoff(table, len(matches) + 1, group))
            standing.split(group, result)
        standing.remove(gone)
        if group := tied(standing.groups):
            matches.append(self.playoff(table, len(matches) + 1, group))
            return False
        return True

    def playoff(self, table: TablePlan, number: int, group: Group) -> WantedMatch:
        why = f"Play-off {number - 1} of {table.name}: {self.seeds(group)} are level"
        return WantedMatch(number, tuple(group), self.size, why, playoff=True)

    def tie_for_advancing(self, groups: Sequence[Group]) -> Group:
        """The tied teams between whom the line is drawn; empty when there is no such tie."""
        before = 0
        for group in groups:
            if before < self.advance < before + len(group):
                return group
            before += len(group)
        return []

    def tie_in_final(self, groups: Sequence[Group]) -> Group:
        relevant = groups if self.playoff_all else groups[:1]
        return next((group for group in relevant if len(group) > 1), [])

    def why(self, table: TablePlan) -> str:
        """One sentence about why these players meet."""
        if table.round == 1:
            houses = sum(chair.house for chair in table.chairs)
            text = f"{table.name}: {self.seeds(table.teams)}"
            return f"{text}, with {houses} of the house" if houses else text
        feeders = sorted({chair.feed[2] for chair in table.chairs if len(chair.feed) == 4})
        names = [bracket.table_name(table.round - 1, number, self.tables_by_round, self.size) for number in feeders]
        return f"{table.name}: those who advance from {_listed(names)}"

    def seeds(self, teams: Sequence[TeamId]) -> str:
        numbers = [str(number) for number in sorted(self.order.index(team) + 1 for team in teams)]
        return f"{'seed' if len(numbers) == 1 else 'seeds'} {_listed(numbers)}"


class _Standing:
    """The order at a table: groups of level teams, best first, and those whom the referee disqualified."""

    def __init__(self, result: Result, order: Sequence[TeamId]) -> None:
        self.strength: Callable[[TeamId], int] = order.index
        self.disqualified: list[TeamId] = sorted(result.disqualified, key=self.strength)
        self.removed: list[TeamId] = []
        self.groups = self.grouped(result.teams - result.disqualified, result)

    def grouped(self, teams: Set[TeamId], result: Result) -> list[Group]:
        by_place: dict[int, Group] = {}
        for team in sorted(teams, key=self.strength):
            by_place.setdefault(result.place(team), []).append(team)
        return [by_place[place] for place in sorted(by_place)]

    def split(self, group: Group, result: Result) -> None:
        """Put the places of a play-off where the tie was; who was disqualified in it leaves the order."""
        at = self.groups.index(group)
        self.disqualified = sorted(result.disqualified, key=self.strength) + self.disqualified
        self.groups[at : at + 1] = self.grouped(set(group) - result.disqualified, result)

    def without(self, teams: Set[TeamId]) -> list[Group]:
        groups = ([team for team in group if team not in teams] for group in self.groups)
        return [group for group in groups if group]

    def remove(self, teams: Set[TeamId]) -> None:
        self.removed += [team for group in self.groups for team in group if team in teams]
        self.groups = self.without(teams)

    def gone_before(
        self, playoff: Set[TeamId], gone: Set[TeamId], tied: Callable[[Sequence[Group]], Group]
    ) -> frozenset[TeamId] | None:
        """Which of the `gone` were gone when these teams were wanted for a play-off; None: they never were."""
        candidates = [team for group in self.groups for team in group if team in gone and team not in playoff]
        subsets = (frozenset(some) for count in range(len(candidates) + 1) for some in combinations(candidates, count))
        return next((some for some in subsets if frozenset(tied(self.without(some))) == playoff), None)

    def ranked(self) -> list[TeamId]:
        return [team for group in self.groups for team in group] + self.disqualified + self.removed


def ranking(order: Sequence[TeamId], rounds: Sequence[Sequence[TablePlan]], out: Set[TeamId]) -> tuple[Ranked, ...]:
    """Everybody: those still in first, then by round reached, place there and points; who is out comes last."""
    last: dict[TeamId, TablePlan] = {}
    still_in: set[TeamId] = set()
    for tables in rounds:
        for table in tables:
            for team in table.teams:
                last[team] = table
                (still_in.discard if table.decided else still_in.add)(team)
            still_in.update(table.advancing)
    seed = {team: number for number, team in enumerate(order)}

    def entry(team: TeamId) -> Ranked:
        table = last.get(team)
        if table is None or not table.decided:
            return Ranked(team, None, table.round if table else 0, None, None, team in out)
        at = table.places.index(team)
        return Ranked(team, None, table.round, at + 1, table.scores[at], team in out)

    def level(ranked: Ranked) -> tuple[Any, ...]:
        if ranked.is_out:
            return (2,)
        if ranked.team in still_in:
            return (0,)
        return 1, -ranked.round, ranked.place or 0, -(ranked.score or 0.0)

    entries = sorted(map(entry, order), key=lambda ranked: (level(ranked), seed[ranked.team]))
    levels = [level(ranked) for ranked in entries]
    return tuple(
        ranked
        if ranked.team in still_in and not ranked.is_out
        else replace(ranked, rank=levels.index(level(ranked)) + 1)
        for ranked in entries
    )


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


FORMAT = SingleElimination()
