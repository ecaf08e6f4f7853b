"""The films of matches: who may read them, for how long, and that they are made once."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from contest.models import Contest, Team
from contest.replay import Replay
from contest.replay.film import film_of, packed
from tests.cast import Cast, make_cast
from tests.film_reader import film_addresses
from tests.tournaments import scenes
from tests.tournaments.records import Scripted
from tests.tournaments.visitors import visitor
from tournaments.models import Match, Record, Stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(options={"target": 25})


@pytest.fixture
def match(cast: Cast) -> Match:
    scenes.arm(cast.aces, cast.clubs)
    match = scenes.stage_of(cast.contest, "Cup").matches.get()
    return scenes.play_match(match, lambda seat: Scripted(says=f"{seat.name} think"))


def addresses(match: Match, client: Client, part: str = "film") -> dict[str, str]:
    """By view, as the page gives them."""
    return film_addresses(client.get(reverse("replay", args=[match.pk, 1])).text, part)


def test_the_round_that_is_shown_comes_before_the_game(match: Match, client: Client) -> None:
    page = client.get(reverse("replay", args=[match.pk, 1])).text
    address = film_addresses(page)["0"]
    replay = Replay(match.record.loaded(), 1, "0", "/")
    assert film_addresses(page, "new") == list(replay.views)
    assert len(replay.rounds) > 1
    for this in replay.rounds:
        answer = client.get(f"{address}&round={this.number}")
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        film = json.loads(answer.content)
        assert film["from"] == this.first
        assert film["stops"] == json.loads(packed(film_of(replay)))["stops"]
    assert client.get(f"{address}&round=2").content != client.get(f"{address}&round=1").content
    for wrong in ("0", "99", "x", "1 "):
        assert client.get(f"{address}&round={wrong}").status_code == 404
    assert client.get(f"{address.replace('view=0', 'view=1')}&round=1").status_code == 404

    whole = client.get(address).content
    assert "from" not in json.loads(whole)
    assert client.get(f"{address}&round=2").content == whole, "it is there, so nobody needs a round"
    page = client.get(reverse("replay", args=[match.pk, 1])).text
    assert film_addresses(page, "new") == [view for view in replay.views if view != "0"]


def test_an_address_is_good_for_what_it_was_given_for_alone(match: Match, client: Client) -> None:
    here = addresses(match, client)
    address = here["0"]
    assert client.get(address.replace("view=0", "view=1")).status_code == 404
    assert client.get(address.replace("film=", "asked=")).status_code == 404
    for other in here.values():
        client.get(other)  # they are all there now
    assert client.get(address.replace("view=0", "view=table")).status_code == 404
    Team.objects.filter(pk=match.seats.exclude(team=None)[0].team_id).update(name="Renamed")
    match.seats.update(own_name="Rosie")
    assert addresses(match, client)["0"] != address
    Record.objects.filter(match=match).update(sha256="0" * 64)
    assert client.get(address).status_code == 404, "the film of a record that is no longer there"


def test_who_may_not_see_the_match_reads_no_film_by_an_old_address(cast: Cast, match: Match, client: Client) -> None:
    address = addresses(match, client)["table"]
    assert client.get(address).status_code == 200  # it is kept now

    Contest.objects.filter(pk=cast.contest.pk).update(visibility="private")
    assert client.get(address).status_code == 404
    for user in (cast.carl, cast.olga):
        answer = visitor(user).get(address)
        assert answer.status_code == 200
        assert answer["Cache-Control"] == "private, max-age=31536000, immutable"

    Contest.objects.filter(pk=cast.contest.pk).update(visibility="public")
    Stage.objects.filter(pk=match.stage_id).update(state="draft")
    assert [visitor(user).get(address).status_code for user in (None, cast.carl, cast.zoe)] == [404] * 3
    answer = visitor(cast.olga).get(address)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, max-age=31536000, immutable")


def test_standard_error_is_fetched_by_those_who_may_read_it(cast: Cast, match: Match) -> None:
    url = reverse("replay", args=[match.pk, 1])
    for user, expected in ((None, set()), (cast.carl, {"Clubs"}), (cast.olga, {"Clubs", "Aces"})):
        client = visitor(user)
        answer = client.get(url, {"debug": "1"})
        assert answer["Cache-Control"] == "private, no-cache"
        said = " ".join(text for pieces in answer.json().values() for _, text in pieces)
        assert {name for name in ("Clubs", "Aces") if f"{name} think" in said} == expected
        assert ("?debug=1" in client.get(url).text) is bool(expected)
