"""What is done at a table over the web: by those who sit there, by strangers, and by those who try more than that."""

from __future__ import annotations

import json
import threading
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import guesses
from contest.refusal import Refused
from games.record import dumps, loads, verify
from tests.cast import make_user
from tests.tournaments.casual.parlour import any_answer, ask, finish, table
from tournaments.casual import moves, tables
from tournaments.casual import people as casual
from tournaments.casual.limits import Who
from tournaments.casual.sitting import Sitting
from tournaments.models import CasualGame, CasualMove, CasualSeat

pytestmark = pytest.mark.django_db


def player(game: CasualGame, seat: CasualSeat) -> Client:
    """A guest's browser that holds a seat."""
    client = Client()
    session = client.session
    session["casual_keys"] = {str(game.pk): seat.key}
    session.save()
    return client


def send(client: Client, game: CasualGame, data: Any, status: int = 200) -> dict[str, Any]:
    answer = client.post(reverse("casual-move", args=[game.pk]), json.dumps(data), content_type="application/json")
    assert answer.status_code == status, answer.content
    found: dict[str, Any] = answer.json()
    return found


def state_of(client: Client, game: CasualGame) -> dict[str, Any]:
    found: dict[str, Any] = client.get(reverse("casual-state", args=[game.pk])).json()
    return found


def test_a_person_decides_once_and_never_after_the_end() -> None:
    game, seat = table("intensity")
    ask(game)
    client = player(game, seat)
    question = state_of(client, game)["question"]
    assert (question["seat"], question["number"], question["choose"]) == (0, 1, 3)
    assert question["hand"] == question["cards"]
    assert question["left_ms"] > 590_000
    data = {"decision": question["number"], **any_answer(question, Random(1))}
    assert send(client, game, data) == {}
    assert send(client, game, data, 409)["why"]
    assert CasualMove.objects.get().event["cards"] == sorted(data["cards"])
    assert state_of(client, game)["question"] is None
    ask(game)
    question = state_of(client, game)["question"]
    finish(game)
    assert send(client, game, {"decision": question["number"], **any_answer(question, Random(1))}, 409)["why"]
    assert state_of(client, game)["question"] is None


