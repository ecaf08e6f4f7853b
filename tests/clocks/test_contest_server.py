"""Clocks of a live contest: of a team that is away, between two connections, and of a server that slept."""

from __future__ import annotations

import signal
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from tests.tournaments.playing.live import conftest as shared
from tests.tournaments.playing.live.arena import (
    Arena,
    connected,
    greeted,
    wait_for,
)
from tests.waiting import state_of
from tournaments.models import Duty

arrive, serve, stack = shared.arrive, shared.serve, shared.stack  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_server_that_was_replaced_while_it_slept_leaves_what_the_new_one_says(serve: Any, arrive: Any) -> None:
    arena = Arena(1)
    first = serve()
    assert greeted(arrive(first.port, arena.token(0)))
    wait_for(connected(arena.contest, 1))
    with transaction.atomic():  # so that it is not stopped in the middle of writing, when nobody else could write
        Duty.objects.update(until=timezone.now() - timedelta(seconds=1))
        first.process.send_signal(signal.SIGSTOP)
        wait_for(lambda: state_of(first.process.pid) == "T")
    second = serve()
    wait_for(connected(arena.contest, 0))
    assert greeted(arrive(second.port, arena.token(0)))
    wait_for(connected(arena.contest, 1))
    # It would hold its duty for five seconds after its last renewal, but it slept longer.
    time.sleep(5)
    first.process.send_signal(signal.SIGCONT)
    assert first.process.wait(60) == 0
    assert "has taken over" in first.log.read_text()
    assert connected(arena.contest, 1)()
    assert arena.client(0).is_connected(timezone.now())
