"""Keeping teams of one school apart in the first round of a bracket, where that is the option `schools_apart`.

Teams change places only with others of their row in the snake of round one (bracket_shape.py), which have nearly the
same seeds, as in the pots from which groups are drawn elsewhere. The first row stays: the highest seeds, one at each
table. The same idea in a Swiss is in swiss_pairing.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb, factorial

from tournaments.formats.bracket_shape import RoundShape

MOST_EXCHANGES = 150_000
"""How many exchanges between three or more tables are tried at most."""


def pairs_of_one_school(schools: Iterable[str]) -> int:
    return sum(comb(teams, 2) for school, teams in Counter(schools).items() if school)


def fewest_pairs(schools: Iterable[str], tables: int) -> int:
    """The pairs of one school that meet if each school is spread evenly over the tables. No draw has fewer."""
    spread = [divmod(teams, tables) for school, teams in Counter(schools).items() if school]
    return sum((tables - more) * comb(each, 2) + more * comb(each + 1, 2) for each, more in spread)


@lru_cache(maxsize=64)
def kept_apart(rounds: tuple[RoundShape, ...], schools: tuple[str, ...]) -> tuple[int, ...]:
    """Return which seed takes each slot of round one (all from 0), so that as few teams as possible meet others of
    their school there, and then as few as possible can meet in round two. `schools` are those of the seeds; "": none.

    Between two tables, all rows change at once, in the best of all ways, and the nearest tables come first. If every
    row is full, this ends with each school spread evenly, since it balances an edge colouring of the bipartite graph of
    rows and schools. With empty seats it may end too early, and exchanges between more tables follow.
    """
    return _Apart(rounds, schools).seeds()


class _Apart:
    def __init__(self, rounds: tuple[RoundShape, ...], schools: tuple[str, ...]) -> None:
        self.tables, self.schools = rounds[0].tables, schools
        self.seed = list(range(len(schools)))  # in each slot
        later = rounds[1].tables if len(rounds) > 1 else ()
        feeding = [sorted({rounds[1].sources[slot].table - 1 for slot in table}) for table in later]
        meet = [tuple(slot for table in tables for slot in self.tables[table]) for tables in feeding]
        # The slots from which teams may meet at each table, and in round two: these weigh less than one of those.
        self.groups = [
            [(len(schools) ** 2, own), *((1, slots) for slots in meet if own[0] in slots)] for own in self.tables
        ]

    def seeds(self) -> tuple[int, ...]:
        count, most = len(self.tables), max(map(len, self.tables))
        fewest = fewest_pairs(self.schools, count)
        for size in range(2, count + 1):
            exchanges = comb(count, size) * factorial(size) ** (most - 1)
            if size > 2 and (exchanges > MOST_EXCHANGES or sum(map(self.together, self.tables)) == fewest):
                break
            nearest = sorted(combinations(range(count), size), key=lambda tables: tables[-1] - tables[0])
            while sum([self.improve(tables) for tables in nearest]):
                pass
        return tuple(self.seed)

    def together(self, slots: Iterable[int]) -> int:
        return pairs_of_one_school(self.schools[self.seed[slot]] for slot in slots)

    def improve(self, tables: Sequence[int]) -> bool:
        """Exchange teams of these tables, row by row, in the best of all ways. False: none helps."""
        groups = {group for table in tables for group in self.groups[table]}
        best = sum(weight * self.together(slots) for weight, slots in groups), 0
        if not best[0]:
            return False
        rows = [[self.tables[table][row] for table in tables if row < len(self.tables[table])] for row in (1, 2, 3)]
        changing = [slot for row in rows for slot in row]
        now = kept = [self.seed[slot] for slot in changing]
        for ways in product(*(permutations([self.seed[slot] for slot in row]) for row in rows)):
            seeds = [seed for way in ways for seed in way]
            self.put(changing, seeds)
            moved = sum(abs(seed - slot) for seed, slot in zip(seeds, changing, strict=True))
            cost = sum(weight * self.together(slots) for weight, slots in groups)
            if cost < best[0] or (cost == best[0] and kept is not now and moved < best[1]):
                best, kept = (cost, moved), seeds
        self.put(changing, kept)
        return kept is not now

    def put(self, slots: Sequence[int], seeds: Sequence[int]) -> None:
        for slot, seed in zip(slots, seeds, strict=True):
            self.seed[slot] = seed
