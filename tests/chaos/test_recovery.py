"""Accidents that test_chaos.py does not cause: the broker away, a lease lost by a live worker, a match made void.

Every test ends with the same question: does each match have exactly one result and one record that verifies, are the
ratings those of a run without the accident, and is the bracket complete?
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import redis
from kombu.exceptions import OperationalError

from contest.server import broker as broker_module
from contest.server import processes
from tests.tournaments.accidents import (
    LEASE,
    PATIENCE,
    being_played,
    check_everything,
    frozen_in_a_match,
    hall,
    is_done,
    let_the_lease_end,
    wait_for,
)
from tournaments.clock import periodic
from tournaments.models import Match, MatchSeat, Record
from tournaments.organising import stages
from tournaments.seating import queue

__all__ = ["hall"]
pytestmark = [pytest.mark.promise, pytest.mark.django_db(transaction=True)]


def test_a_lease_that_expires_under_a_live_worker(hall, celery_worker_process):
    """The machine sleeps and somebody else plays the match. It wakes up, finds its lease lost and changes nothing."""
    sleeper = celery_worker_process(**LEASE)
    stage = hall.stage()
    match = wait_for(partial(frozen_in_a_match, sleeper))
    try:
        let_the_lease_end(match)
        celery_worker_process(**LEASE)
        wait_for(is_done(stage), ticking=True)
        before = list(Match.objects.order_by("pk").values()), list(MatchSeat.objects.order_by("pk").values())
        stamps = list(Record.objects.order_by("pk").values_list("match", "sha256", "made_at"))
    finally:
        os.killpg(sleeper.pid, signal.SIGCONT)
    wait_for(lambda: "the lease was lost" in sleeper.output())
    match.refresh_from_db()
    assert match.attempt == 2
    assert (list(Match.objects.order_by("pk").values()), list(MatchSeat.objects.order_by("pk").values())) == before
    assert list(Record.objects.order_by("pk").values_list("match", "sha256", "made_at")) == stamps
    check_everything(hall.contest)


class Broker:
    """The broker of this run, to be stopped and started. It comes back empty and serves until the end of the run."""

    def __init__(self, socket_file: Path) -> None:
        self.socket_file = socket_file

    def stop(self) -> None:
        redis.Redis(unix_socket_path=str(self.socket_file)).shutdown(nosave=True)
        assert broker_module.wait_until(self.socket_file, up=False, seconds=PATIENCE)

    def start(self) -> None:
        command = broker_module.find().command(self.socket_file, self.socket_file.parent)
        prepare = partial(processes.die_with_parent, signal.SIGKILL)
        subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=prepare)
        assert broker_module.wait_until(self.socket_file, up=True, seconds=PATIENCE)


@pytest.fixture
def restart_broker(broker: Path) -> Iterator[Broker]:
    it = Broker(broker)
    yield it
    if not broker_module.answers(broker):
        it.start()


def test_the_broker_stops_and_comes_back_empty(hall, celery_worker_process, restart_broker):
    """A stage started without a broker waits and says so; with an empty broker the tick gets everything going."""
    restart_broker.stop()
    stage = hall.stage()
    assert stage.state == "running"
    assert stage.matches.open().count() == 2
    with pytest.raises(OperationalError):
        queue.waiting()
    periodic.tick()  # does no harm
    restart_broker.start()
    assert queue.waiting() == 0
    periodic.tick()
    assert queue.waiting() == 2
    periodic.tick()
    assert queue.waiting() == 2, "what is on its way is not sent again"
    celery_worker_process(**LEASE)
    wait_for(is_done(stage), ticking=True)
    check_everything(hall.contest)


def test_the_broker_restarts_in_the_middle_of_a_match(hall, celery_worker_process, restart_broker):
    worker = celery_worker_process(concurrency=2, **LEASE)
    stage = hall.stage(games=3)
    wait_for(being_played)
    restart_broker.stop()
    wait_for(lambda: "the broker does not answer" in worker.output())
    restart_broker.start()
    wait_for(is_done(stage), ticking=True)
    check_everything(hall.contest)


def test_a_void_match_while_it_is_played(hall, celery_worker_process):
    """The organiser voids a match in progress: the worker stops, and the new match has the one result."""
    worker = celery_worker_process(**LEASE)
    stage = hall.stage(games=5)
    match = wait_for(partial(frozen_in_a_match, worker))
    stages.void(match, hall.ada, "the wrong deals")
    os.killpg(worker.pid, signal.SIGCONT)
    wait_for(is_done(stage), ticking=True)
    match.refresh_from_db()
    assert match.state == "void"
    assert not Record.objects.filter(match=match).exists()
    assert stage.matches.done().filter(table=match.table, number=1, replay_of=match).count() == 1
    check_everything(hall.contest)
