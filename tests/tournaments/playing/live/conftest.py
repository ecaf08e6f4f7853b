"""Shared by the tests of the contest server: servers and programs that end with the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.games.caller import Client as Caller
from tests.tournaments.playing.live.arena import ServerProcess, come


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def arrive(stack: ExitStack) -> Callable[..., Caller]:
    def connected(port: int, token: str = "", address: str = "127.0.0.1") -> Caller:
        caller = come(port, token, address)
        stack.callback(caller.close)
        return caller

    return connected


@pytest.fixture
def serve(portal_env: dict[str, str], broker: Any, stack: ExitStack, tmp_path: Path) -> Callable[..., ServerProcess]:
    """Start a contest server with a log of its own."""
    numbers = count(1)

    def start(**variables: str) -> ServerProcess:
        environment = portal_env | {"LOG_LEVEL": "INFO", "BOT_WAIT": "3"} | variables
        server = ServerProcess(environment, tmp_path / f"botserver{next(numbers)}.log")
        stack.callback(server.end)
        return server

    return start
