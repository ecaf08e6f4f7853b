"""The contest server of live contests leaves, or dies while another one waits."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from tests.tournaments.playing.live import conftest as shared
from tests.tournaments.playing.live.arena import Arena, Hold, greeted, in_the_middle, play_on, wait_for
from tournaments.clock import periodic
from tournaments.models import Client, Duty, Match
from tournaments.seating import programs

arrive, serve, stack = shared.arrive, shared.serve, shared.stack  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_server_that_is_told_to_leave_puts_its_matches_back(serve: Any, arrive: Any) -> None:
    arena = Arena(2, games_to_win=4, lead=4)
    arena.stage()
    server = serve()
    hold = Hold()
    told, _ = [play_on(arrive(server.port, arena.token(team)), hold) for team in (0, 1)]
    match = in_the_middle(told, hold)
    server.stop()
    match.refresh_from_db()
    assert (match.state, match.failures, match.worker) == (Match.State.QUEUED, 0, "")
    assert match.due_at <= timezone.now()
    assert not Client.objects.filter(connected_since__isnull=False).exists()
    assert "Traceback" not in server.log.read_text()


def test_one_server_at_a_time(serve: Any, arrive: Any) -> None:
    arena = Arena(1)
    first = serve()
    wait_for(lambda: Duty.objects.filter(name=programs.DUTY).exists())
    second = serve()
    wait_for(lambda: "another contest server" in second.log.read_text())
    first.kill()
    assert greeted(arrive(second.port, arena.token(0))), "its ports were open, and it takes over at once"
    periodic.tick()
