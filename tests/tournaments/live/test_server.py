"""The contest server as people run it: a real process, real programs, real accidents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.conf import settings

from tests.tournaments.live.arena import Arena, ServerProcess, check, connected, done, faults, kit, wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def serve(portal_env: dict[str, str], broker: Any, stack: ExitStack) -> Callable[..., ServerProcess]:
    """Start the contest server; it ends with the test."""

    def start(*words: str) -> ServerProcess:
        server = ServerProcess(portal_env | {"LOG_LEVEL": "INFO"}, settings.VAR_DIR / "botserver.log", *words)
        stack.callback(server.end)
        return server

    return start


@pytest.fixture
def start_kit(stack: ExitStack) -> Callable[..., Any]:
    def start(server: ServerProcess, token: str) -> Any:
        program = kit(server.port, token)
        stack.callback(program.communicate)
        stack.callback(program.kill)
        return program

    return start


def test_two_kits_meet_on_the_ladder(serve: Any, start_kit: Any) -> None:
    arena = Arena(2)
    arena.stage()
    server = serve()
    programs = [start_kit(server, arena.token(number)) for number in (0, 1)]
    wait_for(done(arena.contest, 3))
    print(server.log.read_text())
    assert connected(arena.contest, 2)()
    records = check(arena.contest)
    assert [faults(record) for record in records] == [[]] * len(records)
