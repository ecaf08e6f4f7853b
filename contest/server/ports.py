"""The ports where teams' own programs connect, for games that are played over connections."""

from __future__ import annotations

import errno
import json
import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from games import GAMES
from games.engine import Game

LAST = 65535
APART = 10  # the step between the ports that are tried


@dataclass(frozen=True, slots=True)
class Ports:
    contest: int
    test: int


def connected_games() -> list[Game]:
    """Games that teams can play with their own connected programs, in the order of their ports."""
    return [game for game in GAMES.values() if game.protocol == "socket"]


def ports_of(game: Game) -> Ports | None:
    """The ports for a game's connections, None if it is not played over connections."""
    games = connected_games()
    if game not in games:
        return None
    place = games.index(game)
    return Ports(settings.BOT_PORT + place, settings.BOT_TEST_PORT + place)


def told_before() -> dict[str, int]:
    """The ports of the last start, by setting, except those set by hand."""
    try:
        found = json.loads(_memory().read_text(encoding="utf-8"))
        return {name: int(port) for name, port in found.items() if name not in os.environ}
    except (OSError, ValueError, AttributeError, TypeError):  # the first start, or a truncated file
        return {}


def remember(ports: dict[str, int]) -> None:
    """Save the ports, so that the next start can use the ones that teams know."""
    with suppress(OSError):
        _memory().write_text(json.dumps(ports) + "\n", encoding="utf-8")


def _memory() -> Path:
    return Path(settings.VAR_DIR) / "ports.json"


def host_for(portal: str) -> str:
    """The host a team's program connects to. `portal` is the host, possibly with a port, of the portal's pages."""
    return settings.BOT_ADDRESS or portal.rpartition("]")[0].lstrip("[") or portal.partition(":")[0]


def listen(host: str, first: int, count: int) -> list[socket.socket]:
    """Listen on `count` consecutive ports from `first`, or on later ones if any is taken; 0 means any ports.

    Raises OSError if there is no such host or no free ports.
    """
    for candidate in range(first, LAST - count, APART) if first else (0,):
        opened: list[socket.socket] = []
        try:
            for number in range(count):
                opened.append(open_at(host, candidate + number if candidate else 0))
            return opened
        except OSError as error:
            for each in opened:
                each.close()
            if error.errno != errno.EADDRINUSE:
                raise
    raise OSError(f"no {count} ports in a row are free on {host} from {first} on")


def open_at(host: str, port: int) -> socket.socket:
    """Open a listening socket, which a restarting process can inherit so that no connection is refused."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)
