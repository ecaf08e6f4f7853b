"""What the pages of a stage are made from: its plan, its matches and its teams, as far as the reader may know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.db.models import Count, Max, Q, QuerySet, Sum

from contest.models import Team
from tournaments.formats import FormatError
from tournaments.formats.plan import Place, Plan, Ranked, Result, TeamId
from tournaments.kinds.plans import Present, Reading, order_of, read, result_of, terms_of
from tournaments.models import Match, Stage
from tournaments.results.cache import Memory
from tournaments.results.visibility import Sight

NOTHING = Plan((), False, ())


@dataclass(frozen=True, slots=True)
class Sheet:
    """A stage that has a plan, as somebody may see it."""

    stage: Stage
    plan: Plan  # NOTHING while there are too few entrants
    matches: Present
    teams: Mapping[TeamId, Team]
    out: frozenset[TeamId]  # those who may not go on
    open: QuerySet[Match]  # those that count for the reader, and of which he may see everything
    void: Mapping[Place, list[Match]] = field(default_factory=dict)
    withheld: frozenset[Place] = frozenset()  # tables whose results the reader may not see yet
    seeds: dict[TeamId, int] = field(default_factory=dict, init=False)
    _at: dict[Place, list[Match]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.seeds.update((team, number) for number, team in enumerate(self.stage.order, 1))
        for place, number in sorted(self.matches):
            self._at.setdefault(place, []).append(self.matches[place, number])

    def at(self, place: Place) -> list[Match]:
        """The valid matches of a table, by number."""
        return self._at.get(place, [])

    @property
    def complete(self) -> int:
        """How many rounds, from the first on, have been played whole."""
        for number, tables in enumerate(self.plan.rounds):
            if not all(table.decided for table in tables):
                return number
        return len(self.plan.rounds)

    def ranking_after(self, rounds: int) -> tuple[Ranked, ...]:
        """As it was when so many rounds had been played, by the results that are valid now."""
        stage = self.stage
        results: dict[Place, dict[int, Result]] = {}
        low_wins = stage.contest.game.low_wins
        for (place, number), match in self.matches.items():
            if place[0] <= rounds and match.state == Match.State.DONE:
                results.setdefault(place, {})[number] = result_of(match, low_wins)
        terms = terms_of(stage)
        if stage.played_in.by_rounds:  # the pairings are there: no need to find them again
            tables = (table for tables in self.plan.rounds[:rounds] for table in tables)
            terms |= {"rounds": rounds, "drawn": {table.place: table.teams for table in tables}}
        return stage.played_in.plan(stage.order, results, terms, self.out).ranking


def sheet_of(stage: Stage, sight: Sight) -> Sheet:
    """The same number of queries, however many tables. Here pages of a stage read results, and nowhere else.

    Of many readers who ask after every result the first one waits for the plan, the others are given what he got.
    """
    state = stage.matches.aggregate(
        made=Count("pk"),
        attempts=Sum("attempt"),
        finished=Max("finished_at"),
        torn=Max("voided_at"),
        **{name: Count("pk", filter=Q(state=name)) for name in Match.State.values},
    )
    key = (stage.pk, stage.created_at, stage.state, sight.revision, *state.values())
    return replace(MEMORY.get(key, lambda: _read(stage, sight)), stage=stage)


def _read(stage: Stage, sight: Sight) -> Sheet:
    try:
        known = read(stage, sight)
    except FormatError:
        known = Reading(NOTHING, {}, frozenset())
    void: dict[Place, list[Match]] = {}
    seen = sight.done().filter(stage=stage.pk)
    torn = sight.in_state(Match.State.VOID).filter(stage=stage.pk, pending=False)
    for match in torn.select_related("table").order_by("number", "id"):
        void.setdefault((match.table.round, match.table.number), []).append(match)
    teams = Team.objects.in_bulk(order_of(stage))
    return Sheet(stage, known.plan, known.matches, teams, known.out, seen, void, known.withheld)


MEMORY: Memory[Sheet] = Memory(8)  # for each way of seeing a stage one
