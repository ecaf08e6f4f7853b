"""The rounds of a stage with their tables, and in a bracket the ways from table to table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

from tournaments.formats.plan import TableKey
from tournaments.kinds.stage_views import StageView
from tournaments.models import Match
from tournaments.organising.timetable import name_of
from tournaments.view_models.tables import TableView, table_view

TREE_HEIGHT = 16
"""The most tables in a column of the tree. Larger rounds are shown as a grid of tables."""


@dataclass(slots=True)
class RoundView:
    """A round. `paths` lead from its tables to the next round's, in a drawing 100 wide and 1000 high."""

    number: int
    name: str
    tables: list[TableView]
    paths: list[str] = field(default_factory=list)

    @property
    def is_last(self) -> bool:
        """In a bracket: whether nobody goes on from here."""
        return not self.paths

    @property
    def is_large(self) -> bool:
        return len(self.tables) > TREE_HEIGHT

    @property
    def has_aside(self) -> bool:
        """Whether a match for third place is played beside the final."""
        return any(table.is_aside for table in self.tables)

    @property
    def is_played(self) -> bool:
        """Has any of its matches a result?"""
        return any(match.state == Match.State.DONE for table in self.tables for match in table.every_match)


def bracket_of(view: StageView) -> list[RoundView]:
    """All rounds of a bracket, with the ways between them. Large rounds stand in the order of their tables."""
    stage, plan = view.stage, view.plan
    found = [
        RoundView(number, name_of(stage, number, plan), [table_view(view, it) for it in tables])
        for number, tables in enumerate(view.plan.rounds, 1)
    ]
    advance = stage.options.get("advance", 1)
    if found:
        _mark_last(view, found[-1].tables)
    for here, following in reversed([*pairwise(found)]):
        if not here.is_large:
            untangle(here.tables, following.tables, advance)
        here.paths = _paths(here.tables, following.tables, advance)
        for table in here.tables:
            table.under = here.name
            for seat in table.seats:
                seat.advances = bool(seat.team and seat.team.pk in table.plan.advancing)
    return found


def _mark_last(view: StageView, tables: Sequence[TableView]) -> None:
    """Tell which tables of the last round stand beside the final, and who has won the first three places there."""
    ranks = {each.team: each.rank for each in view.plan.ranking}
    for table in tables:
        table.is_aside = table is not tables[0]
        for seat in table.seats:
            rank = ranks.get(seat.team.pk) if seat.team and table.decided else None
            is_told = table.is_aside or rank == 1 or rank == seat.place  # else a house player came between
            seat.rank = rank if rank and rank <= 3 and is_told else None


def untangle(tables: list[TableView], following: Sequence[TableView], advance: int) -> None:
    """Sort the tables of a round by where their players go next, so that the lines do not cross."""
    heights: dict[TableKey, list[int]] = {}
    for place, index in ways_of(tables, following, advance):
        heights.setdefault(place, []).append(index)
    nowhere = [len(following)]  # for a table whose players have all left
    tables.sort(key=lambda table: (fmean(heights.get(table.plan.key, nowhere)), table.plan.key))


def ways_of(tables: Sequence[TableView], following: Sequence[TableView], advance: int) -> set[tuple[TableKey, int]]:
    """Links from tables of a round to the tables of the next round (by index) that receive their players."""
    here = {table.plan.key for table in tables}
    return {
        ((round, number), index)
        for index, table in enumerate(following)
        for seat in table.plan.seats
        if len(seat.feed) == 4
        for _, round, number, place in [seat.feed]
        if (round, number) in here and place <= advance
    }


def _paths(tables: Sequence[TableView], following: Sequence[TableView], advance: int) -> list[str]:
    """Curves from tables to the tables that receive their players.

    Tables of a round are evenly spaced; those aside do not count (bracket.css).
    """
    place_of = {table.plan.key: index for index, table in enumerate(tables)}
    ways = sorted((place_of[place], index) for place, index in ways_of(tables, following, advance))
    following = [table for table in following if not table.is_aside]

    def height(index: int, count: int) -> int:
        return round(1000 * (2 * index + 1) / (2 * count))

    ends = ((height(start, len(tables)), height(end, len(following))) for start, end in ways)
    return [f"M0 {start}C60 {start} 40 {end} 100 {end}" for start, end in ends]
