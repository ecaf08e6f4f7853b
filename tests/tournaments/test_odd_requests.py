"""What nobody would type by accident, sent to the pages of replays and tables: answered, never an error of ours."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.core.exceptions import BadRequest
from django.db import DataError, connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from contest import contests, middleware
from tests.cast import Cast, make_cast
from tests.tournaments import scenes
from tests.tournaments.casual import parlour
from tests.tournaments.visitors import visitor
from tournaments.casual.limits import Who
from tournaments.feeds import writing
from tournaments.models import Match, Note

pytestmark = pytest.mark.django_db
BROKEN = ["http://[", "//[", "http://[::1/m/1/1/", "/m/1/1/\x00", "\x00", "/m/99999999999999999999/1/", "/" * 5000]


@pytest.fixture
def cast() -> Cast:
    return make_cast(options={"target": 25})


@pytest.fixture
def match(cast: Cast) -> Match:
    scenes.arm(cast.aces, cast.clubs)
    return scenes.play_match(scenes.stage_of(cast.contest, "Cup").matches.get())


@pytest.mark.parametrize("address", BROKEN)
def test_addresses_that_are_none(match: Match, address: str) -> None:
    assert Client().post(reverse("casual-from"), {"at": address, "ply": "3"}).status_code == 404


@pytest.mark.parametrize("game", ["999", "0", "99999999999999999999"])
def test_games_that_there_are_not(cast: Cast, match: Match, game: str) -> None:
    client = visitor(cast.carl)
    at = f"/m/{match.pk}/{game}/"
    assert client.post(reverse("casual-from"), {"at": at, "ply": "3"}).status_code in (302, 404)
    assert client.post(f"{at}from/", {"ply": "3"}).status_code in (302, 404, 422)


def test_text_that_no_database_takes(cast: Cast, match: Match) -> None:
    """PostgreSQL refuses it, SQLite does not mind (`./run test --postgresql`)."""
    client, guest = visitor(cast.carl), Client()
    note = {"text": "a\x00b", "audience": "team", "ply": "3"}
    table = {"game": "hearts", "name": "a\x00b"}
    for answer in [
        guest.post(reverse("casual-code"), {"code": "A\x00"}),
        guest.get("/following/feed/a%00.atom"),
        guest.get("/people/a%00/"),
        client.post(reverse("note-write", args=[match.pk, 1]), note),
        client.post(reverse("play-new"), table),
    ]:
        assert answer.status_code < 500, answer.request["PATH_INFO"]
    assert not Note.objects.filter(text__contains="a").exists() or connection.vendor == "sqlite"


def test_what_the_database_refuses_for_other_reasons_is_an_error_of_ours() -> None:
    layer = middleware.Failures(lambda request: HttpResponse())
    requests = RequestFactory()
    layer.process_exception(requests.get("/"), DataError("value too long"))
    layer.process_exception(requests.get("/", {"a": "\x00"}), ValueError())
    for odd in (requests.get("/", {"a": "\x00"}), requests.post("/", {"a": "\x00"}), requests.get("/a%00/")):
        with pytest.raises(BadRequest):
            layer.process_exception(odd, DataError("no NUL"))


def test_a_move_that_is_anything(cast: Cast) -> None:
    game, seat = parlour.table("hearts", Who(user=cast.carl))
    game.asked, game.asked_seat = 1, seat.index
    game.save()
    client = visitor(cast.carl)
    address = reverse("casual-move", args=[game.pk])
    odd = ["3", "[[1]]", "[null]", '{"a": 1}', "1e999", "-1", "9" * 30, "[1]", "{}", '"9d"', "NaN", '"\\u0000"', "true"]
    odd.append('["\\ud800"]')
    bodies = ["[]", "null", "1e999", "{}", '{"decision": 1}', "[" * 4000, "\xff", '{"decision": -1, "answer": 0}']
    bodies += [f'{{"decision": {value}, "answer": 0}}' for value in odd]
    bodies += [f'{{"decision": 1, "{name}": {value}}}' for name in ("cards", "answer") for value in odd]
    for body in bodies:
        answer = client.post(address, body, content_type="application/json")
        assert answer.status_code == 409, (body, answer.status_code)
    for form in ({"decision": "1", "cards": ["\x00", "9" * 400]}, {"decision": "x"}, {"answer": "-1", "decision": "1"}):
        assert client.post(address, form).status_code == 302
    assert not game.moves.exists()


def test_a_feed_is_xml_whatever_people_write(cast: Cast) -> None:
    contests.announce(cast.contest, cast.olga, "Lunch \x0b\x1b <b>", "\x08")
    writing.tell_others(timezone.now())
    answer = Client().get(reverse("contest-feed", args=[cast.contest.slug]))
    assert answer.status_code == 200
    ElementTree.fromstring(answer.content)
