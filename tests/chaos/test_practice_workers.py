"""Practice with real workers: matches take over at once, and no accident plays a game twice or loses one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests import waiting
from tests.submissions import bots
from tests.tournaments.accidents import SLOW, player_of, wait_for
from tests.tournaments.practice.gym import gym, order
from tests.tournaments.stagecraft import Hall
from tournaments.models import Match, PracticeGame, PracticeRecord
from tournaments.practice import orders

pytestmark = [pytest.mark.promise, pytest.mark.django_db(transaction=True)]

THINKS = bots.python_bot(take="import time; time.sleep(600)")  # longer than any of these tests waits
PATIENT = {"target": 10, "time_limit": 1200}

Start = Callable[..., Any]


def being_played(count: int = 1) -> list[PracticeGame] | None:
    """The games in progress, if so many have really begun: their bots are running."""
    found = list(PracticeGame.objects.running())
    begun = [game for game in found if len(waiting.descendants(player_of(game))) >= 3]
    return found if len(begun) == count == len(found) else None


def is_played(hall: Hall) -> None:
    """A match that is due is played, and none of the bots that think is waited for."""
    hall.stage(games=1)
    wait_for(lambda: Match.objects.filter(contest=hall.contest, state="done").exists())


def assert_gave_way(game: PracticeGame | Match) -> None:
    """It is in the queue again, or played again already if we look so late that the match is over; without a failure
    in either case."""
    game.refresh_from_db()
    assert (game.state, game.attempt) in (("queued", 1), ("running", 2))
    assert game.failures == 0


def test_a_match_takes_over_from_the_only_worker(celery_worker_process: Start) -> None:
    """It does not wait for the queue behind it either."""
    _, (team, other) = gym(source=THINKS, options=PATIENT)
    hall = Hall(4, source=SLOW)
    worker = celery_worker_process()
    placed = [order(team, opponents=(f"team:{other.pk}",), games=200) for _ in range(2)]
    (before,) = wait_for(being_played)
    is_played(hall)
    assert_gave_way(before)
    (after,) = wait_for(being_played)
    assert after.failures == 0
    assert not PracticeRecord.objects.exists()
    for each in placed:  # and it can be stopped while the bot thinks
        orders.cancel(each, team.people()[0].user)
    wait_for(lambda: len(waiting.descendants(player_of(after))) == 0)
    assert "Traceback" not in worker.output()
    assert {game.state for game in PracticeGame.objects.all()} == {"cancelled"}
