"""Nothing is lost and nobody has to help: real workers, the real broker, real bots in the sandbox, real accidents.

Every test ends with the same question: does each match have exactly one result and one record that verifies, are the
ratings those of a run without the accident, and is the bracket complete?
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis
from celery import current_app
from django.db import transaction
from django.utils import timezone

from contest.ledger import hold
from contest.models import Contest
from contest.server import broker as broker_module
from contest.server import supervisor
from games import record as records
from tests import waiting
from tests.conftest import WorkerProcess
from tests.submissions import bots
from tests.tournaments.stagecraft import Hall, refereed
from tournaments.clock import periodic
from tournaments.models import Match, MatchSeat, Rating, Record, Stage
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.results import ratings
from tournaments.seating import queue

pytestmark = pytest.mark.django_db(transaction=True)

SLOW = bots.python_bot(take="import time; time.sleep(0.02)", play="import time; time.sleep(0.02)")
# Long enough for a machine that stalls. Tests that need an expired lease arrange it themselves.
LEASE = {"MATCH_LEASE": "20", "LOG_LEVEL": "INFO"}


def wait_for(condition: Callable[[], object], seconds: float = 60, *, ticking: bool = False) -> Any:
    """Wait for something that the workers do; `ticking` does the work of the beat."""

    def look() -> object:
        found = condition()
        if ticking and not found:  # one that comes late does nothing, else a slow worker would do nothing else
            current_app.send_task("tournaments.tasks.tick", expires=1)
        return found

    found = Match.objects.values("pk", "state", "last_error")
    return waiting.wait_for(look, lambda: list(found.all()), seconds, pause=0.5 if ticking else 0.1)


def is_done(stage: Stage) -> Callable[[], bool]:
    return lambda: Stage.objects.get(pk=stage.pk).state == Stage.State.DONE


def being_played() -> Match | None:
    """A match that has really begun: its bots run as children of the process that plays it."""
    match = Match.objects.filter(state=Match.State.RUNNING).order_by("started_at").first()
    return match if match and len(supervisor.descendants(player_of(match))) >= match.seats.count() else None


def player_of(match: Match) -> int:
    return int(match.worker.rpartition(":")[2])


def frozen_in_a_match(worker: WorkerProcess) -> Match | None:
    """Freeze a worker. Returns the match in progress, or None: then the worker goes on."""
    if being_played() is None:
        return None
    os.killpg(worker.pid, signal.SIGSTOP)
    match = Match.objects.filter(state=Match.State.RUNNING).first()
    if match is None:  # it has just ended
        os.killpg(worker.pid, signal.SIGCONT)
    return match


def let_the_lease_end(match: Match) -> None:
    """As if its lease had expired; the process that plays it does not live to renew it."""
    held = Match.objects.filter(pk=match.pk, state=Match.State.RUNNING, attempt=match.attempt)
    assert held.update(lease_until=timezone.now() - timedelta(seconds=1)) == 1


def check_everything(contest: Contest) -> None:
    """One result, one record, right ratings, right bracket, nothing left to do."""
    done = Match.objects.done().filter(contest=contest)
    assert not Match.objects.open().exists()
    assert set(Record.objects.values_list("match", flat=True)) == {match.pk for match in done}
    for match in done.select_related("record").prefetch_related("seats"):
        record = records.loads(match.record.text())
        assert records.verify(record) is None
        assert [seat.place for seat in match.seats.all()] == record["result"]["places"]
        assert [seat.score for seat in match.seats.all()] == record["result"]["scores"]
        assert not record["result"]["disqualified"], "no bot was blamed for the accident"
    tables = {match.table_id for match in done}
    assert len(tables) <= done.count()
    for stage in contest.stages.all():
        assert all(table.decided for table in stage.tables.all())
    before = ratings_of(contest)
    with transaction.atomic():
        ratings.start_over(hold(contest.pk))
    steps = list(iter(lambda: ratings.catch_up(contest.pk), None))
    assert steps
    assert not any(steps), "nothing in the chain changes"
    assert ratings_of(contest) == before
    matches = {seat.team_id: 0 for seat in MatchSeat.objects.filter(team__isnull=False)}
    for seat in MatchSeat.objects.filter(match__in=done, team__isnull=False):
        matches[seat.team_id] += 1
    assert dict(Rating.objects.values_list("team", "matches")) == matches


def ratings_of(contest: Contest) -> list[tuple[object, ...]]:
    return list(Rating.objects.filter(contest=contest).order_by("team").values_list("team", "mu", "sigma", "matches"))


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    return Hall(teams=5, source=SLOW)


def test_a_whole_stage_without_accidents(hall, celery_worker_process):
    celery_worker_process(concurrency=2, **LEASE)
    stage = hall.stage(games=2)
    wait_for(is_done(stage))
    check_everything(hall.contest)
    assert {match.attempt for match in stage.matches.done()} == {1}
    assert {match.games for match in stage.matches.done()} == {2}


def test_a_worker_that_is_killed_in_the_middle_of_a_match(hall, celery_worker_process):
    victim = celery_worker_process(**LEASE)
    stage = hall.stage()
    match = wait_for(partial(frozen_in_a_match, victim))
    victim.kill()
    assert Match.objects.get(pk=match.pk).state == "running", "nobody knows yet"
    let_the_lease_end(match)
    celery_worker_process(**LEASE)
    wait_for(is_done(stage), ticking=True)
    match.refresh_from_db()
    assert (match.state, match.attempt, match.failures) == ("done", 2, 1)
    check_everything(hall.contest)


def test_all_processes_of_the_pool_killed_one_after_the_other(hall, celery_worker_process):
    """The worker's own child dies and Celery starts another: the lease brings the match back, not Celery.

    The lease really expires here, perhaps more than once on a machine that stalls.
    """
    worker = celery_worker_process(**LEASE | {"MATCH_LEASE": "3"})
    stage = hall.stage()
    match = wait_for(partial(frozen_in_a_match, worker))
    os.kill(player_of(match), signal.SIGKILL)
    os.killpg(worker.pid, signal.SIGCONT)
    wait_for(is_done(stage), ticking=True)
    match.refresh_from_db()
    assert match.attempt == match.failures + 1 >= 2
    assert worker.process.poll() is None
    check_everything(hall.contest)


def test_every_message_delivered_twice_to_two_workers(hall, celery_worker_process):
    stage = hall.stage()
    for _ in range(10):
        current_app.send_task(queue.PLAY)
    celery_worker_process(**LEASE)
    celery_worker_process(**LEASE)
    wait_for(lambda: current_app.send_task(queue.PLAY) and is_done(stage)())
    check_everything(hall.contest)
    assert {match.attempt for match in stage.matches.done()} == {1}


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
        assert broker_module.wait_until(self.socket_file, up=False, seconds=10)

    def start(self) -> None:
        command = broker_module.find().command(self.socket_file, self.socket_file.parent)
        prepare = partial(supervisor.die_with_parent, signal.SIGKILL)
        subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=prepare)
        assert broker_module.wait_until(self.socket_file, up=True, seconds=10)


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
    with pytest.raises(queue.OperationalError):
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
    wait_for(is_done(stage), 90, ticking=True)
    check_everything(hall.contest)


def test_a_worker_that_hears_nothing_any_more_ends(hall, celery_worker_process):
    """As after a lost connection that Celery did not notice: it seems connected and idle, and messages wait."""
    worker = celery_worker_process(**LEASE | {"DEAF_AFTER": "3"})
    current_app.control.cancel_consumer("matches", reply=True)
    hall.stage()
    waiting.wait_for(lambda: worker.process.poll() is not None, worker.output)
    assert worker.process.returncode == os.EX_TEMPFAIL
    assert "messages wait and none is heard for 3 seconds" in worker.output()


def test_messages_that_are_lost(hall, celery_worker_process, broker):
    stage = hall.stage()
    redis.Redis(unix_socket_path=str(broker)).flushall()
    celery_worker_process(**LEASE)
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


def test_the_process_is_lost_between_a_result_and_its_consequences(hall):
    """The tick schedules the next round when the worker that should have done it is lost."""
    stage = hall.stage()
    for match in stage.matches.all():
        claimed = play.claim(match.pk, "one")
        play.finish(claimed, refereed(claimed))
    assert stage.matches.open().count() == 0
    periodic.tick()
    assert stage.matches.open().count() > 0
