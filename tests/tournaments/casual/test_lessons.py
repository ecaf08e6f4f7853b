"""Lessons at a real table: the deal, the house and the words are those of the game's coach."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import GAMES
from games.coach import coach_of
from games.engine import Game
from games.record import loads, verify
from tests.cast import make_contest, make_user
from tests.games.classroom import lesson, lowest
from tests.tournaments.casual.parlour import ServerProcess, wait_until_asked
from tournaments.casual import lessons, moves, tables
from tournaments.casual.limits import Who
from tournaments.models import CasualGame

FORM = re.compile(r"<form.*?</form>", re.DOTALL)

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


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_rules_and_contest_lead_to_the_lesson(client: Client, settings: Any, game: Game) -> None:
    contest = make_contest(game=game.slug, preset=game.presets[0].name)
    rules, home = reverse("rules", args=[contest.slug]), contest.get_absolute_url()
    (form,) = [found for found in FORM.findall(client.get(rules).text) if 'name="lesson"' in found]
    fields = dict(re.findall(r'<input type="hidden" name="(game|lesson)" value="([^"]*)"', form))
    assert f"{reverse('play-game', args=[game.slug])}#learn" in client.get(home).text
    sent = client.post(reverse("play-new"), fields)
    assert sent.status_code == 302
    table = CasualGame.objects.get()
    assert sent["Location"] == table.get_absolute_url()
    assert (table.seed, table.lesson, table.is_playing) == (coach_of(game).lesson.seed, True, True)  # type: ignore[union-attr]
    assert client.get(table.get_absolute_url()).status_code == 200
    settings.CASUAL_GAMES = False
    client.force_login(make_user("ada"))
    assert 'name="lesson"' not in client.get(rules).text
