"""The words that organisers see before they act."""

from __future__ import annotations

import pytest

from tests.tournaments.stagecraft import Hall, by_strength, finish
from tournaments.organising import stages
from tournaments.organising.stages import Wish
from tournaments.view_models import preview

pytestmark = pytest.mark.django_db


def test_the_round_that_is_played_unless_another_is_asked_for() -> None:
    """Formats with many tables show one round, read from the database."""
    hall = Hall(teams=8)
    stage = stages.create(hall.contest, hall.ada, Wish("Swiss", "swiss", {"rounds": 3, "games": 1}))
    stages.start(stage, hall.ada)
    stage.refresh_from_db()
    for match in stage.matches.all():
        finish(match, by_strength(match))
    shown = preview.stage_preview(stage)
    assert (shown.chosen, [it.name for it in shown.names], shown.asked) == (2, ["Round 1", "Round 2"], False)
    first = preview.stage_preview(stage, round=1)
    assert (first.chosen, first.asked) == (1, True)
    assert all(table.decided for table in first.rounds[0].tables)
    seats = [seat for table in first.rounds[0].tables for seat in table.seats]
    assert sorted(seat.seed for seat in seats) == list(range(1, 9))
    assert {seat.taker for seat in seats} == {"team"}
    assert preview.stage_preview(stage, round=99).chosen == 2
