"""The ports where teams' own programs connect."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

import pytest

import games
from contest.management.commands.portal import Command
from contest.server import ports
from tests.ports import free_port

NAMES = ("BOT_PORT", "BOT_TEST_PORT")


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


class TestFromOneStartToTheNext:
    """Teams have these ports written in their programs."""

    @pytest.fixture
    def start(self, settings, tmp_path, monkeypatch, capfd) -> Callable[[], tuple[list[int], str]]:
        settings.VAR_DIR = tmp_path
        monkeypatch.setattr(os, "environ", {**os.environ})
        for name in NAMES:
            os.environ.pop(name, None)

        def started() -> tuple[list[int], str]:
            """The ports and the messages."""
            assert Command().find_doors("127.0.0.1")
            return [int(os.environ.pop(name)) for name in NAMES], capfd.readouterr().out

        return started

    def test_they_are_kept(self, start, settings) -> None:
        settings.BOT_PORT = settings.BOT_TEST_PORT = free_port()
        with socket.create_server(("127.0.0.1", settings.BOT_PORT)):
            first, said = start()
            assert first[0] > settings.BOT_PORT
            assert "is taken; teams' own programs connect to" in said
        assert start() == (first, ""), "though what was taken is free by now"


@pytest.mark.parametrize(
    ("portal", "told"),
    [("cards.example.org", "cards.example.org"), ("10.1.2.3:8000", "10.1.2.3"), ("[2001:db8::1]:8000", "2001:db8::1")],
)
def test_programs_connect_to_where_the_pages_are(settings, portal: str, told: str) -> None:
    assert ports.host_for(portal) == told
    settings.BOT_ADDRESS = "bots.example.org"
    assert ports.host_for(portal) == "bots.example.org"
