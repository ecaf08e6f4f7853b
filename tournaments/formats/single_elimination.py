"""Single elimination at tables of two or four teams.

* Two or four teams meet at a table. If the game needs more players, house players join them. At tables of four, each
  round has as few tables as possible. House players fill empty seats, spread evenly, at the tables of the highest seeds
  first (bracket_shape.py). A house player never advances: its place is skipped.
* At tables of four, one or two teams advance; at tables of two, one. The last round is one table, the final.
* At tables of two, the bracket has a power of two. A team alone at a table has a bye. All byes are in round one, for
  the highest seeds.
* `best_of`: two teams play match after match, with the seats swapped, until one has won most of that number.
  `duplicate`: the same deals are played from every seat, and the sums decide (table_matches.py).
* `third_place` (tables of two): the losers of the semi-finals play for third place at a table beside the final.
* Ties for an advancing place, and for first place in the final (`playoff_all`: for any place of the final), lead to
  play-offs. The tied teams play further deals until the tie is broken.
* The two teams that advance from a table do not meet again in the next round, unless that is the final. Seeds 1 and 2
  keep their halves even if they come second, so they can meet only in the final.
* A team that the referee disqualifies is last at its table, does not advance, and does not play for third place
  (docs/rulings.md, All games). If a team is out (the organisers disqualified it, or it withdrew), the next in line
  advances instead; in round one a house player takes its seat. Its results stand, places included, and nobody plays
  again because of it. Its match in progress is void, because that match alone decides who advances. If the team comes
  back, it takes its seat again, even in the final.
* Teams are ranked by the last round in which they had a seat (the match for third place counts as the semi-final
  round). Within a round, teams that the referee disqualified come last; the others are ordered by their place as
  played, then by points. Equal teams share a rank. Teams that are out come last, without a rank. Nobody has rank 1 if
  the referee disqualified everybody in the final.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from games.engine import Game
from games.phrases import counted, listed
from tournaments.formats import bracket_shape
from tournaments.formats.bracket_shape import Group, TableOrder
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
    Seat,
    Status,
    TableKey,
    TablePlan,
    TeamId,
    WantedMatch,
)
from tournaments.formats.schools import kept_apart
from tournaments.formats.table_matches import encounter, seated
from tournaments.formats.table_matches import rules as encounter_rules
from tournaments.formats.withdrawals import last_seats, with_departures

MOST_MATCHES = 21  # in a series
THIRD = 2  # the table number of the match for third place, beside the final


class SingleElimination(Format):
    slug = "single_elimination"
    title = "Single elimination"
    about = "Two or four teams meet at a table. The best advance until one table is left, the final."
    least = 2

    def is_bracket(self) -> bool:
        return True

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`advance`: one or two from a table. `playoff_all`, `third_place`, `schools_apart`: see above. Others:
        formats.options."""
        known = {
            "table_size": min(4, game.seats[1]),
            "advance": 1,
            **defaults(game, 1),
            "playoff_all": False,
            "third_place": False,
            "best_of": 1,
            "schools_apart": False,
        }
        options = completed(self.title, known, changes, game)
        if options["advance"] not in range(1, options["table_size"] // 2 + 1):
            raise FormatError(
                "One or two of four can advance" if options["table_size"] == 4 else "One of two players advances"
            )
        if options["third_place"] and options["table_size"] == 4:
            raise FormatError("A match for third place needs tables of two: a final of four has a third place already")
        best_of = options["best_of"]
        check_whole("The length of a series", best_of, 1, MOST_MATCHES)
        if best_of % 2 == 0:
            raise FormatError("A series is the best of an odd number of matches")
        if best_of > 1 and options["table_size"] == 4:
            raise FormatError("A series of matches is for tables of two")
        if best_of > 1 and options["duplicate"]:
            raise FormatError("A series counts matches won, and the same deals add up scores: choose one of them")
        return options

    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        if len(order) < 2:
            raise FormatError("A bracket needs at least two teams")
        return _Bracket(order, results, options, out).plan()

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        size, advance = options["table_size"], options["advance"]
        series = options.get("best_of", 1) > 1
        fours = (
            f"Four teams meet at a table; {'the best one advances' if advance == 1 else 'the best two advance'}. House "
            "players fill empty seats, at the tables of the highest seeds first. They never advance.",
        )
        twos = ("Two teams meet at a table; the better one advances. The highest seeds get the byes.",)
        apart = (
            (
                "Teams of one school do not meet in the first round, as long as changing places with teams of similar "
                "seeds avoids it. Then as few as possible can meet in the second round. The highest seeds, one at each "
                "table, keep their places.",
            )
            if options.get("schools_apart")
            else ()
        )
        third = ("The losers of the semi-finals play for third place.",) if options.get("third_place") else ()
        return (
            *(twos if size == 2 else fours),
            "The first and the second seed can meet only in the final.",
            *apart,
            "Level teams play off until the tie is broken: for an advancing place, and in the final "
            + ("for every place." if options["playoff_all"] else "for first place."),
            *third,
            "A team that the referee disqualifies "
            + ("loses that match of the series. " if series else "is last at the table and does not advance. ")
            + "When a team leaves, the next in line at its last table advances in its place. Before the first round, a "
            "house player takes its seat.",
            "Teams are ranked by the last round they reached, then by their place at the table there, then by points. "
            "A team that the referee disqualified ranks below all others of that round. Places stay as they were "
            "played if somebody leaves later. Teams that leave have no rank.",
            *encounter_rules(options),
        )

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        sizes = [*tables_by_round[:-1], 1]  # the last round may have a match for third place beside the final
        return bracket_shape.round_name(number, sizes, options["table_size"])


class _Bracket:
    """One computation of the plan, round by round."""

    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out) -> None:
        self.order = order
        self.seeds = {team: number for number, team in enumerate(order, start=1)}
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
        # If a table has one team, nobody waits for its loser.
        self.has_third = bool(options.get("third_place")) and len(order) > 3
        third = results.get((len(self.shape), THIRD), {}) if self.has_third else {}
        self.played_for_third = frozenset[TeamId]().union(*(result.teams for result in third.values()))

    def plan(self) -> Plan:
        rounds: list[tuple[TablePlan, ...]] = []
        for round, shape in enumerate(self.shape, start=1):
            slots = self.first_slots() if round == 1 else self.next_slots(round, rounds[-1])
            rounds.append(
                tuple(
                    self.table(round, number, [slots[slot] for slot in seats])
                    for number, seats in enumerate(shape.tables, start=1)
                )
            )
        if self.has_third:
            rounds[-1] += (self.third_place(rounds[-2]),)
        rounds = with_departures(rounds, self.out)
        done = all(table.decided for tables in rounds for table in tables)
        return Plan(tuple(rounds), done, ranking(self.order, rounds, self.out))

    def goes_on(self, team: TeamId, round: int) -> bool:
        """Whether a team may sit in that round. A team that is out may not, unless it has played there or later."""
        return team not in self.out or self.last_played.get(team, 0) >= round

    def first_slots(self) -> list[Seat]:
        seats = [
            Seat.of_team(("seed", number), team)
            if self.goes_on(team, 1)
            else Seat.left_by(("seed", number), team, self.out[team])
            for number, team in enumerate(self.order, start=1)
        ]
        schools: Mapping[str, str] = self.options.get("schools", {})
        drawn = [schools[str(team)] for team in self.order if str(team) in schools]
        if not drawn:
            return seats
        # A team that got a bye or an empty seat later is the last of the order, and moves nobody.
        shape = bracket_shape.shape(len(drawn), self.size, self.advance)
        return [*(seats[seed] for seed in kept_apart(shape, tuple(drawn))), *seats[len(drawn) :]]

    def next_slots(self, round: int, before: Sequence[TablePlan]) -> list[Seat]:
        shape = self.shape[round - 1]
        table_of = {slot: number for number, slots in enumerate(shape.tables, start=1) for slot in slots}
        slot_of = {(source.table, source.rank): slot for slot, source in enumerate(shape.sources)}
        seats: dict[int, Seat] = {}
        for table in before:
            slots = [slot_of[table.number, way] for way in range(self.advance)]
            for way, team in enumerate(self.ways(table, [(round, table_of[slot]) for slot in slots])):
                rank = table.advancing.index(team) if team in table.advancing else way
                seats[slots[way]] = self.fed(table, rank + 1, team)
        return [seats[slot] for slot in range(len(seats))]

    def fed(self, table: TablePlan, place: int, team: TeamId | None) -> Seat:
        """A seat for the team that earned it: that team, a house player if there is none, or nobody yet."""
        feed = ("table", table.round, table.number, place)
        if team is not None:
            return Seat.of_team(feed, team)
        return Seat.of_house(feed) if table.decided else Seat(feed)

    def ways(self, table: TablePlan, following: Sequence[TableKey]) -> list[TeamId | None]:
        """Return who takes each way on, the winner's and the runner-up's. None: nobody (yet).

        Seeds 1 and 2 always take the winner's. If a team is out, teams that have played at a following table stay
        there, even while a play-off for the other place is due, and the others close the gap.
        """
        first_choice = sorted(table.advancing, key=lambda team: team not in self.order[:2])
        ways: list[TeamId | None] = [None] * self.advance
        if not self.out.keys().isdisjoint(table.teams):
            may_stay = first_choice if table.decided else table.teams if len(table.matches) > 1 else ()
            for way, key in enumerate(following):
                match = self.results.get(key, {}).get(1)
                stays = (team for team in may_stay if match and team in match.teams and team not in ways)
                ways[way] = next(stays, None)
        left = [team for team in first_choice if team not in ways]
        return [team if team is not None else (left.pop(0) if left else None) for team in ways]

    def table(self, round: int, number: int, seats: list[Seat]) -> TablePlan:
        all_seats = (*seats, *(Seat.of_house() for _ in range(self.size - len(seats))))
        name = bracket_shape.table_name(round, number, self.tables_by_round, self.size)
        plan = TablePlan(round, number, name, all_seats)
        if not all(seat.is_known for seat in all_seats):
            return plan
        return self.decide(plan)

    def third_place(self, before: Sequence[TablePlan]) -> TablePlan:
        """The table of the losers of the semi-finals, once they are known."""
        round = len(self.shape)
        seats = []
        for table in before:
            rest = [team for team in table.places if team not in table.advancing and self.plays_for_third(table, team)]
            stays = any(team in self.played_for_third for team in rest)
            loser = rest[0] if rest and (table.advancing or stays) else None
            seats.append(self.fed(table, table.places.index(loser) + 1 if loser else 2, loser))
        plan = TablePlan(round, THIRD, "Third place", tuple(seats))
        return self.decide(plan) if all(seat.is_known for seat in seats) else plan

    def plays_for_third(self, semifinal: TablePlan, team: TeamId) -> bool:
        """Not if the referee disqualified it in the semi-final, unless it has already played for third place."""
        if team in self.played_for_third:
            return True
        is_fit = semifinal.seat_of(team).status != Status.DISQUALIFIED_REFEREE
        return is_fit and self.goes_on(team, len(self.shape))

    def decide(self, table: TablePlan) -> TablePlan:
        """A table whose players are known, with the matches due and the outcome."""
        if not table.teams:  # all of its teams are out
            return replace(table, decided=True)
        is_final = table.round == len(self.shape)
        gone = {team for team in self.out if is_final or not self.goes_on(team, table.round + 1)}
        if table.round + 1 == len(self.shape) and not self.out.keys().isdisjoint(table.teams):
            gone |= self.played_for_third  # they stay there, whoever leaves the final
        if self.size == 2 and len(table.teams) == 1:
            return self.bye(table, gone)
        results = self.results.get(table.key, {})
        met = encounter(table.teams, results, self.options, self.why(table), gone)
        if met.result is None:
            return replace(table, matches=met.matches)
        order = TableOrder(met.result, self.seeds, self.size)
        playoffs: list[WantedMatch] = []
        decided = self.play_off(table, order, playoffs, met.last, gone)
        table = replace(table, matches=(*met.matches, *playoffs))
        return self.decided(table, order, met.result, gone) if decided else table

    def bye(self, table: TablePlan, gone: Set[TeamId]) -> TablePlan:
        (team,) = table.teams
        advancing = () if table.round == len(self.shape) or team in gone else (team,)
        seats = tuple(replace(seat, status=Status.BYE) if seat.team == team else seat for seat in table.seats)
        return replace(table, decided=True, seats=seats, places=(team,), advancing=advancing, scores=(0.0,))

    def decided(self, table: TablePlan, order: TableOrder, result: Result, gone: Set[TeamId]) -> TablePlan:
        """The table with the places as played, and with the teams that advance now that some are `gone`."""
        places = order.ranked()
        fit = [team for team in places if team not in order.disqualified]
        advancing = () if table.round == len(self.shape) else tuple(team for team in fit if team not in gone)
        advancing = advancing[: self.advance]
        ahead = {team: sum(order.place[other] < order.place[team] for other in fit) for team in fit}
        promoted = [team for team in advancing if ahead[team] >= self.advance]
        leavers = [team for team in fit if team in gone and ahead[team] < self.advance]
        instead_of = dict(zip(promoted, leavers, strict=False))

        def status(team: TeamId) -> Status:
            if team in order.disqualified:
                return Status.DISQUALIFIED_REFEREE
            if table.round == len(self.shape):
                return Status.PLACED
            if team not in advancing:
                return Status.ELIMINATED
            return Status.PROMOTED if team in instead_of else Status.ADVANCED

        return replace(
            table,
            decided=True,
            seats=seated(table.seats, result, order.place, status, instead_of, counts_house=self.size > 2),
            places=tuple(places),
            advancing=advancing,
            scores=tuple(result.score(team) for team in places),
        )

    def play_off(
        self, table: TablePlan, order: TableOrder, playoffs: list[WantedMatch], last: int, gone: Set[TeamId]
    ) -> bool:
        """Break the ties that matter with the play-offs so far. False: another one is due (the last of `playoffs`).

        Play-offs stand as they were played: with teams that are `gone` now, without those that were gone then. Their
        numbers continue from `last`.
        """
        results = self.results.get(table.key, {})
        tied = self.tie_in_final if table.round == len(self.shape) else self.tie_for_advancing
        while result := results.get(last + len(playoffs) + 1):
            then = order.gone_before(result.teams, gone, tied)
            if then is None:
                break
            order.remove(then)
            group = tied(order.groups)
            playoffs.append(self.playoff(table, len(playoffs) + 1, last, group))
            order.split(group, result)
        order.remove(gone)
        if group := tied(order.groups):
            playoffs.append(self.playoff(table, len(playoffs) + 1, last, group))
            return False
        return True

    def playoff(self, table: TablePlan, count: int, last: int, group: Group) -> WantedMatch:
        why = f"Play-off {count} of {table.name}: {self.seeds_of(group)} are level"
        return WantedMatch(last + count, tuple(group), self.size, why, playoff=True)

    def tie_for_advancing(self, groups: Sequence[Group]) -> Group:
        """The level teams on both sides of the line for advancing; empty if there are none."""
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
        """Why these players meet, in one sentence."""
        if table.round == 1:
            houses = sum(seat.house for seat in table.seats)
            text = f"{table.name}: {self.seeds_of(table.teams)}"
            return f"{text}, with {counted(houses, 'house player')}" if houses else text
        feeders = sorted({seat.feed[2] for seat in table.seats if len(seat.feed) == 4})
        names = [
            bracket_shape.table_name(table.round - 1, number, self.tables_by_round, self.size) for number in feeders
        ]
        who = "those who lost" if self.has_third and table.key == (len(self.shape), THIRD) else "those who advance from"
        return f"{table.name}: {who} {listed(names)}"

    def seeds_of(self, teams: Sequence[TeamId]) -> str:
        numbers = [str(number) for number in sorted(self.seeds[team] for team in teams)]
        return f"{'seed' if len(numbers) == 1 else 'seeds'} {listed(numbers)}"


