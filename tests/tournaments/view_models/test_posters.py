"""A bracket in one drawing: nothing overlaps or is missing, and every curve goes from box to box."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from tests.tournaments import scenes
from tournaments.formats.plan import TableKey
from tournaments.kinds.planned import stage_view
from tournaments.models import Stage
from tournaments.results.visibility import everything
from tournaments.view_models.brackets import bracket_of
from tournaments.view_models.posters import HEAD, WAY, Box, Poster, poster_of

pytestmark = pytest.mark.django_db


def drawn(stage: Stage) -> Poster:
    return poster_of(stage, bracket_of(stage_view(stage, everything(stage.contest))), {})


def checked(stage: Stage) -> tuple[Poster, set[TableKey]]:
    """The drawing, and the tables of which it shows where their players go."""
    poster = drawn(stage)
    for box in poster.boxes:
        assert box.x >= 0
        assert box.x + box.width <= poster.width
        assert box.y >= HEAD - 12
        assert box.y + box.height <= poster.height
    for one, other in combinations(poster.boxes, 2):
        assert one.x != other.x or one.y + one.height < other.y or other.y + other.height < one.y
    ends: dict[tuple[int, int], Box] = {}
    for box in poster.boxes:
        ends |= {(box.x, box.middle): box, (box.x + box.width, box.middle): box}
    left = set()
    for way in poster.ways:
        x1, y1, *_, x2, y2 = map(int, re.findall(r"\d+", way))
        assert abs(x1 - x2) == WAY
        rounds = {ends[point].table.plan.round: ends[point].table.plan.key for point in ((x1, y1), (x2, y2))}
        assert max(rounds) - min(rounds) == 1
        left.add(rounds[min(rounds)])
    return poster, left


@pytest.mark.parametrize(
    "teams", [2, 5, 24, *(pytest.param(many, marks=pytest.mark.long("more")) for many in (64, 128))]
)
def test_pairs_meet_in_the_middle(teams: int) -> None:
    contest = scenes.small_contest()
    scenes.enter(contest, teams)
    stage = scenes.stage_of(contest, table_size=2, third_place=True, started=False)
    poster, left = checked(stage)
    shape = {box.table.plan.key: box for box in poster.boxes}
    last = max(round for round, _ in shape)
    assert left == {key for key in shape if (2 if teams == 128 else 1) <= key[0] < last}  # 64 tables are too many
    if teams > 4:
        assert shape[last, 1].x == shape[last, 2].x  # third place, below the final
        assert shape[last, 2].y > shape[last, 1].y
        assert abs(shape[last, 1].x - (poster.width - poster.box) / 2) <= 1
        assert {0, poster.width - poster.box} <= {box.x for box in poster.boxes if box.table.plan.round == 1}
    if teams == 64:  # type of 14 is then 5.5 points on paper, or more
        assert 14 * min(281 / poster.width, 194 / poster.height) > 5.5 * 25.4 / 72
