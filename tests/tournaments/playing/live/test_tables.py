"""The tables when more than a match fails: nothing of theirs stops, and nothing is held forever."""

from __future__ import annotations

from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

import games
from games.players import HousePlayer, Seated
from tests.tournaments.playing.live.arena import Arena, wait_for
from tournaments.models import Client, Match
from tournaments.playing import play
from tournaments.playing.live.lobby import Lobby
from tournaments.playing.live.tables import Running, Tables

pytestmark = pytest.mark.django_db(transaction=True)

GAME = games.get("barracuda")


@pytest.fixture
def tables() -> Any:
    made = Tables({GAME.slug: Lobby(GAME)}, "tester")
    made.start()
    yield made
    made.close(60)  # or what is left writes into the next test


def queued(teams: int) -> list[Match]:
    """The matches of a bracket whose teams play through connections."""
    arena = Arena(teams, games_to_win=1, lead=1)
    Client.objects.update(connected_since=timezone.now(), seen_at=timezone.now() + timedelta(hours=1))
    arena.stage("single_elimination")
    found = list(Match.objects.order_by("pk"))
    assert all(match.live for match in found)
    return found


def refereed(match: Match) -> Any:
    return play.prepared(match, lambda seat, number: Seated(seat.name, "client", HousePlayer(GAME.house[0]), number))()


def away(*_: object) -> None:
    raise OperationalError("the database is away")


def test_a_result_that_cannot_even_be_put_back_keeps_no_other_from_being_written(tables: Any, monkeypatch: Any) -> None:
    queued(4)
    lost, other = play.claim_all(list(Match.objects.values_list("pk", flat=True)), "tester")
    runs = [Running(match, frozenset(), caged=False) for match in (lost, other)]
    tables._running.update({run.match.pk: run for run in runs})
    monkeypatch.setattr(play, "put_back", away)
    tables._results.put((runs[0], None))
    tables._results.put((runs[1], refereed(other)))
    wait_for(lambda: Match.objects.get(pk=other.pk).state == Match.State.DONE)
    assert Match.objects.get(pk=lost.pk).state == Match.State.RUNNING
    wait_for(lambda: not tables._running)  # so that nobody renews its lease and it is played again


def test_a_match_that_fails_while_the_database_is_away_is_left_to_its_lease(tables: Any, monkeypatch: Any) -> None:
    queued(2)
    monkeypatch.setattr(play, "prepared", away)
    monkeypatch.setattr(play, "put_back", away)
    (match,) = play.claim_all(list(Match.objects.values_list("pk", flat=True)), "tester")
    tables._begin(Running(match, frozenset(), caged=False))
    wait_for(lambda: not tables._running)
    assert not tables._playing
    tables.renew()
    match.refresh_from_db()
    before = match.lease_until
    tables.renew()
    match.refresh_from_db()
    assert (match.state, match.lease_until) == (Match.State.RUNNING, before)


def test_a_match_for_which_there_is_no_thread_is_put_back(tables: Any, monkeypatch: Any) -> None:
    queued(2)
    (match,) = play.claim_all(list(Match.objects.values_list("pk", flat=True)), "tester")

    def full(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", full)
    tables._begin(Running(match, frozenset(), caged=False))
    match.refresh_from_db()
    assert (match.state, match.last_error) == (Match.State.QUEUED, "RuntimeError: can't start new thread")
    assert not tables._running
    assert not tables._playing