@pytest.mark.django_db(transaction=True)
def test_a_guest_who_clicks_twice_gets_one_table_and_one_seat() -> None:
    """Their browser may not have heard the first answer, so the second one lets it hold the seat too."""
    form = {"game": "hearts", "csrfmiddlewaretoken": "x" * 64}
    clients = [Client() for _ in range(3)]
    barrier, places = threading.Barrier(3), set()

    def click(client: Client, address: str, sent: dict[str, str]) -> None:
        barrier.wait()
        try:
            places.add(client.post(address, sent)["Location"])
        finally:
            connection.close()

    def together(address: str, sent: dict[str, str]) -> None:
        threads = [threading.Thread(target=click, args=(client, address, sent)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    together(reverse("play-new"), form)
    game = CasualGame.objects.get()
    assert places == {game.get_absolute_url()}
    assert all(client.session["casual_keys"].keys() == {str(game.pk)} for client in clients)
    assert Client().post(reverse("play-new"), form | {"csrfmiddlewaretoken": "y" * 64}).status_code == 302
    assert CasualGame.objects.count() == 2
    shared, _ = table("intensity", people=(0, 1), listed=True)
    together(reverse("casual-join", args=[shared.pk]), form)
    assert shared.seats.exclude(key="").count() == 2
    assert all(str(shared.pk) in client.session["casual_keys"] for client in clients)


def test_the_referee_says_why_not() -> None:
    game, seat = table("hearts")
    ask(game)
    client = player(game, seat)
    question = state_of(client, game)["question"]
    others = [card for card in game.game.pack if card not in question["hand"]]
    told = send(client, game, {"decision": 1, "cards": others[:3]}, 409)
    assert others[0] in told["why"]
    assert "3" in send(client, game, {"decision": 1, "cards": question["cards"][:2]}, 409)["why"]
    assert not game.moves.exists()


def test_nobody_moves_for_another_seat_or_without_one() -> None:
    game, first = table("intensity", people=(0, 1))
    second = tables.join(game, Who(), key=game.key)
    ask(game)
    data = {"decision": 1, "cards": moves.open_question(game, first)["cards"][:3]}  # type: ignore[index]
    assert send(player(game, second), game, data, 409)["why"]
    assert send(Client(), game, data, 409)["why"]
    forged = Client()
    session = forged.session
    session["casual_keys"] = {str(game.pk): ""}
    session.save()
    assert send(forged, game, data, 409)["why"]
    assert not game.moves.exists()
    assert send(player(game, first), game, data) == {}


@pytest.mark.django_db(transaction=True)
def test_of_many_moves_at_once_one_counts() -> None:
    game, seat = table("hearts")
    ask(game)
    cards = moves.open_question(game, seat)["cards"]  # type: ignore[index]
    told: list[str] = []
    barrier = threading.Barrier(6)

    def move(first: int) -> None:
        barrier.wait()
        try:
            moves.answer(CasualGame.objects.get(pk=game.pk), seat, 1, {"cards": cards[first : first + 3]})
            told.append("")
        except moves.Refused as refusal:
            told.append(str(refusal))
        finally:
            connection.close()

    threads = [threading.Thread(target=move, args=(first,)) for first in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [bool(why) for why in sorted(told)] == [False, *[True] * 5]
    assert game.moves.count() == 1


def test_a_seat_is_told_only_what_it_may_see() -> None:
    game, first = table("intensity", people=(0, 1))
    second = tables.join(game, Who(), key=game.key)
    ask(game)
    own, other, stranger = (state_of(it, game) for it in (player(game, first), player(game, second), Client()))
    assert own["question"]["hand"]
    assert other["question"] is None
    assert stranger["seat"] is None
    assert "question" not in stranger
    for told in (own, other, stranger):
        assert str(game.seed) not in json.dumps(told)
        assert game.key not in json.dumps(told)
        assert first.key not in json.dumps(told)


def test_a_private_table_is_unknown_to_strangers_and_its_key_opens_it() -> None:
    game, seat = table("hearts", people=(0, 2), private=True)
    stranger = Client()
    for key in ("", "?key=wrong", "?key=", "?key=%00"):
        assert stranger.get(reverse("casual-state", args=[game.pk]) + key).status_code == 404
        assert stranger.post(reverse("casual-join", args=[game.pk]) + key).status_code == 404
    friend = Client()
    assert friend.get(reverse("casual-state", args=[game.pk]) + f"?key={game.key}").status_code == 200
    assert friend.post(reverse("casual-join", args=[game.pk])).status_code == 302
    assert state_of(friend, game)["seat"] == 2
    assert state_of(player(game, seat), game)["seat"] == 0
    device = Client()
    mine = CasualSeat.objects.get(game=game, index=2)
    assert device.get(reverse("casual-state", args=[game.pk]) + f"?key={mine.key}").json()["seat"] == 2


def test_codes_cannot_be_tried_for_ever() -> None:
    game, _ = table("hearts", people=(0, 2))
    anna, carl = Client(), Client()
    anna.force_login(make_user("anna"))
    carl.force_login(make_user("carl"))
    address, most = reverse("casual-code"), guesses.BY_PERSON
    for _ in range(most + 10):
        assert carl.post(address, {"code": game.code}).status_code == 302, "codes that are right count for nothing"
    for _ in range(most):
        assert carl.post(address, {"code": "AAAAAA"})["Location"] == "/play/"
    assert carl.post(address, {"code": game.code}).status_code == 429
    found = anna.post(address, {"code": game.code})["Location"]
    assert found.endswith(f"?key={game.key}"), "what others in her network tried is not hers"
    assert Client().get(found).status_code == 200


def test_a_table_begins_when_it_is_full_or_the_house_takes_the_free_seats() -> None:
    game, seat = table("hearts", people=(0, 1, 2, 3), listed=True)
    assert game.is_open
    assert list(CasualGame.objects.lobby()) == [game]
    stranger = Client()
    stranger.post(reverse("casual-begin", args=[game.pk]))
    game.refresh_from_db()
    assert game.is_open
    stranger.post(reverse("casual-join", args=[game.pk]), {"seat": "2"})
    assert state_of(stranger, game)["seat"] == 2
    player(game, seat).post(reverse("casual-begin", args=[game.pk]))
    game.refresh_from_db()
    assert game.is_playing
    assert [each.kind for each in game.seats.all()] == ["person", "house", "person", "house"]
    assert not CasualGame.objects.lobby().exists()


@pytest.mark.long("more")
def test_nobody_plays_on_from_the_end_or_from_nowhere() -> None:
    game, seat = table("hearts")
    finish(game)
    last = len(loads(CasualGame.objects.get(pk=game.pk).text())["events"]) - 1
    at, client = reverse("casual-replay", args=[game.pk, 1]), player(game, seat)
    for ply in (last, last + 5, ""):
        refused = client.post(reverse("casual-from"), {"at": at, "ply": str(ply), "seat": "9"})
        assert refused["Location"].startswith(at)
    for nowhere in ("", "/", "/play/", "/m/1/1/", "https://example.org/", "/play/99/replay/1/", "\x00", "//"):
        assert client.post(reverse("casual-from"), {"at": nowhere, "ply": "3"}).status_code == 404
    assert CasualGame.objects.count() == 1


def test_a_person_takes_their_games_along_and_is_forgotten() -> None:
    anna, ben = make_user("anna"), make_user("ben")
    alone, _ = table("even_steven", who=Who(user=anna))
    shared, _ = table("intensity", people=(0, 1), who=Who(user=anna))
    tables.join(shared, Who(user=ben), key=shared.key)
    finish(shared)
    told = casual.export_of(anna)
    assert [each["id"] for each in told] == [shared.pk, alone.pk]
    assert told[0]["record"]["seats"][0]["name"] == "anna"
    assert shared.seats.first().key not in json.dumps(told)  # type: ignore[union-attr]
    assert casual.forget(anna) == 2
    assert not CasualGame.objects.filter(pk=alone.pk).exists()
    shared.refresh_from_db()
    record = loads(shared.text())
    assert [seat["name"] for seat in record["seats"]][:2] == ["Somebody", "ben"]
    assert verify(record) is None
    assert dumps(record) == shared.text()
    assert "anna" not in json.dumps(casual.export_of(ben))
    assert casual.export_of(anna) == []


def test_who_deletes_their_account_during_a_game_is_not_in_its_record() -> None:
    anna, ben = make_user("anna"), make_user("ben")
    game, _ = table("intensity", people=(0, 1), who=Who(user=anna))
    tables.join(game, Who(user=ben), key=game.key)
    game.refresh_from_db()
    CasualSeat.objects.filter(user__isnull=False).update(left_at=timezone.now())  # the house plays on
    Sitting(game, threading.Event(), lambda: bool(casual.forget(anna)) and False).play()
    game.refresh_from_db()
    record = loads(game.text())
    assert [seat["name"] for seat in record["seats"]][:2] == ["Somebody", "ben"]
    assert verify(record) is None


def test_who_leaves_while_the_game_begins_keeps_the_seat() -> None:
    """Two tabs at once: both have read that the table is open."""
    game, seat = table("intensity", people=(0, 1))
    stale = CasualGame.objects.get(pk=game.pk)
    tables.begin_now(game, seat)
    tables.leave(stale, seat)
    seat.refresh_from_db()
    assert seat.key
    assert seat.left_at
    late = CasualGame.objects.get(pk=game.pk)
    late.state = CasualGame.State.OPEN
    with pytest.raises(Refused):
        tables.begin_now(late, seat)
