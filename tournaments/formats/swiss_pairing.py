"""Who meets whom in the next round of a Swiss: pure functions of the standings and of who has met.

Tables of two. Teams are sorted by points and then by seed. Within equal points the upper half meets the lower half:
first against first, second against second. A pair with different points costs the square of the difference; a pair
that is not opposite each other costs the distance to the ideal opponent. The pairing is a perfect matching of maximum
weight (networkx), so no pair meets again if any pairing can avoid it. With an odd number, the bye goes to the lowest of
the teams with the fewest byes.

The matching is computed in small parts. The smallest groups of neighbouring points with an even number of teams are
solved alone, first among near neighbours. If there is no solution without a repeat, neighbours further away are
included, and finally the next group. If the whole field has no solution, one matching of everybody with everybody,
including the bye, minimises repeats, then the rank of the bye, then differences in points.

If schools are to be kept apart, a pair of one school costs less than any difference in points, and more than the
distances from ideal opponents. In large groups, pairs then exchange opponents, so that this holds beyond neighbours.

Tables of four. Teams are sorted by points and then at random, and cut into fours. The last table is the weakest and may
have fewer teams. Then teams are exchanged between tables within reach, as long as that reduces repeats: first teams
with equal points, then also teams at most one point apart. If schools are to be kept apart, teams with equal points are
then exchanged between any tables, as long as that leads to no further repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, product

from tournaments.formats.plan import TeamId
from tournaments.formats.schools import fewest_pairs, pairs_of_one_school

Pair = tuple[TeamId, TeamId]
"""The lower id first."""

NEAR = (6, 24, 96)
"""The distances, in places of the order, within which opponents are tried first."""

SMALL = 32
"""The size of a group up to which all pairs are considered at once."""

REACH = 3
"""The number of tables across which teams are exchanged."""

NEAREST = 6
"""How many tables next to the incomplete one exchange with it only to make another exchange possible."""

REPEAT = 8
"""What a repeat weighs at a table of four: more than the pairs of one school that an exchange can make."""


@dataclass(frozen=True)
class Field:
    """Everybody who is to play, best first, with what came before. Hashable, so that each draw is computed once."""

    teams: tuple[TeamId, ...]
    points: tuple[float, ...]  # parallel
    met: frozenset[tuple[Pair, int]]  # how often each pair has met, if it has
    byes: tuple[int, ...] = ()  # parallel
    schools: tuple[str, ...] = ()  # parallel, to be kept apart; "": none


def pair_of(one: TeamId, other: TeamId) -> Pair:
    return (one, other) if one < other else (other, one)


# Two at a table -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def duels(field: Field) -> tuple[tuple[TeamId, ...], ...]:
    """The pairs, strongest first, each with its better team first. With an odd number, the bye comes last."""
    return _Duels(field).tables()


class _Duels:
    def __init__(self, field: Field) -> None:
        self.teams = field.teams
        self.points = dict(zip(field.teams, field.points, strict=True))
        self.at = {team: at for at, team in enumerate(field.teams)}
        self.met: Mapping[Pair, int] = dict(field.met)
        self.byes = dict(zip(field.teams, field.byes or (0,) * len(field.teams), strict=True))
        self.schools = dict(zip(field.teams, field.schools, strict=False))

    def tables(self) -> tuple[tuple[TeamId, ...], ...]:
        if not self.teams:
            return ()
        playing, alone = list(self.teams), self.may_rest()[:1]
        if alone:
            playing.remove(alone[0])
        pairs = self.in_groups(playing)
        if pairs is None:
            pairs, alone = self.of_all()
        ordered = self.in_order(pairs)
        if self.schools:
            while sum([self.exchange(ordered, at) for at in range(len(ordered))]):
                pass
            ordered = self.in_order(ordered)
        return (*ordered, *((team,) for team in alone))

    def in_order(self, pairs: Iterable[Pair]) -> list[Pair]:
        ordered = (sorted(pair, key=self.at.__getitem__) for pair in pairs)
        return sorted(((better, other) for better, other in ordered), key=lambda pair: self.at[pair[0]])

    def exchange(self, pairs: list[Pair], at: int) -> bool:
        """Exchange opponents between a pair of one school and the nearest that helps. False: none does."""
        one, other = pairs[at]
        if not self.strain(pairs[at])[2]:
            return False
        for near in sorted(range(len(pairs)), key=lambda there: abs(there - at)):
            third, fourth = pairs[near]
            now = self.strain(pairs[at], pairs[near])
            for ways in (((one, fourth), (third, other)), ((one, third), (other, fourth))):
                if near != at and self.strain(*ways) < now:
                    pairs[at], pairs[near] = ways
                    return True
        return False

    def strain(self, *pairs: Pair) -> tuple[int, int, int]:
        """What to avoid, the worst first: repeats, the squares of differences in points, pairs of one school."""
        repeats = sum(self.met.get(pair_of(*pair), 0) for pair in pairs)
        gaps = sum(round((2 * (self.points[one] - self.points[other])) ** 2) for one, other in pairs)
        return repeats, gaps, sum(map(self.is_of_one_school, pairs))

    def is_of_one_school(self, pair: Pair) -> bool:
        one, other = map(self.schools.get, pair)
        return bool(one) and one == other

    def may_rest(self) -> list[TeamId]:
        """The teams that may have the bye, the lowest first."""
        if len(self.teams) % 2 == 0:
            return []
        fewest = min(self.byes.values())
        return [team for team in reversed(self.teams) if self.byes[team] == fewest]

    def in_groups(self, playing: Sequence[TeamId]) -> list[Pair] | None:
        """Pair all with opponents they have not met. None if that is impossible."""
        groups = self.groups(playing)
        found: list[list[Pair]] = []
        at = 0
        while at < len(groups):
            pairs = self.without_repeats(groups[at])
            if pairs is not None:
                found.append(pairs)
                at += 1
            elif len(groups) == 1:
                return None
            else:
                at = min(at, len(groups) - 2)
                groups[at : at + 2] = [groups[at] + groups[at + 1]]
                del found[at:]
        return [pair for pairs in found for pair in pairs]

    def groups(self, playing: Sequence[TeamId]) -> list[list[TeamId]]:
        """The smallest groups of neighbouring points with an even number of teams."""
        groups: list[list[TeamId]] = []
        for _, level in groupby(playing, key=self.points.__getitem__):
            if groups and len(groups[-1]) % 2:
                groups[-1] += level
            else:
                groups.append(list(level))
        return groups

    def without_repeats(self, group: Sequence[TeamId]) -> list[Pair] | None:
        widths = [width for width in NEAR if width < len(group)] if len(group) > SMALL else []
        for width in [*widths, len(group)]:
            costs = {pair: cost for pair, cost in self.costs(group, width) if pair not in self.met}
            pairs = perfect(group, costs)
            if pairs is not None:
                return pairs
        return None

    def costs(self, group: Sequence[TeamId], width: int) -> Iterator[tuple[Pair, int]]:
        """The pairs that are at most `width` places off, each with its cost."""
        step = len(group) ** 2 + 1  # more than all pairs of a group together can be off
        gap_step = step * (len(group) if self.schools else 1)  # more than all pairs of one school
        start = 0
        for _, members in groupby(group, key=self.points.__getitem__):
            end = start + len(list(members))
            half = (end - start) // 2
            for at in range(start, end):
                for other in range(max(at + 1, at + half - width), min(end, at + half + width + 1)):
                    pair = pair_of(group[at], group[other])
                    yield pair, abs(other - at - half) + step * self.is_of_one_school(pair)
                for other in range(end, min(len(group), at + width + 1)):
                    pair = pair_of(group[at], group[other])
                    gap = self.points[group[at]] - self.points[group[other]]
                    yield pair, other - at + step * self.is_of_one_school(pair) + gap_step * round((2 * gap) ** 2)
            start = end

    def of_all(self) -> tuple[list[Pair], list[TeamId]]:
        """Pair everybody when a repeat is unavoidable: fewest repeats, the lowest bye, the nearest points."""
        resting = self.may_rest()
        costs = dict(self.costs(self.teams, len(self.teams)))
        higher = len(self.teams) * (max(costs.values(), default=0) + 1)  # more than all pairs together
        nobody = -1
        for pair, times in self.met.items():
            if pair in costs:
                costs[pair] += times * higher * len(self.teams)
        for rank, team in enumerate(resting):
            costs[nobody, team] = rank * higher
        pairs = perfect([*self.teams, nobody] if resting else self.teams, costs)
        assert pairs is not None
        alone = [team for pair in pairs if nobody in pair for team in pair if team != nobody]
        return [pair for pair in pairs if nobody not in pair], alone


def perfect(nodes: Sequence[int], costs: Mapping[Pair, int]) -> list[Pair] | None:
    """The cheapest set of pairs that covers every node once. None if there is none."""
    free = [pair for pair, cost in costs.items() if cost == 0]
    if 2 * len(free) == len(nodes) == len({node for pair in free for node in pair}):
        return free
    import networkx as nx  # noqa: PLC0415  (20 MB, and most processes pair nobody)

    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_weighted_edges_from((one, other, -cost) for (one, other), cost in costs.items())
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    return [pair_of(*pair) for pair in matching] if 2 * len(matching) == len(nodes) else None


# Four at a table ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def fours(field: Field) -> tuple[tuple[TeamId, ...], ...]:
    """The tables, strongest first; the last may have fewer than four."""
    return _Fours(field).tables()


class _Fours:
    def __init__(self, field: Field) -> None:
        self.points = dict(zip(field.teams, field.points, strict=True))
        self.met: Mapping[Pair, int] = dict(field.met)
        self.schools = dict(zip(field.teams, field.schools, strict=False))
        self.by_school = False  # from the moment on when repeats are as few as can be
        self.fours = [list(field.teams[at : at + 4]) for at in range(0, len(field.teams), 4)]

    def tables(self) -> tuple[tuple[TeamId, ...], ...]:
        for apart in (0.0, 1.0):
            while sum([self.improve(at, apart) for at in range(len(self.fours))]):
                pass
        if self.schools:
            self.by_school = True
            while sum([self.improve(at, 0.0) for at in range(len(self.fours))]) or self.improve_by_way():
                pass
        return tuple(map(tuple, self.fours))

    def strain(self, team: TeamId, others: Iterable[TeamId]) -> int:
        """How often it has met the others, where each further meeting counts more, and how many are of its school."""
        others = [other for other in others if other != team]
        repeats = sum(self.met.get(pair_of(team, other), 0) ** 2 for other in others)
        school = self.schools.get(team) if self.by_school else ""
        return REPEAT * repeats + (sum(self.schools[other] == school for other in others) if school else 0)

    def improve(self, at: int, apart: float) -> bool:
        """Make the best exchange between a table and those within reach. False: no exchange helps."""
        here = self.fours[at]
        if not any(self.strain(team, here) for team in here):
            return False
        best = (0, at, 0, 0)
        reach = len(self.fours) if self.by_school else REACH
        for there in range(max(0, at - reach), min(len(self.fours), at + reach + 1)):
            if there == at:
                continue
            for mine, theirs in product(range(len(here)), range(len(self.fours[there]))):
                gain = self.gain(here, mine, self.fours[there], theirs, apart)
                if gain > best[0]:
                    best = (gain, there, mine, theirs)
        gain, there, mine, theirs = best
        self.exchange(at, mine, there, theirs)
        return gain > 0

    def improve_by_way(self) -> bool:
        """Make an exchange with the incomplete table that costs nothing, if another one then helps. Single exchanges
        may not lead to the fewest pairs of one school."""
        *others, last = range(len(self.fours))
        if len(self.fours[last]) == 4 or self.is_even():
            return False
        for at, mine, theirs in product(others[-NEAREST:], range(4), range(len(self.fours[last]))):
            level = self.points[self.fours[at][mine]] == self.points[self.fours[last][theirs]]
            if level and self.gain(self.fours[at], mine, self.fours[last], theirs, 0.0) == 0:
                self.exchange(at, mine, last, theirs)
                if self.improve(at, 0.0):
                    return True
                self.exchange(at, mine, last, theirs)
        return False

    def is_even(self) -> bool:
        """Whether no draw has fewer pairs of one school."""
        now = sum(pairs_of_one_school(self.schools[team] for team in table) for table in self.fours)
        return now == fewest_pairs(self.schools.values(), len(self.fours))

    def exchange(self, at: int, mine: int, there: int, theirs: int) -> None:
        here, other = self.fours[at], self.fours[there]
        here[mine], other[theirs] = other[theirs], here[mine]

    def gain(self, here: Sequence[TeamId], mine: int, there: Sequence[TeamId], theirs: int, apart: float) -> int:
        """By how much exchanging two teams reduces repeats and pairs of one school; 0 if their points are too far
        apart."""
        one, other = here[mine], there[theirs]
        if abs(self.points[one] - self.points[other]) > apart:
            return 0
        left, right = [team for team in here if team != one], [team for team in there if team != other]
        now = self.strain(one, left) + self.strain(other, right)
        return now - self.strain(other, left) - self.strain(one, right)
