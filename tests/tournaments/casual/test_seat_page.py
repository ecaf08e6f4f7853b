"""The pages on which people choose a game and sit, as the server draws them."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

import games
from games import get
from tests.cast import make_user
from tests.tournaments.casual.parlour import ask, table
from tournaments.casual import moves
from tournaments.casual.limits import Who
from tournaments.forms.casual import TableForm, levels
from tournaments.models import CasualSeat

pytestmark = pytest.mark.django_db

Kind = CasualSeat.Kind


class TestForm:
    @pytest.mark.parametrize("slug", games.GAMES)
    def test_the_game_alone_is_a_table_against_the_house(self, slug: str) -> None:
        form = TableForm(get(slug), None, {})
        assert form.is_valid()
        wish = form.wish()
        kinds = [place.kind for place in wish.places]
        assert kinds.count(Kind.PERSON) == 1
        assert wish.places[wish.seat].kind == Kind.PERSON
        assert {place.house for place in wish.places if place.kind == Kind.HOUSE} <= {levels(get(slug))["medium"].name}

    def test_seats_players_and_pace_are_as_chosen(self) -> None:
        sent = {"seat": "1", "player0": "open", "player2": "house:random", "pace": "quick", "listed": "on"}
        form = TableForm(get("hearts"), None, sent)
        assert form.is_valid()
        wish = form.wish()
        assert [place.kind for place in wish.places] == [Kind.PERSON, Kind.PERSON, Kind.HOUSE, Kind.HOUSE]
        assert (wish.seat, wish.places[2].house, wish.pace, wish.listed) == (1, "random", "quick", True)


class TestPages:
    def test_switched_off_there_is_nothing(self, client: Client, settings: object) -> None:
        settings.CASUAL_GAMES = False  # type: ignore[attr-defined]
        for address in (reverse("play"), reverse("play-game", args=["hearts"]), reverse("casual-table", args=[1])):
            assert client.get(address).status_code == 404
        assert client.post(reverse("play-new"), {"game": "hearts"}).status_code == 404
        assert reverse("play") not in client.get("/").content.decode()

    def test_a_seat_sees_no_card_of_the_others(self, client: Client) -> None:
        user = make_user("anna")
        game, seat = table("hearts", Who(user))
        ask(game)
        client.force_login(user)
        page = client.get(game.get_absolute_url())
        assert "no-store" in page["Cache-Control"]
        drawn = re.search(r'<div id="position">(.*?)<div class="dock"', page.content.decode(), re.S)
        assert drawn is not None
        shown = re.findall(r'<i class="card ([cdhs])( ten)?[^"]*">([0-9JQKA]+)</i>', drawn[1])
        question = moves.open_question(game, seat)
        assert question is not None
        assert len(shown) == len(question["hand"]) == 13
        assert str(game.seed) not in page.content.decode()
