"""The base of a stage's pages: its plan, its matches and its teams, as far as the reader may know them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db.models import QuerySet

from contest.models import Team
from tournaments.formats.plan import Out, Plan, TableKey, TeamId
from tournaments.kinds.present import Present
from tournaments.kinds.statuses import Statuses
from tournaments.models import Match, Stage

T = TypeVar("T")


@dataclass(frozen=True)
class StageView:
    """A stage with a plan, as one reader may see it."""

    stage: Stage
    plan: Plan  # planned.NOTHING while there are too few entrants
    matches: Present
    teams: Mapping[TeamId, Team]
    out: Out  # the teams that may not go on
    open: QuerySet[Match]  # the matches that count for the reader and that they may see in full
    void: Mapping[TableKey, list[Match]] = field(default_factory=dict)
    withheld: frozenset[TableKey] = frozenset()  # tables whose results the reader may not see yet
    computed: dict[str, Any] = field(default_factory=dict)  # by `once`; copies of the view share it

    def once(self, name: str, compute: Callable[[], T]) -> T:
        """What follows from this view alone: computed for the first who asks, then kept for all who see the stage like
        this. Nobody may change it."""
        if name not in self.computed:
            self.computed[name] = compute()
        found: T = self.computed[name]
        return found

    @property
    def seeds(self) -> Mapping[TeamId, int]:
        """The seed numbers of the entrants."""
        return self.once("seeds", lambda: {team: number for number, team in enumerate(self.stage.order, 1)})

    @property
    def statuses(self) -> Statuses:
        """The status of every seat."""
        return self.once("statuses", self._statuses)

    def _statuses(self) -> Statuses:
        names = {pk: team.name for pk, team in self.teams.items()}
        return Statuses(self.plan, self.at, names, self.out, self.stage.contest)

    def at(self, place: TableKey) -> list[Match]:
        """The valid matches of a table, by number."""
        return self.once("at", self._by_table).get(place, [])

    def _by_table(self) -> dict[TableKey, list[Match]]:
        found: dict[TableKey, list[Match]] = {}
        for place, number in sorted(self.matches):
            found.setdefault(place, []).append(self.matches[place, number])
        return found

    def players_of(self, round: int) -> set[TeamId]:
        """The teams that are still to play in a round or, in a bracket, may reach it."""
        rounds = self.plan.rounds[0 if self.is_bracket else round - 1 : round]
        return {team for tables in rounds for table in tables if not table.decided for team in table.teams}

    @property
    def is_bracket(self) -> bool:
        """Whether winners advance from table to table."""
        return self.stage.played_in.is_bracket()

    @property
    def draws_by_rounds(self) -> bool:
        """Whether a round is drawn when the one before is over."""
        return self.stage.played_in.draws_by_rounds()

    @property
    def complete(self) -> int:
        """How many rounds, counted from the first, are over."""
        for number, tables in enumerate(self.plan.rounds):
            if not all(table.decided for table in tables):
                return number
        return len(self.plan.rounds)
