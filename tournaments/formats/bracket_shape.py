"""The shape of a bracket: how many rounds and tables it has, and who sits where. It is known before play starts.

Each round is a row of *slots*, strongest first: the seeds in round one, later the qualifiers from the round before.
Slots are dealt to the tables in a snake (1 2 3 / 6 5 4 / 7 8 9). If the last row is not full, it starts at the weakest
table, so the empty seats are at the tables of the highest seeds. Slots 1 and 2 never share a table before the final,
and the first qualifier of table t takes slot t in the next round. Together these rules keep seeds 1 and 2 apart.

At tables of four, each round has the fewest tables possible. At tables of two, the first round has a power of two
tables, and the highest seeds get byes to fill it. This is the standard bracket: 1-8 and 4-5 in one half, 2-7 and 3-6
in the other. Nobody has a second bye, and every later round is full.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from tournaments.formats.plan import Result, TeamId


@dataclass(frozen=True, slots=True)
class Qualifier:
    """The k-th (from 0) team to advance from a table (numbered from 1) of the round before."""

    table: int
    rank: int


@dataclass(frozen=True, slots=True)
class RoundShape:
    """`tables[t]`: the slots (from 0) at table t + 1, strongest first. `sources[s]`: who takes slot s after round 1."""

    tables: tuple[tuple[int, ...], ...]
    sources: tuple[Qualifier, ...] = ()


def table_of(slot: int, slots: int, tables: int) -> int:
    """The table (from 0) for a slot (from 0)."""
    row, column = divmod(slot, tables)
    is_full = (row + 1) * tables <= slots
    return column if row % 2 == 0 and is_full else tables - 1 - column


def tables_for(slots: int, size: int) -> int:
    """The number of tables in a round."""
    if size == 2:
        return 1 << (slots - 1).bit_length() - 1
    return -(-slots // size)


def deal(slots: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Deal the slots of a round to its tables: for each table its slots, strongest first."""
    count = tables_for(slots, size)
    tables: list[list[int]] = [[] for _ in range(count)]
    for slot in range(slots):
        tables[table_of(slot, slots, count)].append(slot)
    return tuple(tuple(table) for table in tables)


def qualifiers(tables: int, advance: int, size: int) -> tuple[Qualifier, ...]:
    """Return who takes each slot of the next round: first the winners in table order, then the runners-up.

    The snake expects strong slots first, so runners-up come in reverse table order. That order changes only as much as
    is needed to keep the two qualifiers of a table apart in the next round. This always works, unless the next round
    is a single table.
    """
    firsts = [Qualifier(table, 0) for table in range(1, tables + 1)]
    if advance == 1:
        return tuple(firsts)
    slots = 2 * tables
    following = tables_for(slots, size)
    place = [table_of(slot, slots, following) for slot in range(slots)]
    preferred = list(range(tables, 0, -1))

    def allowed(slot: int, table: int) -> bool:
        return following == 1 or place[slot] != place[table - 1]

    taken: dict[int, int] = {}  # table → slot of its runner-up

    def seat(slot: int, tried: set[int]) -> bool:
        """Kuhn's augmenting path: give the slot its first choice, and move whoever had it."""
        for table in preferred:
            if table in tried or not allowed(slot, table):
                continue
            tried.add(table)
            if table not in taken or seat(taken[table], tried):
                taken[table] = slot
                return True
        return False

    for slot in range(tables, slots):
        found = seat(slot, set())
        assert found, f"no way to keep {tables} tables' qualifiers apart"
    second = {slot: table for table, slot in taken.items()}
    return (*firsts, *(Qualifier(second[slot], 1) for slot in range(tables, slots)))


@lru_cache(maxsize=64)
def shape(entrants: int, size: int, advance: int) -> tuple[RoundShape, ...]:
    """All rounds of a bracket. The last has one table, the final."""
    assert 0 < advance <= size // 2
    rounds = [RoundShape(deal(entrants, size))]
    while len(rounds[-1].tables) > 1:
        sources = qualifiers(len(rounds[-1].tables), advance, size)
        rounds.append(RoundShape(deal(len(sources), size), sources))
    return tuple(rounds)


