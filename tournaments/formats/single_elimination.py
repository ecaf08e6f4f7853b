"""Single elimination at tables of two or four teams.

* Two or four teams meet at a table; where the game needs more players, the house's join in. In fours each round has the
  fewest tables; empty chairs are the house's, spread evenly, at the tables of the highest seeds first (bracket.py). A
  house player never advances: its place is skipped.
* One or two of four advance, one of two. The last round is one table, the final; its places are the final ranking, the
  others are ranked by the round they reached, their place there and their points.
* In twos it is the bracket of a power of two. At a table with one team there is nothing to play: it has a bye. All byes
  are in round one, and the highest seeds'.
* `best_of`: two play matches one after the other, with the seats swapped, until one has won most of so many.
  `duplicate`: all play the same deals from every chair, and the sums decide (meeting.py).
* `third_place` (tables of two): those who lost the semi-finals play for it at a table beside the final.
* A tie for an advancing place, or for the first place of the final (`playoff_all`: for any place of the final), is
  played off among the tied teams on further deals until it is decided.
* The two that advance from a table do not meet again in the next round, unless that is the final. Seeds 1 and 2 keep
  their halves also when they come second, so they can meet only in the final.
* A team that the referee disqualifies is last at its table and does not advance. A team that is out (disqualified by
  the organisers, withdrawn, or without a bot when the stage started) leaves its chair to the next in line, or in round
  one to the house. What it has played already stands: nobody has to play again because of it. What it is playing is
  void, since that match alone says who goes on. If it comes back, it has its chair again, also in a final.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from games.engine import Game, Opening
from tournaments.formats import bracket_shape
from tournaments.formats.options import check_whole, completed, defaults
from tournaments.formats.plan import Chair, FormatError, Place, Plan, Ranked, Results, TablePlan, TeamId, WantedMatch
from tournaments.formats.table_matches import meeting
from tournaments.formats.table_matches import rules as meeting_rules
from tournaments.formats.ties import Group, Standing
from tournaments.formats.wording import listed

MOST_MATCHES = 21  # of a series
THIRD = 2  # the number of the table for the third place, beside the final


class SingleElimination:
    slug = "single_elimination"
    title = "Single elimination"
    about = "Tables of four or two; the best advance until one table is left, the final."
    kind = "planned"
    page = "bracket"
    runs = False
    continuous = False
    by_rounds = False
    least = 2

    def is_bracket(self) -> bool:
        return True

    def draws_by_rounds(self) -> bool:
        return False

    def fits(self, game: Game) -> bool:
        return game.seats[1] > 1

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`advance`: one or two from a table. `playoff_all`, `third_place`: see above. The others: formats.options."""
        known = {
            "table_size": min(4, game.seats[1]),
            "advance": 1,
            **defaults(game, 1),
            "playoff_all": False,
            "third_place": False,
            "best_of": 1,
        }
        options = completed(self.title, known, changes, game)
        if options["advance"] not in range(1, options["table_size"] // 2 + 1):
            raise FormatError(
                "One or two of four can advance" if options["table_size"] == 4 else "One of two players advances"
            )
        if options["third_place"] and options["table_size"] == 4:
            raise FormatError("A match for the third place is for tables of two: a final of four has a third")
        best_of = options["best_of"]
        check_whole("The number of matches that a series is the best of", best_of, 1, MOST_MATCHES)
        if best_of % 2 == 0:
            raise FormatError("A series is the best of an odd number of matches")
        if best_of > 1 and options["table_size"] == 4:
            raise FormatError("A series of matches is for tables of two")
        if best_of > 1 and options["duplicate"]:
            raise FormatError("The matches of a series are won one by one, those on the same deals are added up")
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

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        size, advance = options["table_size"], options["advance"]
        series = options.get("best_of", 1) > 1
        fours = (
            f"Four teams meet at a table; {'the best one advances' if advance == 1 else 'the best two advance'}. Empty "
            "chairs, at the tables of the highest seeds first, are the house's, which never advances.",
        )
        twos = ("Two teams meet at a table; the better one advances. Byes are the highest seeds', and not played.",)
        third = ("Those who lose the semi-finals play for the third place.",) if options.get("third_place") else ()
        return (
            *(twos if size == 2 else fours),
            "The first and the second seed can meet only in the final.",
            "A tie is played off by those who are level until it is decided: for an advancing place, and in the final "
            + ("for every place." if options["playoff_all"] else "for the first."),
            *third,
            "Whom the referee disqualifies "
            + ("loses that match of the series. " if series else "is last at the table and does not advance. ")
            + "A team that leaves gives its place to the next in line at the table where it played last, and in the "
            "first round to the house.",
            "The others are ranked by the round that they reached, then by their place there, then by their points in "
            "it.",
            *meeting_rules(options),
        )

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        sizes = [*tables_by_round[:-1], 1]  # beside the final there may be a match for the third place
        return bracket_shape.round_name(number, sizes, options["table_size"])


class _Bracket:
    """One computation of the plan, round by round."""

    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Set[TeamId]) -> None:
        self.order = order
        self.results = results
        self.options = options
        self.out = out
        self.size: int = options["table_size"]
        self.advance: int = options["advance"]
        self.playoff_all: bool = options["playoff_all"]
        self.shape = bracket_shape.shape(len(order), self.size, self.advance)
        self.tables_by_round = [len(shape.tables) for shape in self.shape]
        self.last_played: dict[TeamId, int] = {}
        for (round, _), matches in sorted(results.items()):
            for result in matches.values():
                self.last_played.update(dict.fromkeys(result.teams, round))
        # Nobody waits for the loser of a table that has one team.
        self.has_third = bool(options.get("third_place")) and len(order) > 3
        third = results.get((len(self.shape), THIRD), {}) if self.has_third else {}
        self.played_for_third = frozenset[TeamId]().union(*(result.teams for result in third.values()))

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
        if self.has_third:
            rounds[-1] += (self.third_place(rounds[-2]),)
        done = all(table.decided for tables in rounds for table in tables)
        return Plan(tuple(rounds), done, ranking(self.order, rounds, self.out))

    def goes_on(self, team: TeamId, round: int) -> bool:
        """May it sit in that round? A team that is out may not, unless it has played there already, or later."""
        return team not in self.out or self.last_played.get(team, 0) >= round

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
        name = bracket_shape.table_name(round, number, self.tables_by_round, self.size)
        plan = TablePlan(round, number, name, all_chairs)
        if not all(chair.is_known for chair in all_chairs):
            return plan
        return self.decide(plan)

    def third_place(self, before: Sequence[TablePlan]) -> TablePlan:
        """The table of those who lost the semi-finals, once it is known who they are."""
        round = len(self.shape)
        chairs = []
        for table in before:
            rest = [team for team in table.places if team not in table.advancing and self.goes_on(team, round)]
            stays = any(team in self.played_for_third for team in rest)
            loser = rest[0] if rest and (table.advancing or stays) else None
            feed = ("table", table.round, table.number, table.places.index(loser) + 1 if loser else 2)
            chairs.append(Chair(feed, loser, house=table.decided and loser is None))
        plan = TablePlan(round, THIRD, "Third place", tuple(chairs))
        return self.decide(plan) if all(chair.is_known for chair in chairs) else plan

    def decide(self, table: TablePlan) -> TablePlan:
        """What is to be played at a table whose players are known, and what came of it."""
        if not table.teams:  # all of its teams are out: nobody plays, nobody advances
            return replace(table, decided=True)
        is_final = table.round == len(self.shape)
        gone = {team for team in self.out if is_final or not self.goes_on(team, table.round + 1)}
        if table.round + 1 == len(self.shape) and not self.out.isdisjoint(table.teams):
            gone |= self.played_for_third  # where they stay, whoever leaves the final
        if self.size == 2 and len(table.teams) == 1:  # a bye
            advancing = () if is_final else tuple(team for team in table.teams if team not in gone)
            return replace(table, decided=True, places=table.teams, advancing=advancing, scores=(0.0,))
        results = self.results.get(table.place, {})
        met = meeting(table.teams, results, self.options, self.why(table), gone)
        if met.result is None:
            return replace(table, matches=met.matches)
        standing = Standing(met.result, self.order)
        playoffs: list[WantedMatch] = []
        decided = self.play_off(table, standing, playoffs, met.last, gone)
        table = replace(table, matches=(*met.matches, *playoffs))
        if not decided:
            return table
        ranked = standing.ranked()
        eligible = [team for team in ranked if team not in gone and team not in standing.disqualified]
        places = [team for team in ranked if team not in self.out] + [team for team in ranked if team in self.out]
        return replace(
            table,
            decided=True,
            places=tuple(places),
            advancing=() if is_final else tuple(eligible[: self.advance]),
            scores=tuple(met.result.score(team) for team in places),
        )

    def play_off(
        self, table: TablePlan, standing: Standing, playoffs: list[WantedMatch], last: int, gone: Set[TeamId]
    ) -> bool:
        """Split the ties that matter by the play-offs so far. False: another one is wanted (the last of `playoffs`).

        Play-offs stand as they were played: with some who are `gone` now, without those who were gone then. They are
        numbered from `last` on.
        """
        results = self.results.get(table.place, {})
        tied = self.tie_in_final if table.round == len(self.shape) else self.tie_for_advancing
        while result := results.get(last + len(playoffs) + 1):
            then = standing.gone_before(result.teams, gone, tied)
            if then is None:
                break
            standing.remove(then)
            group = tied(standing.groups)
            playoffs.append(self.playoff(table, len(playoffs) + 1, last, group))
            standing.split(group, result)
        standing.remove(gone)
        if group := tied(standing.groups):
            playoffs.append(self.playoff(table, len(playoffs) + 1, last, group))
            return False
        return True

    def playoff(self, table: TablePlan, count: int, last: int, group: Group) -> WantedMatch:
        why = f"Play-off {count} of {table.name}: {self.seeds(group)} are level"
        return WantedMatch(last + count, tuple(group), self.size, why, playoff=True)

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
        names = [
            bracket_shape.table_name(table.round - 1, number, self.tables_by_round, self.size) for number in feeders
        ]
        who = (
            "those who lost" if self.has_third and table.place == (len(self.shape), THIRD) else "those who advance from"
        )
        return f"{table.name}: {who} {listed(names)}"

    def seeds(self, teams: Sequence[TeamId]) -> str:
        numbers = [str(number) for number in sorted(self.order.index(team) + 1 for team in teams)]
        return f"{'seed' if len(numbers) == 1 else 'seeds'} {listed(numbers)}"


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
        place = at + (THIRD + 1 if table.number == THIRD and table.round == len(rounds) else 1)
        return Ranked(team, None, table.round, place, table.scores[at], team in out)

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


FORMAT = SingleElimination()
