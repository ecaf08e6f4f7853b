"""Practice with real workers: matches take over at once, and no accident plays a game twice or loses one."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from celery import current_app
from django.utils import timezone

from games import record as records
from submissions.models import Submission
from tests import waiting
from tests.submissions import bots
from tests.tournaments.practice.gym import fresh, gym, order
from tests.tournaments.stagecraft import Hall
from tournaments.models import Match, PracticeGame, PracticeOrder, PracticeRecord
from tournaments.practice import orders

pytestmark = [pytest.mark.promise, pytest.mark.django_db(transaction=True)]

THINKS = bots.python_bot(take="import time; time.sleep(600)")  # longer than any of these tests waits
SLOW = bots.python_bot(take="import time; time.sleep(0.02)", play="import time; time.sleep(0.02)")
PATIENT = {"target": 10, "time_limit": 1200}
PATIENCE = 240.0  # seconds; whoever waited for a bot that thinks would need more

Start = Callable[..., Any]


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE, *, ticking: bool = False) -> Any:
    def look() -> object:
        found = condition()
        if ticking and not found:
            current_app.send_task("tournaments.tasks.tick", expires=1)
        return found

    told = PracticeGame.objects.values("number", "state", "attempt", "failures", "last_error")
    return waiting.wait_for(look, lambda: list(told.all()[:20]), seconds, pause=0.5 if ticking else 0.05)


def being_played(count: int = 1) -> list[PracticeGame] | None:
    """The games in progress, if so many have really begun: their bots are running."""
    found = list(PracticeGame.objects.running())
    begun = [game for game in found if len(waiting.descendants(player_of(game))) >= 3]
    return found if len(begun) == count == len(found) else None


def frozen_in_a_game(worker: Any) -> PracticeGame | None:
    """Freeze a worker. Returns the game in progress, or None: then the worker goes on."""
    if being_played() is None:
        return None
    os.killpg(worker.pid, signal.SIGSTOP)
    game = PracticeGame.objects.running().first()
    if game is None:  # it has just ended
        os.killpg(worker.pid, signal.SIGCONT)
    return game


def player_of(game: PracticeGame) -> int:
    return int(game.worker.rpartition(":")[2])


def is_done(placed: PracticeOrder) -> Callable[[], bool]:
    return lambda: not fresh(placed).is_open


def check_everything(placed: PracticeOrder) -> None:
    """Every game was played once, and its record is right."""
    games = list(placed.games.select_related("record"))
    assert {game.state for game in games} == {"done"}
    assert PracticeRecord.objects.filter(game__order=placed).count() == placed.wanted == len(games)
    for game in games:
        record = records.loads(game.record.text())
        assert records.verify(record) is None
        assert not record["result"]["disqualified"], "no bot was blamed for the accident"
        assert game.results[game.index]["place"] == game.place == record["result"]["places"][game.index]


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


def test_of_several_workers_only_as_many_give_way_as_are_needed(celery_worker_process: Start) -> None:
    _, (team, other) = gym(source=THINKS, options=PATIENT)
    hall = Hall(4, source=SLOW)
    celery_worker_process(concurrency=2)
    order(team, opponents=(f"team:{other.pk}",), games=3)
    order(other, opponents=(f"team:{team.pk}",), games=3)
    first, _ = sorted(wait_for(lambda: being_played(2)), key=lambda game: (game.started_at, game.pk))
    is_played(hall)
    first.refresh_from_db()
    assert (first.state, first.attempt) == ("running", 1), "the one that began later gave way"


@pytest.mark.parametrize("how", ["killed", "frozen"])
def test_a_worker_that_is_lost_in_the_middle_of_a_game(celery_worker_process: Start, how: str) -> None:
    _, (team, other) = gym(source=SLOW)
    victim = celery_worker_process()
    placed = order(team, opponents=(f"team:{other.pk}",), games=2)
    lost = wait_for(partial(frozen_in_a_game, victim))
    if how == "killed":
        victim.kill()
    held = PracticeGame.objects.filter(state="running")
    assert held.update(lease_until=timezone.now() - timedelta(seconds=1)) == 1
    celery_worker_process()
    wait_for(is_done(placed), ticking=True)
    if how == "frozen":
        os.killpg(victim.pid, signal.SIGCONT)
        wait_for(lambda: "the lease was lost" in victim.output())
    check_everything(placed)
    lost.refresh_from_db()
    assert (lost.failures, lost.attempt) == (1, 2)
    assert set(placed.games.exclude(pk=lost.pk).values_list("attempt", flat=True)) == {1}


def test_programs_that_were_deleted_are_built_again(celery_worker_process: Start) -> None:
    _, (team, other) = gym(source=SLOW)
    Submission.objects.update(artifact=None)
    celery_worker_process()
    placed = order(team, opponents=(f"team:{other.pk}",), games=1)
    wait_for(lambda: Submission.objects.exclude(artifact=None).count() == 1 or fresh(placed).builds)
    PracticeOrder.objects.update(due_at=timezone.now())
    wait_for(is_done(placed), ticking=True)
    check_everything(placed)
