"""The sentences about seats."""

from __future__ import annotations

import pytest

from tests.tournaments.formats.test_single_elimination import FOURS, by_seed, play
from tournaments.formats.plan import Status
from tournaments.formats.wording import Names, seat_sentence

EIGHT = list(range(1, 9))


@pytest.mark.parametrize("status", list(Status))
def test_every_status_has_a_sentence(status):
    table = play(EIGHT, FOURS, by_seed(EIGHT))[0].rounds[0][0]
    seat = table.seats[1]
    said = seat_sentence(table, type(seat)(seat.feed, seat.team, status=status, place=2), Names())
    assert said.endswith(".")
    assert said[0].isupper()
