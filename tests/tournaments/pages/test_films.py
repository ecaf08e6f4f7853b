"""The films of matches: who may read them, for how long, and that they are made once."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from django.conf import settings
from django.test import Client
from django.urls import reverse

from contest.models import Contest, Team
from contest.replay import Replay, films
from contest.replay.film import film_of, packed
from tests.cast import Cast, make_cast
from tests.film_reader import film_addresses
from tests.tournaments import scenes
from tests.tournaments.records import Scripted
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


def as_(user: Any) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def addresses(match: Match, client: Client, part: str = "film") -> dict[str, str]:
    """By view, as the page gives them."""
    return film_addresses(client.get(reverse("replay", args=[match.pk, 1])).text, part)


@pytest.mark.long("more")
def test_a_film_is_compressed_made_once_and_may_be_kept_for_ever(match: Match, client: Client) -> None:
    for part in ("film", "asked"):
        for view, address in addresses(match, client, part).items():
            plain = client.get(address)
            assert plain.status_code == 200
            assert plain["Cache-Control"] == "public, max-age=31536000, immutable"
            assert plain["Vary"].startswith("Accept-Encoding")
            packed = client.get(address, headers={"Accept-Encoding": "gzip, deflate"})
            assert packed["Content-Encoding"] == "gzip"
            assert gzip.decompress(packed.content) == plain.content
            smaller = client.get(address, headers={"Accept-Encoding": "gzip, br;q=0.9, zstd"})
            assert smaller["Content-Encoding"] == "zstd"
            assert zstandard.ZstdDecompressor().decompress(smaller.content) == plain.content
            assert "Content-Encoding" not in client.get(address, headers={"Accept-Encoding": "zstd;q=0"})
            assert "think" not in plain.text, (part, view)
    assert json.loads(client.get(addresses(match, client, "asked")["hidden"]).content) == {}


def test_a_kept_film_is_not_made_again(match: Match, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = addresses(match, client)["table"]
    first = client.get(address).content
    monkeypatch.setitem(films.PARTS, "film", None)  # whoever made another would fail
    assert client.get(address).content == first


def test_nobody_waits_in_a_thread_for_a_film_that_another_makes(match: Match, client: Client) -> None:
    address = addresses(match, client)["table"]
    answers = []

    def meanwhile(replay: Any) -> Any:
        answers.append(client.get(address))
        return film_of(replay)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(films.PARTS, "film", meanwhile)
        assert client.get(address).status_code == 200
    [other] = answers
    assert (other.status_code, other["Retry-After"], other["Cache-Control"]) == (503, "1", "no-store")
    assert client.get(address).status_code == 200


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


def test_rounds_can_be_read_while_the_game_is_being_made(match: Match, client: Client) -> None:
    address = addresses(match, client)["table"]
    answers = []

    def meanwhile(replay: Any) -> Any:
        answers.append(client.get(f"{address}&round=1"))
        return film_of(replay)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(films.PARTS, "film", meanwhile)
        client.get(address)
    [other] = answers
    assert (other.status_code, json.loads(other.content)["from"]) == (200, 0)


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
        answer = as_(user).get(address)
        assert answer.status_code == 200
        assert answer["Cache-Control"] == "private, max-age=31536000, immutable"

    Contest.objects.filter(pk=cast.contest.pk).update(visibility="public")
    Stage.objects.filter(pk=match.stage_id).update(state="draft")
    assert [as_(user).get(address).status_code for user in (None, cast.carl, cast.zoe)] == [404] * 3
    answer = as_(cast.olga).get(address)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, max-age=31536000, immutable")


def test_the_place_of_films_has_a_bound(match: Match, client: Client, tmp_path: Path) -> None:
    for number in range(10):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name in ("key.zst", "key.gz"):
            (folder / name).write_bytes(b"x" * 1000)
    films.prune(tmp_path, 20_000)
    assert len(list(tmp_path.iterdir())) == 10
    films.prune(tmp_path, 10_000)
    assert len(list(tmp_path.iterdir())) == 4
    assert settings.FILMS_MB > 0


def test_standard_error_is_fetched_by_those_who_may_read_it(cast: Cast, match: Match) -> None:
    url = reverse("replay", args=[match.pk, 1])
    for user, expected in ((None, set()), (cast.carl, {"Clubs"}), (cast.olga, {"Clubs", "Aces"})):
        client = as_(user)
        answer = client.get(url, {"debug": "1"})
        assert answer["Cache-Control"] == "private, no-cache"
        said = " ".join(text for pieces in answer.json().values() for _, text in pieces)
        assert {name for name in ("Clubs", "Aces") if f"{name} think" in said} == expected
        assert ("?debug=1" in client.get(url).text) is bool(expected)
