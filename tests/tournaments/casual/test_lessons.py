"""Lessons at a real table: the deal, the house and the words are those of the game's coach."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games import GAMES
from games.coach import coach_of
from games.engine import Game
from games.record import loads, verify
from tests.games.classroom import lesson, lowest
from tests.tournaments.casual.parlour import ServerProcess, wait_until_asked
from tournaments.casual import lessons, moves, tables
from tournaments.casual.limits import Who
from tournaments.models import CasualGame

pytestmark = pytest.mark.django_db(transaction=True)


def start(game: Game) -> CasualGame:
    plan = lessons.of(game)
    assert plan is not None
    table, _ = tables.set_up(lessons.wish(game, plan), Who())
    return table


def lowest_answer(question: dict[str, object]) -> dict[str, object]:
    cards, choose = question["cards"], question["choose"]
    assert isinstance(cards, list)
    assert isinstance(choose, int)
    return {"cards": cards[:choose]} if choose else {"answer": 0}


def test_at_the_table_a_learner_reads_what_the_coach_says_of_the_deal(
    casual_server: Callable[..., ServerProcess],
) -> None:
    casual_server()
    for game in GAMES.values():
        coach = coach_of(game)
        assert coach is not None
        table = start(game)
        read = []
        while (seat := wait_until_asked(table)) is not None:
            question = moves.open_question(table, seat)
            assert question is not None
            read.append(question["advice"])
            moves.answer(table, seat, question["number"], lowest_answer(question))
        expected = [advice.data() for advice in lesson(coach, lowest)]
        assert read[0] == expected[0]
        assert read[0]["welcome"] == coach.lesson.welcome
        assert read == expected[:-1]
        record = loads(table.text())
        assert verify(record) is None
        assert len(record["seats"]) == game.seats[1]
