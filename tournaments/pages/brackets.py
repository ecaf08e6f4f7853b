"""The bracket of a stage, updated live."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.formats.plan import TableKey
from tournaments.kinds.planned import champion_of
from tournaments.kinds.sheets import Sheet
from tournaments.results.visibility import Sight
from tournaments.view_models.queries import asked_team, is_followed
from tournaments.view_models.tables import Box, box_of

TREE_HEIGHT = 16
"""The most tables in a column of the tree. Larger rounds are shown as a grid of tables."""


@dataclass(slots=True)
class Column:
    """A round. `paths` lead from its tables to the next round's, in a drawing 100 wide and 1000 high."""

    number: int
    name: str
    boxes: list[Box]
    paths: list[str] = field(default_factory=list)

    @property
    def is_last(self) -> bool:
        return not self.paths


def page(request: HttpRequest, sheet: Sheet, reader: Sight) -> HttpResponse:
    """With `?rev=N` only its live part."""
    stage = sheet.stage
    columns = columns_of(sheet)
    large = [column for column in columns if len(column.boxes) > TREE_HEIGHT]
    context: dict[str, Any] = {
        "contest": stage.contest,
        "stage": stage,
        "revision": reader.revision,
        "columns": columns,
        "teams": [row for box in columns[0].boxes for row in box.rows if row.team] if columns else [],
        "large": large,
        "large_first": any(not box.decided for column in large for box in column.boxes),
        "tree": [column for column in columns if column not in large],
        "champion": champion_of(sheet),
        "is_followed": is_followed(stage, reader),
        "is_live": not stage.has_ended,
        "mine": asked_team(request),
    }
    template = "tournaments/_bracket.html" if "rev" in request.GET else "tournaments/bracket.html"
    return render(request, template, context)


def columns_of(sheet: Sheet) -> list[Column]:
    """All rounds of a stage."""
    stage, sizes = sheet.stage, [len(tables) for tables in sheet.plan.rounds]
    found = [
        Column(
            number, stage.played_in.round_name(number, sizes, stage.options), [box_of(sheet, each) for each in tables]
        )
        for number, tables in enumerate(sheet.plan.rounds, 1)
    ]
    for here, following in reversed([*pairwise(found)]):
        if len(here.boxes) <= TREE_HEIGHT:
            _untangle(here.boxes, following.boxes, stage.options.get("advance", 1))
        here.paths = _paths(here.boxes, following.boxes, stage.options.get("advance", 1))
        for box in here.boxes:
            for row in box.rows:
                row.advances = bool(row.team and row.team.pk in box.plan.advancing)
    return found


def _untangle(boxes: list[Box], following: Sequence[Box], advance: int) -> None:
    """Sort the tables of a round by where their players go next, so that the lines do not cross."""
    heights: dict[TableKey, list[int]] = {}
    for place, index in _ways(boxes, following, advance):
        heights.setdefault(place, []).append(index)
    nowhere = [len(following)]  # for a table whose players have all left
    boxes.sort(key=lambda box: (fmean(heights.get(box.plan.key, nowhere)), box.plan.key))


def _ways(boxes: Sequence[Box], following: Sequence[Box], advance: int) -> set[tuple[TableKey, int]]:
    """Links from tables of a round to the tables of the next round (by index) that receive their players."""
    here = {box.plan.key for box in boxes}
    return {
        ((round, number), index)
        for index, box in enumerate(following)
        for seat in box.plan.seats
        if len(seat.feed) == 4
        for _, round, number, place in [seat.feed]
        if (round, number) in here and place <= advance
    }


def _paths(boxes: Sequence[Box], following: Sequence[Box], advance: int) -> list[str]:
    """Curves from tables to the tables that receive their players. Tables of a round are evenly spaced."""
    place_of = {box.plan.key: index for index, box in enumerate(boxes)}
    ways = sorted((place_of[place], index) for place, index in _ways(boxes, following, advance))

    def height(index: int, count: int) -> int:
        return round(1000 * (2 * index + 1) / (2 * count))

    ends = ((height(start, len(boxes)), height(end, len(following))) for start, end in ways)
    return [f"M0 {start}C60 {start} 40 {end} 100 {end}" for start, end in ends]
