"""Who is level at a table of a bracket, and who is not any more after a play-off."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from itertools import combinations

from tournaments.formats.plan import Result, TeamId

Group = list[TeamId]


class Standing:
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
