"""Who may connect, and what the rows say: the lobby behind real doors, in the tests' own process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

import games
from contest.models import Contest, Team
from games.server.door import Door
from tests.games.caller import Client as Caller
from tests.tournaments.playing.live.arena import Arena, wait_for
from tournaments.models import Client, Duty, Match, Stage
from tournaments.playing.live.lobby import Lobby
from tournaments.playing.live.server import free_from_the_dead, new_name, take_over
from tournaments.seating import draw, programs

pytestmark = pytest.mark.django_db

GAME = games.get("barracuda")


class House:
    """A lobby with its two doors, where nobody has to wait five seconds."""

    def __init__(self) -> None:
        self.lobby = Lobby(GAME)
        self.lobby.refresh()
        ways = (self.lobby.welcome, self.lobby.welcome_to_practice)
        self.doors = [Door(("127.0.0.1", 0), GAME, self.lobby, way, self.lobby.turned_away) for way in ways]
        self.port, self.test_port = (door.port for door in self.doors)

    def hurry(self) -> None:
        for door in self.doors:
            door._attempts._pause = 0.0

    def close(self) -> None:
        for door in self.doors:
            door.close()
        self.lobby.close()


@pytest.fixture
def house(stack: ExitStack) -> Callable[[], House]:
    def opened() -> House:
        made = House()
        stack.callback(made.close)
        return made

    return opened


def looked(house: House, condition: Callable[[], Any]) -> None:
    """Look until it is so."""
    wait_for(lambda: condition() or house.lobby.look() or condition())


def greeted(caller: Caller) -> bool:
    return caller.receive()["type"] == "greetings_program"


def test_the_row_says_who_is_there_and_since_when(house: Any, arrive: Any) -> None:
    arena = Arena(2)
    programs.set_address(arena.teams[0], arena.contest.roles.get().user, "127.0.0.7")
    here = house()
    caller = arrive(here.port, address="127.0.0.7")
    assert greeted(caller)
    looked(here, lambda: arena.client(0).connected_since)
    row = arena.client(0)
    assert row.connected_from == "127.0.0.7"
    assert row.is_connected(timezone.now())
    assert draw.connected_teams(arena.contest) == {arena.teams[0].pk}
    assert row.error == ""
    assert not arena.client(1).is_connected(timezone.now())

    caller.close()
    looked(here, lambda: not arena.client(0).connected_since)
    row = arena.client(0)
    assert (row.connected_from, row.error) == ("127.0.0.7", "closed the connection")
    assert row.seen_at, "it has been there"


@pytest.mark.parametrize("why", ["not live", "ended", "announced", "disqualified", "pending"])
def test_who_is_not_let_in(house: Any, arrive: Any, why: str) -> None:
    arena = Arena(1)
    moment = timezone.now()
    if why == "not live":
        Contest.objects.update(live=False)
    elif why == "ended":
        Contest.objects.update(ended_at=moment)
    elif why == "announced":
        Contest.objects.update(opens_at=moment + timedelta(days=1))
    else:
        Team.objects.update(state=why)
    assert arrive(house().port, arena.token(0)).receive()["type"] == "error"


def test_an_address_of_two_teams_is_nobodys_and_both_are_told(house: Any, arrive: Any) -> None:
    arena, other = Arena(1), Arena(1)
    for each in (arena, other):
        programs.set_address(each.teams[0], each.contest.roles.get().user, "127.0.0.7")
    here = house()
    assert arrive(here.port, address="127.0.0.7").receive()["type"] == "error"
    looked(here, lambda: arena.client(0).error and other.client(0).error)
    words = "did not say who it is, and several teams have registered its address (from 127.0.0.7)"
    assert arena.client(0).error == words
    assert greeted(arrive(here.port, other.token(0), "127.0.0.7")), "with its token it comes in"


def test_the_newest_connection_counts_and_the_team_is_told(house: Any, arrive: Any) -> None:
    arena = Arena(1)
    here = house()
    here.hurry()
    first = arrive(here.port, arena.token(0))
    assert greeted(first)
    looked(here, lambda: arena.client(0).connected_since)
    second = arrive(here.port, arena.token(0), "127.0.0.9")
    assert greeted(second)
    assert first.closed()
    looked(here, lambda: arena.client(0).connected_from == "127.0.0.9")
    assert arena.client(0).error.startswith("connected again from 127.0.0.9, so the older connection from 127.0.0.1")


def test_who_came_by_a_token_goes_with_it_also_from_the_address_of_the_team(house: Any, arrive: Any) -> None:
    """Several teams share one address, and a thief of the token may be there too."""
    arena, other = Arena(1), Arena(1)
    for each in (arena, other):
        programs.set_address(each.teams[0], each.contest.roles.get().user, "127.0.0.7")
    here = house()
    caller = arrive(here.port, arena.token(0), "127.0.0.7")
    assert greeted(caller)
    looked(here, lambda: arena.client(0).connected_since)
    programs.set_address(arena.teams[0], arena.contest.roles.get().user, "")
    here.lobby.refresh()
    assert here.lobby.is_there(arena.teams[0].pk), "its token is still right"
    programs.renew_token(arena.teams[0], arena.contest.roles.get().user)
    here.lobby.refresh()
    assert caller.closed()
    looked(here, lambda: "address or token" in arena.client(0).error)


@pytest.mark.parametrize("why", ["disqualified", "ended"])
def test_who_may_not_play_any_more_is_hung_up_on_and_told(house: Any, arrive: Any, why: str) -> None:
    arena = Arena(2)
    here = house()
    callers = [arrive(here.port, arena.token(team)) for team in range(2)]
    assert all(greeted(caller) for caller in callers)
    looked(here, lambda: draw.connected_teams(arena.contest) == {team.pk for team in arena.teams})
    with here.lobby.seated(arena.teams[0].pk, arena.contest.pk) as line:
        if why == "ended":
            Contest.objects.update(ended_at=timezone.now())
        else:
            Team.objects.update(state=why)
        here.lobby.refresh()
        assert all(caller.closed() for caller in callers)
        looked(here, lambda: not draw.connected_teams(arena.contest))
        here.lobby.refresh()
        assert set(here.lobby._guests) == {arena.teams[0].pk}, "it is being played on that line"
        assert not line.alive()
    here.lobby.refresh()
    assert here.lobby._guests == {}
    for team in range(2):
        wait_for(lambda team=team: arena.client(team).error == "may not play any more")


def test_a_new_server_takes_over_what_the_last_one_left() -> None:
    arena = Arena(2)
    now = timezone.now()
    Client.objects.update(connected_since=now, seen_at=now)
    Stage.objects.filter(pk=arena.stage().pk)
    Match.objects.update(state=Match.State.RUNNING, worker="there:abc:1", lease_until=now + timedelta(minutes=1))
    take_over("here:def:2")
    match = Match.objects.get()
    assert (match.state, match.failures, match.last_error) == ("queued", 1, "The worker there:abc:1 was lost.")
    assert not Client.objects.filter(connected_since__isnull=False).exists()


def test_the_duty_of_a_dead_process_is_free_and_that_of_a_living_one_is_not() -> None:
    name = new_name()
    host, _, pid = name.split(":")
    until = timezone.now() + timedelta(seconds=15)
    holders = {f"{host}:aaaaaa:{2**22 + 1}": True, f"{host}:aaaaaa:1": False, f"elsewhere:aaaaaa:{2**22 + 1}": False}
    holders[f"{host}:aaaaaa:{pid}"] = True  # of a restarted container
    for holder, free in holders.items():
        Duty.objects.update_or_create(name=programs.DUTY, defaults={"worker": holder, "until": until})
        free_from_the_dead(name)
        assert Duty.take(programs.DUTY, name, timezone.now(), timedelta(seconds=1)) == free, holder