def table_name(round: int, number: int, tables_by_round: list[int], size: int) -> str:
    """The display name of a table: "Final", "Semi-final 2", "Round 1, table 7"."""
    title = _title(round, tables_by_round, size)
    if title is None:
        return f"Round {round}, table {number}"
    return title if tables_by_round[round - 1] == 1 else f"{title} {number}"


def round_name(round: int, tables_by_round: list[int], size: int) -> str:
    """The display name of a round: "Final", "Semi-finals", "Round 1"."""
    title = _title(round, tables_by_round, size)
    if title is None:
        return f"Round {round}"
    return title if tables_by_round[round - 1] == 1 else f"{title}s"


def _title(round: int, tables_by_round: list[int], size: int) -> str | None:
    """The name of a table in this round, if the round has a special one."""
    left, tables = len(tables_by_round) - round, tables_by_round[round - 1]
    if left == 0:
        return "Final"
    if left == 1 and tables == 2:
        return "Semi-final"
    if left == 2 and tables == 4 and size == 2:
        return "Quarter-final"
    return None


Group = list[TeamId]


class TableOrder:
    """Groups of level teams, best first, with the disqualified teams and the places as played.

    At tables of four the house's seats count in a place. At tables of two only the two teams count, because the house
    only makes the game possible. A team that the referee disqualifies, even in a play-off, has the last place.
    """

    def __init__(self, result: Result, seeds: Mapping[TeamId, int], size: int) -> None:
        self.seeds = seeds
        self.size = size
        self.result = result
        self.disqualified: set[TeamId] = set(result.disqualified)
        fit = result.teams - result.disqualified
        self.groups = self.grouped(fit, result)
        self.place = dict.fromkeys(result.disqualified, size)
        for team in fit:
            self.place[team] = _among(team, fit, result) if size == 2 else result.place(team)

    def grouped(self, teams: Set[TeamId], result: Result) -> list[Group]:
        by_place: dict[int, Group] = {}
        for team in sorted(teams, key=self.seeds.__getitem__):
            by_place.setdefault(result.place(team), []).append(team)
        return [by_place[place] for place in sorted(by_place)]

    def split(self, group: Group, result: Result) -> None:
        """Order the level teams by a play-off. A team disqualified in it leaves the order."""
        at = self.groups.index(group)
        fit = set(group) - result.disqualified
        for team in fit:
            self.place[team] += _among(team, fit, result) - 1
        self.place |= dict.fromkeys(result.disqualified, self.size)
        self.disqualified |= result.disqualified
        self.groups[at : at + 1] = self.grouped(fit, result)

    def without(self, teams: Set[TeamId]) -> list[Group]:
        groups = ([team for team in group if team not in teams] for group in self.groups)
        return [group for group in groups if group]

    def remove(self, teams: Set[TeamId]) -> None:
        """Leave these teams out of the ties still to be broken. They keep their places."""
        self.groups = self.without(teams)

    def gone_before(
        self, playoff: Set[TeamId], gone: Set[TeamId], tied: Callable[[Sequence[Group]], Group]
    ) -> frozenset[TeamId] | None:
        """Return which of the `gone` had left when these teams were due a play-off. None: they never were due one."""
        candidates = [team for group in self.groups for team in group if team in gone and team not in playoff]
        subsets = (frozenset(some) for count in range(len(candidates) + 1) for some in combinations(candidates, count))
        return next((some for some in subsets if frozenset(tied(self.without(some))) == playoff), None)

    def ranked(self) -> list[TeamId]:
        """All teams by place, disqualified teams last by points. Level teams are in seed order."""

        def level(team: TeamId) -> tuple[bool, float, int]:
            disqualified = team in self.disqualified
            return disqualified, -self.result.score(team) if disqualified else self.place[team], self.seeds[team]

        return sorted(self.place, key=level)


def _among(team: TeamId, teams: Set[TeamId], result: Result) -> int:
    """The place of the team among these teams only."""
    return 1 + sum(result.place(other) < result.place(team) for other in teams)
