"""The casual server as a process, which ends with its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from tests.tournaments.casual.parlour import ServerProcess


@pytest.fixture
def casual_server(portal_env: dict[str, str]) -> Iterator[Callable[..., ServerProcess]]:
    """Call it to start a server."""
    started: list[ServerProcess] = []

    def start() -> ServerProcess:
        log = settings.VAR_DIR / f"casual{len(started)}.log"
        started.append(ServerProcess(portal_env, log))
        return started[-1]

    yield start
    for server in started:
        server.kill()
        errors = [line for line in server.output().splitlines() if "Traceback" in line or "ERROR" in line]
        assert not errors, server.output()
