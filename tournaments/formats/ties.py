"""The order of the teams at a table of a bracket: who is level, before and after play-offs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from itertools import combinations

from tournaments.formats.plan import Result, TeamId

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
