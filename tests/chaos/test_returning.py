"""A worker that comes back after its lease changes nothing, whatever it tries to write.

Of matches, builds and webhooks: tests/tournaments/playing/test_play.py, tests/submissions/test_process.py and
tests/tournaments/webhooks/test_sending.py.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.utils import timezone

from games import get
from games.record import loads, verify
from tests.tournaments.casual.conftest import casual_server  # noqa: F401 - a fixture
from tests.tournaments.casual.parlour import ServerProcess, decide, table, wait_until_asked
from tests.waiting import state_of, wait_for
from tournaments.casual import server as casual
from tournaments.models import CasualGame, CasualMove, Duty

pytestmark = pytest.mark.django_db(transaction=True)

LATER = timedelta(hours=1)


def everything() -> dict[str, list[Any]]:
    """All rows of the portal."""
    models = [it for it in apps.get_models() if it._meta.app_label in ("contest", "submissions", "tournaments")]
    return {it._meta.label: list(it._default_manager.order_by("pk").values()) for it in models}


def test_a_casual_server_that_comes_back_leaves_the_games_to_the_next_one(
    casual_server: Callable[..., ServerProcess],  # noqa: F811
) -> None:
    sleeper = casual_server()
    game, seat = table("hearts", people=(2,), options=get("hearts").options())
    random = Random(4)
    for _ in range(3):
        wait_until_asked(game)
        decide(game, seat, random)
    wait_until_asked(game)
    with transaction.atomic():  # so that it is not stopped while it writes, when nobody else could write
        Duty.objects.filter(name=casual.DUTY).update(
            until=timezone.now() - timedelta(seconds=1)
        )  # as if 15 s had passed
        os.kill(sleeper.process.pid, signal.SIGSTOP)
        wait_for(lambda: state_of(sleeper.process.pid) == "T")
    casual_server()
    for _ in range(3):
        wait_until_asked(game)
        decide(game, seat, random)
    os.kill(sleeper.process.pid, signal.SIGCONT)
    sleeper.process.wait(timeout=60)  # it sees that another one has the duty
    moves = list(CasualMove.objects.filter(game=game).order_by("number").values_list("number", flat=True))
    assert moves == list(range(moves[0], moves[0] + len(moves)))
    from tournaments.casual import tables

    tables.leave(game, seat)
    wait_for(lambda: CasualGame.objects.get(pk=game.pk).is_over)
    game.refresh_from_db()
    record = loads(game.text())
    assert verify(record) is None
