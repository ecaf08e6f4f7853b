"""What the pages of a stage are made from: its plan, its matches and its teams, as far as the reader may know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from django.db.models import QuerySet

from contest.models import Team
from tournaments.formats.plan import Out, Plan, TableKey, TeamId
from tournaments.kinds.plans import Present
from tournaments.kinds.statuses import Statuses
from tournaments.models import Match, Stage


@dataclass(frozen=True)
class Sheet:
    """A stage that has a plan, as somebody may see it."""

    stage: Stage
    plan: Plan  # planned.NOTHING while there are too few entrants
    matches: Present
    teams: Mapping[TeamId, Team]
    out: Out  # the teams that may not go on
    open: QuerySet[Match]  # those that count for the reader, and of which he may see everything
    void: Mapping[TableKey, list[Match]] = field(default_factory=dict)
    withheld: frozenset[TableKey] = frozenset()  # tables whose results the reader may not see yet
    seeds: dict[TeamId, int] = field(default_factory=dict, init=False)
    _at: dict[TableKey, list[Match]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.seeds.update((team, number) for number, team in enumerate(self.stage.order, 1))
        for place, number in sorted(self.matches):
            self._at.setdefault(place, []).append(self.matches[place, number])

    @cached_property
    def statuses(self) -> Statuses:
        """What became of every seat."""
        names = {pk: team.name for pk, team in self.teams.items()}
        return Statuses(self.plan, self.matches, names, self.stage.contest)

    def at(self, place: TableKey) -> list[Match]:
        """The valid matches of a table, by number."""
        return self._at.get(place, [])

    @property
    def is_bracket(self) -> bool:
        """Do winners go on from table to table?"""
        return self.stage.played_in.is_bracket()

    @property
    def draws_by_rounds(self) -> bool:
        """Is a round drawn when the one before it is over?"""
        return self.stage.played_in.draws_by_rounds()

    @property
    def complete(self) -> int:
        """How many rounds, from the first on, have been played whole."""
        for number, tables in enumerate(self.plan.rounds):
            if not all(table.decided for table in tables):
                return number
        return len(self.plan.rounds)
