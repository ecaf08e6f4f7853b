"""Where teams' own programs connect."""

from __future__ import annotations

import socket

import pytest

import games
from contest import ports


def test_every_game_over_connections_has_ports_of_its_own(settings) -> None:
    settings.BOT_PORT, settings.BOT_TEST_PORT = 9999, 19999
    given = [ports.ports_of(game) for game in ports.connected_games()]
    assert given[0] == ports.Ports(9999, 19999)
    assert len({place.contest for place in given if place}) == len(given)
    others = [game for game in games.GAMES.values() if game.protocol != "socket"]
    assert others
    assert {ports.ports_of(game) for game in others} == {None}


def test_a_taken_port_is_passed_over_and_none_is_left_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        wanted = other.getsockname()[1]
        if wanted + 3 * ports.APART > ports.LAST:
            pytest.skip("the system gave us one of the last ports")
        (found,) = ports.listen("127.0.0.1", wanted, 1)
        with found:
            assert found.getsockname()[1] > wanted
            assert (found.getsockname()[1] - wanted) % ports.APART == 0


def test_ports_in_a_row_and_any_port() -> None:
    for first in (20_990, 0):
        found = ports.listen("127.0.0.1", first, 2)
        numbers = [each.getsockname()[1] for each in found]
        for each in found:
            each.close()
        assert len(set(numbers)) == 2
        assert not first or numbers[1] == numbers[0] + 1


def test_a_host_that_is_not_ours_is_an_error() -> None:
    with pytest.raises(OSError):
        ports.listen("192.0.2.1", 9999, 1)


@pytest.mark.parametrize(
    ("portal", "told"),
    [("cards.example.org", "cards.example.org"), ("10.1.2.3:8000", "10.1.2.3"), ("[2001:db8::1]:8000", "2001:db8::1")],
)
def test_programs_connect_to_where_the_pages_are(settings, portal: str, told: str) -> None:
    assert ports.host_for(portal) == told
    settings.BOT_ADDRESS = "bots.example.org"
    assert ports.host_for(portal) == "bots.example.org"
