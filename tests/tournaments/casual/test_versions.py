"""Versions of one's own at casual tables, in the sandbox; and playing on from games in which they took part."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from contest.broadcast.publish import Broadcast
from contest.models import Contest, Team
from games.engine import Game
from games.record import loads, verify
from submissions.models import Submission
from tests.cast import make_team, make_user
from tests.tournaments.casual.parlour import wish
from tests.tournaments.practice.gym import fresh, gym, order, play_all
from tournaments.casual import tables
from tournaments.casual.limits import Who
from tournaments.casual.sitting import Sitting
from tournaments.casual.tables import Place
from tournaments.models import CasualGame, CasualSeat
from tournaments.view_models.casual import seat_page

pytestmark = pytest.mark.django_db
Kind = CasualSeat.Kind


def firm(game: Game) -> bytes:
    """A bot that always takes and plays the first card it may."""
    text = (game.folder / "kit" / "random_player.py").read_text()
    return (
        text.replace("random_source.choice(GAME.pool)", "GAME.pool[0]")
        .replace("random_source.choice(legal_cards())", "legal_cards()[0]")
        .encode()
    )


def who(team: Team) -> Who:
    return Who(user=team.people()[0].user)


def play_without_people(game: CasualGame) -> dict[str, object]:
    """Everybody has left, so the house decides for them."""
    CasualSeat.objects.filter(game=game, kind=Kind.PERSON).update(left_at=timezone.now())
    Sitting(game, threading.Event(), lambda: False).play()
    game.refresh_from_db()
    record = loads(game.text())
    assert verify(record) is None
    return record


def test_only_members_seat_a_version_and_only_a_ready_one() -> None:
    _, (team, other) = gym()
    asked = wish("tricky_eights")

    def seat(version: Submission, by: Who) -> None:
        places = [asked.places[0], Place(Kind.VERSION, submission=version), *asked.places[2:]]
        tables.set_up(replace(asked, places=places), by)

    version = team.submissions.get()
    for stranger in (Who(), who(other), Who(user=make_user(is_superuser=True))):
        with pytest.raises(tables.Refused, match="of your own teams"):
            seat(version, stranger)
    seat(version, who(team))
    Submission.objects.filter(pk=version.pk).update(state=Submission.State.REJECTED)
    with pytest.raises(tables.Refused, match="that are ready"):
        seat(Submission.objects.get(pk=version.pk), who(team))
    assert CasualGame.objects.count() == 1


def practised(source: bytes | None = None) -> tuple[Contest, Team, str]:
    """A practice game of a version against the house, and the address of its replay."""
    contest, (team, _) = gym(source=source)
    placed = order(team, opponents=("house:card_counter",), games=1, seat=1)
    assert play_all() == 1
    return contest, team, reverse("practice-game", args=[contest.slug, fresh(placed).pk, 1])


def take_over(team: Team, at: str, **more: str) -> CasualGame:
    client = Client()
    client.force_login(team.people()[0].user)
    answer = client.post(reverse("casual-from"), {"at": at, "ply": "30", "seat": "0", **more})
    found = CasualGame.objects.latest("pk")
    assert answer["Location"] == f"/play/{found.pk}/"
    assert found.private
    return found


def test_a_version_that_agrees_with_its_past_plays_on() -> None:
    _, team, at = practised(firm(games.get("tricky_eights")))
    game = take_over(team, at)
    assert [seat.kind for seat in game.seats.all()] == ["person", "version", "house", "house"]
    record = play_without_people(game)
    assert game.notes["differs"] == {}
    first = [event for event in record["events"] if event.get("seat") == 1 and event["event"] == "play"]  # type: ignore[attr-defined]
    assert first


def test_a_version_that_would_have_decided_otherwise_is_replaced_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _, team, at = practised()
    game = take_over(team, at)
    told_at_table, note = [], Broadcast.note

    def heard(broadcast: Broadcast, seat: int | None, name: str, data: dict[str, Any]) -> None:
        note(broadcast, seat, name, data)
        if name == "replaced":
            people = seat_page(CasualGame.objects.get(pk=game.pk), None, invitation="").seats
            told_at_table.append((data["text"], people[1].about))

    monkeypatch.setattr(Broadcast, "note", heard)
    play_without_people(game)
    told = game.notes["differs"]["1"]
    [(note_text, about)] = told_at_table
    assert told["text"] in note_text
    assert told["text"] in about
    assert 0 < told["place"] <= 30
    client = Client()
    client.force_login(team.people()[0].user)
    session = client.session
    session["casual_keys"] = {str(game.pk): game.seats.get(index=0).key}
    session.save()
    assert told["text"] in client.get(reverse("casual-replay", args=[game.pk, 1])).text
    assert Client().get(reverse("casual-replay", args=[game.pk, 1])).status_code == 404


def test_nobody_plays_on_from_what_they_may_not_see() -> None:
    _, team, at = practised()
    other = make_team(Contest.objects.get(teams=team), name="Spies")
    for client, user in ((Client(), None), (Client(), other.people()[0].user)):
        if user is not None:
            client.force_login(user)
        assert client.post(reverse("casual-from"), {"at": at, "ply": "30"}).status_code in (302, 404)
    assert not CasualGame.objects.exists()
