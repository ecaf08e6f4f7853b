"""The shape of a bracket: how many rounds and tables, who sits where. Known before anything is played.

A round is a row of *slots* in the order of strength: the seeds in round one, later the qualifiers of the round
before. Slots are dealt to the tables like a snake (1 2 3 / 6 5 4 / 7 8 9), except that a last row that is not full
starts at the weakest table, so that empty chairs stand at the tables of the highest seeds. Slots 1 and 2 never share
a table before the final, and the first qualifier of table t takes slot t of the next round: that keeps seeds 1 and 2
apart.

With fours a round has the fewest tables. With twos the first round has a power of two, and byes for as many of the
highest seeds as are missing to the next one: this is the standard bracket (1-8 and 4-5 in one half, 2-7 and 3-6 in the
other), nobody has a second bye, and every later round is full.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Qualifier:
    """The k-th (from 0) of those who advance from a table (its number from 1) of the round before."""

    table: int
    rank: int


@dataclass(frozen=True, slots=True)
class RoundShape:
    """`tables[t]`: the slots (from 0) at table t + 1, strongest first. `sources[s]`: who takes slot s after round 1."""

    tables: tuple[tuple[int, ...], ...]
    sources: tuple[Qualifier, ...] = ()


def table_of(slot: int, slots: int, tables: int) -> int:
    """The table (from 0) at which a slot (from 0) sits."""
    row, column = divmod(slot, tables)
    is_full = (row + 1) * tables <= slots
    return column if row % 2 == 0 and is_full else tables - 1 - column


def tables_for(slots: int, size: int) -> int:
    """How many tables a round has."""
    if size == 2:
        return 1 << (slots - 1).bit_length() - 1
    return -(-slots // size)


def deal(slots: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Slots over the tables of a round: for each table its slots, strongest first."""
    count = tables_for(slots, size)
    tables: list[list[int]] = [[] for _ in range(count)]
    for slot in range(slots):
        tables[table_of(slot, slots, count)].append(slot)
    return tuple(tuple(table) for table in tables)


def qualifiers(tables: int, advance: int, size: int) -> tuple[Qualifier, ...]:
    """Who takes which slot of the next round: the firsts by their table's number, then the seconds.

    The seconds come in the reverse order, as the snake expects them to be strong, changed as little as is needed for
    nobody to meet the other qualifier of its table again. That is always possible unless the next round is one table.
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

    taken: dict[int, int] = {}  # table whose second → slot

    def seat(slot: int, tried: set[int]) -> bool:
        """Kuhn's augmenting path: give the slot its first choice; whoever had it looks for another."""
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
    """All rounds of a bracket; the last has one table, the final."""
    assert 0 < advance <= size // 2
    rounds = [RoundShape(deal(entrants, size))]
    while len(rounds[-1].tables) > 1:
        sources = qualifiers(len(rounds[-1].tables), advance, size)
        rounds.append(RoundShape(deal(len(sources), size), sources))
    return tuple(rounds)


def table_name(round: int, number: int, tables_by_round: list[int], size: int) -> str:
    """What people call a table: "Final", "Semi-final 2", "Round 1, table 7"."""
    title = _title(round, tables_by_round, size)
    if title is None:
        return f"Round {round}, table {number}"
    return title if tables_by_round[round - 1] == 1 else f"{title} {number}"


def round_name(round: int, tables_by_round: list[int], size: int) -> str:
    """What people call a round: "Final", "Semi-finals", "Round 1"."""
    title = _title(round, tables_by_round, size)
    if title is None:
        return f"Round {round}"
    return title if tables_by_round[round - 1] == 1 else f"{title}s"


def _title(round: int, tables_by_round: list[int], size: int) -> str | None:
    """What a table of the round is, where it has a name of its own."""
    left, tables = len(tables_by_round) - round, tables_by_round[round - 1]
    if left == 0:
        return "Final"
    if left == 1 and tables == 2:
        return "Semi-final"
    if left == 2 and tables == 4 and size == 2:
        return "Quarter-final"
    return None
