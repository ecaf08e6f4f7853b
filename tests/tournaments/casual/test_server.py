"""The casual server, as a process: games to their end, killed in the middle, and people who are not there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from games import GAMES, get
from games.record import Record, loads, verify
from tests.tournaments.casual.parlour import (
    ServerProcess,
    asked,
    decide,
    play_to_the_end,
    table,
    wait_until_asked,
)
from tests.waiting import wait_for
from tournaments.casual import news, tables
from tournaments.models import CasualGame, CasualMove, CasualSeat

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db(transaction=True)]

Start = Callable[..., ServerProcess]


def record_of(game: CasualGame) -> Record:
    game.refresh_from_db()
    assert game.state == CasualGame.State.OVER, (game.state, game.last_error)
    record = loads(game.text())
    assert verify(record) is None
    assert not game.moves.exists()
    return record


def test_every_game_is_played_to_its_record(casual_server: Start) -> None:
    casual_server()
    games = [table(slug)[0] for slug in GAMES]
    for game in games:
        play_to_the_end(game)
        record = record_of(game)
        assert record["game"] == game.game_slug
        assert record["seed"] == game.seed
        assert [seat["bot"] for seat in record["seats"]] == [seat.bot for seat in game.seats.all()]
        assert record["seats"][0]["name"] == "Guest"


def test_a_server_that_is_killed_is_followed_by_one_that_goes_on(casual_server: Start) -> None:
    server = casual_server()
    game, seat = table("hearts", people=(2,), options=get("hearts").options())
    random = Random(3)
    decisions: list[tuple[int, object]] = []
    while wait_until_asked(game):
        if len(decisions) in (2, 9):
            server.kill()
            if len(decisions) == 9:  # decided while nobody is there to hear of it
                decisions.append((game.asked, decide(game, seat, random)))
            before = list(CasualMove.objects.filter(game=game).values_list("number", "seat", "event"))
            server = casual_server()
            wait_until_asked(game)
            after = list(CasualMove.objects.filter(game=game).values_list("number", "seat", "event"))
            assert after[: len(before)] == before
        if len(decisions) > 14:
            break
        decisions.append((game.asked, decide(game, seat, random)))
    kept = [(move.number, move.decided) for move in game.moves.all() if move.seat == 2]
    tables.leave(game, seat)
    wait_for(lambda: CasualGame.objects.get(pk=game.pk).is_over)
    record = record_of(game)
    own = [event for event in record["events"] if event.get("seat") == 2 and event["event"] in ("pass", "play")]
    for (number, event), (at, data), found in zip(kept, decisions, own, strict=False):
        assert number == at
        assert {k: v for k, v in event.items() if k != "ms"} == {k: v for k, v in found.items() if k != "ms"}
        assert list(map(str, data["cards"])) == list(map(str, found.get("cards", [found.get("card")])))  # type: ignore[index]
    assert len(decisions) == len(kept)


def test_the_house_plays_on_for_somebody_who_leaves_until_they_come_back(casual_server: Start) -> None:
    casual_server()
    game, seat = table("intensity", people=(0, 1))
    other = tables.join(CasualGame.objects.get(pk=game.pk), tables.Who(), key=game.key)
    random = Random(2)
    for _ in range(3):
        found = wait_until_asked(game)
        assert found is not None
        decide(game, found, random)
    tables.leave(game, other)
    for _ in range(3):
        wait_for(lambda: asked(game) == seat)  # the server may have asked the other one before it heard
        decide(game, seat, random)
    assert not CasualGame.objects.get(pk=game.pk).is_over
    other.refresh_from_db()
    tables.come_back(game, other)
    for _ in range(6):
        found = wait_until_asked(game)
        if found is None or found.pk == other.pk:
            break
        decide(game, found, random)
    assert found is not None
    assert found.pk == other.pk
    play_to_the_end(game)
    record_of(game)
    assert int(game.notes["house"]["1"]) >= 2
    assert "0" not in game.notes["house"]


def test_when_time_is_up_the_house_decides_and_the_person_may_be_back_in_a_moment(casual_server: Start) -> None:
    game, seat = table("even_steven")
    CasualGame.objects.filter(pk=game.pk).update(pace=CasualGame.Pace.QUICK)
    CasualSeat.objects.filter(pk=seat.pk).update(bank_ms=0)
    casual_server()
    wait_until_asked(game)
    assert game.due_at is not None
    assert game.asked_at is not None
    assert game.due_at - game.asked_at == timedelta(seconds=15)
    CasualGame.objects.filter(pk=game.pk).update(due_at=timezone.now())
    news.wake(game.pk)
    wait_for(lambda: CasualSeat.objects.get(pk=seat.pk).away)
    by_house = CasualMove.objects.filter(game=game, by=CasualMove.By.HOUSE)
    wait_for(lambda: by_house.exists() or CasualGame.objects.get(pk=game.pk).is_over)
    tables.come_back(game, CasualSeat.objects.get(pk=seat.pk))
    found = wait_until_asked(game)
    made = by_house.count()
    if found is not None:  # some deals are lost with the first card
        play_to_the_end(game)
    record_of(game)
    assert game.notes["house"]["0"] >= 1
    assert found is None or game.notes["house"]["0"] == made, "none for somebody who is back"
