"""Shared by the tests of the contest server: programs that end with the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.games.caller import Client as Caller
from tests.tournaments.playing.live.arena import come


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
