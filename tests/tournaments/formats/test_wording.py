"""The sentences about seats."""

from __future__ import annotations

import pytest

from tests.tournaments.formats.test_single_elimination import FOURS, FOURS_TWO_ADVANCE, TWOS, by_seed, play
from tournaments import formats
from tournaments.formats.plan import Status
from tournaments.formats.wording import Names, seat_sentence

FORMAT = formats.get("single_elimination")
EIGHT = list(range(1, 9))


def sentences(plan, round=1, number=1, **known):
    table = plan.rounds[round - 1][number - 1]
    tables = plan.tables()
    names = Names(
        teams={team: f"Team {team}" for team in EIGHT},
        tables={each.key: each.name for each in tables},
        next_table={(each.round, team): each.name for each in tables for team in each.teams},
        **known,
    )
    return [seat_sentence(table, seat, names) for seat in table.seats]


def played(options=FOURS, out=None, order=EIGHT):
    return FORMAT.plan(order, play(order, options, by_seed(order))[1], options, out or {})


def test_of_a_bracket_as_it_is_played():
    assert sentences(FORMAT.plan(EIGHT, {}, TWOS)) == ["Plays here.", "Plays here."]
    assert sentences(FORMAT.plan(EIGHT, {}, TWOS), 2) == ["Winner of quarter-final 1.", "Winner of quarter-final 4."]
    assert sentences(played(TWOS)) == ["Came first and advanced to semi-final 1.", "Came second; the winner advanced."]
    assert sentences(played())[1:3] == ["Came second; the best one advanced.", "Came third; the best one advanced."]
    assert sentences(played(FOURS_TWO_ADVANCE))[2] == "Came third; the best two advanced."
    assert sentences(played(), 2)[:2] == ["Came first of four.", "Came second of four."]
    assert sentences(played(TWOS, order=[1, 2, 3]), 1)[0] == "Advanced without an opponent."


def test_teams_that_leave_and_teams_that_move_up():
    _, results = play(EIGHT, FOURS, by_seed(EIGHT), rounds=1)
    left = FORMAT.plan(EIGHT, results, FOURS, {1: Status.WITHDREW})
    assert sentences(left)[:2] == ["Came first, then withdrew.", "Came second; advanced because Team 1 withdrew."]
    put_out = FORMAT.plan(EIGHT, results, FOURS, {1: Status.DISQUALIFIED_ORGANISERS})
    assert sentences(put_out, left_on={1: "3 May"})[:2] == [
        "Came first; the organisers disqualified the team on 3 May.",
        "Came second; advanced because the organisers disqualified Team 1.",
    ]


@pytest.mark.parametrize("status", list(Status))
def test_every_status_has_a_sentence(status):
    table = played().rounds[0][0]
    seat = table.seats[1]
    said = seat_sentence(table, type(seat)(seat.feed, seat.team, status=status, place=2), Names())
    assert said.endswith(".")
    assert said[0].isupper()