def ranking(order: Sequence[TeamId], rounds: Sequence[Sequence[TablePlan]], out: Out) -> tuple[Ranked, ...]:
    """Rank everybody: teams still in first, then the eliminated (see above), then those that are out, unranked."""
    last = last_seats(rounds)
    still_in: set[TeamId] = set()
    for tables in rounds:
        for table in tables:
            (still_in.difference_update if table.decided else still_in.update)(table.teams)
            still_in.update(table.advancing)

    def entry(team: TeamId) -> Ranked:
        table = last.get(team)
        if table is None:
            return Ranked(team, None, 0, None, None, out.get(team, Status.DUE))
        seat = table.seat_of(team)
        if table.number == THIRD and table.round == len(rounds):
            place = (seat.place or 1) + THIRD if table.decided else None
            return Ranked(team, None, table.round - 1, place, seat.score, seat.status)
        return Ranked(team, None, table.round, seat.place, seat.score, seat.status)

    def level(ranked: Ranked) -> tuple[float, ...]:
        if ranked.team in out:
            return (2,)
        if ranked.team in still_in:
            return (0,)
        faulty = ranked.status == Status.DISQUALIFIED_REFEREE
        return 1, -ranked.round, faulty, ranked.place or 1, -(ranked.score or 0.0)

    entries = sorted(((level(ranked), ranked) for ranked in map(entry, order)), key=lambda it: it[0])
    levels = [level for level, _ in entries]
    first = 2 if levels and levels[0][0] == 1 and levels[0][2] else 1  # nobody is first after a fault in the final
    ranks: dict[tuple[float, ...], int] = {}
    for number, level_ in enumerate(levels, start=first):
        ranks.setdefault(level_, number)
    return tuple(replace(ranked, rank=ranks[level_]) if level_[0] == 1 else ranked for level_, ranked in entries)


FORMAT = SingleElimination()
