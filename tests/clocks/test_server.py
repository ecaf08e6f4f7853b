"""The contest server's door by a real clock."""

from __future__ import annotations

import time

from games.barracuda import GAME
from games.server.door import UNKNOWN, Door
from games.server.teams import Registered
from tests.games.caller import Client


def test_an_unknown_address_is_refused_after_a_second() -> None:
    door = Door(("127.0.0.1", 0), GAME, Registered([]), lambda team, stream: stream.close())
    started = time.perf_counter()
    client = Client(door.port, "127.0.0.66")
    assert client.receive() == {"type": "error", "seen_host": "127.0.0.66", "message": UNKNOWN}
    assert time.perf_counter() - started > 0.9
    client.close()
    door.close()
