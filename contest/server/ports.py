"""Where teams' own programs connect: the ports of the games that are played over connections."""

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
APART = 10  # how far the next ports are that are tried


@dataclass(frozen=True, slots=True)
class Ports:
    contest: int
    test: int


def connected_games() -> list[Game]:
    """The games whose teams may play with programs of their own that connect, in the order of their ports."""
    return [game for game in GAMES.values() if game.protocol == "socket"]


def ports_of(game: Game) -> Ports | None:
    """Where this portal takes connections for a game; None when it is not played so."""
    games = connected_games()
    if game not in games:
        return None
    place = games.index(game)
    return Ports(settings.BOT_PORT + place, settings.BOT_TEST_PORT + place)


def told_before() -> dict[str, int]:
    """What teams were told at the last start of this portal: by the setting's name, where one was not set by hand."""
    try:
        found = json.loads(_memory().read_text(encoding="utf-8"))
        return {name: int(port) for name, port in found.items() if name not in os.environ}
    except (OSError, ValueError, AttributeError, TypeError):  # the first start, or a file that was cut
        return {}


def remember(ports: dict[str, int]) -> None:
    """Their programs have these written down: the next start takes the same ones, if it can."""
    with suppress(OSError):
        _memory().write_text(json.dumps(ports) + "\n", encoding="utf-8")


def _memory() -> Path:
    return Path(settings.VAR_DIR) / "ports.json"


def host_for(portal: str) -> str:
    """What a team's program connects to; `portal`: the host, perhaps with a port, under which it sees the pages."""
    return settings.BOT_ADDRESS or portal.rpartition("]")[0].lstrip("[") or portal.partition(":")[0]


def listen(host: str, first: int, count: int) -> list[socket.socket]:
    """Sockets that listen at `count` ports in a row from `first`, or further on where one of those is taken; 0: any.

    Raises OSError when there is no such host, or no port.
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
    """Also for another process, which inherits it: nobody who connects is refused while that one starts again."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)
