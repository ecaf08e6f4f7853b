"""Exactly once, whatever happens: killed workers, expired leases, a lost broker."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from contest import teams
from contest.refusal import Refused
from submissions import lifecycle
from submissions.lease import Lease, LeaseLost, worker_name
from submissions.models import Submission
from submissions.process import process
from tests.cast import Cast
from tests.submissions import bots
from tests.waiting import wait_for

Uploader = Callable[..., Submission]
Worker = Callable[..., Any]

pytestmark = pytest.mark.promise

# Compiles for some seconds: long enough to be killed during the build.
SLOW_TO_BUILD = (
    bots.kit("random.cpp")
    + b"""
template <int N, int M> struct Slow {
    static constexpr int value = Slow<N - 1, M>::value ^ Slow<N - 1, M + N * 31>::value;
};
template <int M> struct Slow<0, M> { static constexpr int value = M; };
int slow() { return Slow<15, 1>::value; }
"""
)
# It waits in its check, without using the processor: long enough to be killed during the check.
SLOW_TO_CHECK = bots.python_bot(play="import time; time.sleep(0.05)")


def state_of(version: Submission) -> str:
    return Submission.objects.values_list("state", flat=True).get(pk=version.pk)


def expire(version: Submission) -> int:
    """As if the lease had expired by now; then the tick runs."""
    past = timezone.now() - timedelta(seconds=1)
    Submission.objects.filter(pk=version.pk, state__in=Submission.WORKING).update(lease_until=past)
    return lifecycle.requeue_abandoned(timezone.now())


def test_a_team_has_one_active_version(upload: Uploader) -> None:
    """The database itself keeps it so."""
    versions = [upload(source).pk for source in (b"a\n", b"b\n")]
    Submission.objects.filter(pk=versions[0]).update(is_active=True)
    with pytest.raises(IntegrityError, match=r"UNIQUE|one_active_version"):
        Submission.objects.filter(pk=versions[1]).update(is_active=True)


def broker_client() -> redis.Redis:
    return redis.Redis(unix_socket_path=str(settings.BROKER_SOCKET))


def queued_messages() -> int:
    return int(broker_client().llen("builds"))


@contextmanager
def broker_gone() -> Iterator[None]:
    """Nobody can connect to the broker, and all connections are cut."""
    client, place = broker_client(), Path(settings.BROKER_SOCKET)
    client.ping()
    hidden = place.rename(place.with_suffix(".hidden"))
    try:
        client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        yield
    finally:
        hidden.rename(place)


# Telling the workers --------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_an_upload_tells_the_workers_once_it_is_stored(upload: Uploader) -> None:
    version = upload()
    assert queued_messages() == 1
    version.refresh_from_db()
    assert version.enqueued_at
    assert lifecycle.requeue_abandoned(timezone.now()) == 0, "its message is on the way"
    assert queued_messages() == 1


@pytest.mark.django_db(transaction=True)
def test_a_message_that_may_be_lost_is_sent_again(upload: Uploader) -> None:
    version = upload()
    assert lifecycle.requeue_abandoned(timezone.now() + timedelta(minutes=6)) == 1
    assert queued_messages() == 2
    lifecycle.claim(version.pk, "worker")
    assert lifecycle.requeue_abandoned(timezone.now() + timedelta(seconds=30)) == 0, "somebody has it"


@pytest.mark.django_db(transaction=True)
def test_an_upload_while_the_broker_is_gone_is_taken_up_by_the_tick(upload: Uploader) -> None:
    with broker_gone():
        version = upload()
        version.refresh_from_db()
        assert (version.state, version.enqueued_at) == ("queued", None)
    assert lifecycle.requeue_abandoned(timezone.now()) == 1
    assert queued_messages() == 1


# Claims and leases ----------------------------------------------------------------------------------------------------


def test_a_claim_is_given_once(upload: Uploader) -> None:
    version = upload()
    claimed = lifecycle.claim(version.pk, "first")
    assert claimed is not None
    assert (claimed.state, claimed.worker, claimed.attempt) == ("building", "first", 1)
    assert lifecycle.claim(version.pk, "second") is None
    assert lifecycle.claim(999_999, "second") is None


def test_every_attempt_has_a_number_of_its_own(upload: Uploader) -> None:
    version = upload()
    numbers = []
    for seconds in (0, 20, 40, 80):  # what may be ending the workers waits longer and longer
        Submission.objects.filter(pk=version.pk).update(due_at=timezone.now())
        claimed = lifecycle.claim(version.pk, "worker")
        assert claimed is not None
        numbers.append(claimed.attempt)
        pause, before = timedelta(seconds=seconds), timezone.now()
        expire(version)
        version.refresh_from_db()
        assert before + pause <= version.due_at <= timezone.now() + pause
    assert numbers == [1, 2, 3, 4]
    assert version.failures == 4
    assert version.last_error == "The worker worker was lost."


def test_a_lease_that_is_kept_is_not_taken_away(upload: Uploader) -> None:
    claimed = lifecycle.claim(upload().pk, "worker")
    assert claimed is not None
    assert lifecycle.requeue_abandoned(timezone.now() + timedelta(seconds=30)) == 0
    Lease(Submission.objects.held_by(claimed)).renew()
    later = timezone.now() + timedelta(seconds=40)
    assert lifecycle.requeue_abandoned(later) == 0
    claimed.refresh_from_db()
    assert claimed.lease_until is not None
    assert claimed.lease_until > later


@pytest.mark.django_db(transaction=True)
def test_a_lease_renews_itself_while_the_work_goes_on(upload: Uploader) -> None:
    claimed = lifecycle.claim(upload().pk, "worker")
    assert claimed is not None
    first = claimed.lease_until
    with Lease(Submission.objects.held_by(claimed), every=timedelta(milliseconds=20)) as lease:
        wait_for(lambda: Submission.objects.get(pk=claimed.pk).lease_until > first, lambda: "a renewal")
        lease.check()
    assert not lease._thread.is_alive(), "no renewal after the work"


@pytest.mark.django_db(transaction=True)
def test_a_lease_notices_that_it_is_lost(upload: Uploader) -> None:
    claimed = lifecycle.claim(upload().pk, "worker")
    assert claimed is not None
    with Lease(Submission.objects.held_by(claimed), every=timedelta(milliseconds=20)) as lease:
        wait_for(lambda: expire(claimed), lambda: "the loss")  # it may be renewed between the two steps of this
        wait_for(lambda: lease.lost, lambda: "the loss to be noticed")
        with pytest.raises(LeaseLost):
            lease.check()
    assert state_of(claimed) == "queued"


@pytest.mark.django_db(transaction=True)
def test_a_lease_that_runs_out_under_a_live_worker(upload: Uploader, monkeypatch: pytest.MonkeyPatch) -> None:
    """During its check the version goes to another worker, which finishes; the first one writes nothing."""
    version = upload(SLOW_TO_CHECK)
    finish = lifecycle.checked_game
    others: list[Any] = []

    def lose_the_lease(claimed: Submission, game: Any) -> None:
        monkeypatch.setattr(lifecycle, "checked_game", finish)
        wait_for(lambda: expire(version), lambda: "the loss")  # it may be renewed between the two steps of this
        others.append(process(version.pk, "second"))
        finish(claimed, game)

    monkeypatch.setattr(lifecycle, "checked_game", lose_the_lease)
    process(version.pk, "first")
    version.refresh_from_db()
    assert others[0].worker == ""
    assert (version.state, version.attempt, version.failures) == ("ready", 2, 1)
    assert version.check_games.count() == 4


# Real workers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "name", "state"),
    [
        pytest.param(SLOW_TO_BUILD, "slow.cpp", "building", marks=pytest.mark.long("chaos")),
        (SLOW_TO_CHECK, "slow.py", "checking"),
    ],
)
def test_a_worker_that_is_killed_loses_nothing(
    upload: Uploader, celery_worker_process: Worker, source: bytes, name: str, state: str
) -> None:
    version = upload(source, name)
    first = celery_worker_process(queues="builds")
    wait_for(lambda: state_of(version) == state, lambda: f"the version to be {state}")
    if state == "checking":
        wait_for(version.check_games.exists, lambda: "a game of the check")
    first.kill()
    assert state_of(version) == state, "nothing notices before the lease has run out"
    assert lifecycle.requeue_abandoned(timezone.now() + timedelta(seconds=30)) == 0
    assert expire(version) == 1
    celery_worker_process(queues="builds")
    wait_for(lambda: state_of(version) == "ready", lambda: "the version to be ready", 300)
    version.refresh_from_db()
    assert (version.attempt, version.failures, version.is_active) == (2, 1, True)
    assert [game.number for game in version.check_games.all()] == [1, 2, 3, 4]


@pytest.mark.long("chaos")
def test_a_worker_process_that_dies_alone_is_replaced(upload: Uploader, celery_worker_process: Worker) -> None:
    """The pool's process is killed, not its master: the lease decides, and the message does not return by itself."""
    version = upload(SLOW_TO_CHECK)
    celery_worker_process(queues="builds")
    wait_for(lambda: state_of(version) == "checking", lambda: "the check")
    worker = Submission.objects.values_list("worker", flat=True).get(pk=version.pk)
    process = worker.rsplit(":", 1)[1]
    os.kill(int(process), signal.SIGKILL)
    wait_for(lambda: not Path("/proc", process).exists(), lambda: "its master to bury it")
    assert state_of(version) == "checking"
    expire(version)
    wait_for(lambda: state_of(version) == "ready", lambda: "the version to be ready", 300)
    version.refresh_from_db()
    assert version.attempt == 2


def test_the_worker_is_named_by_machine_and_process() -> None:
    assert worker_name().endswith(f":{os.getpid()}")


# Locks ----------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("action", ["ready", "activate", "withdraw", "recheck"])
def test_rows_are_locked_from_the_contest_down(cast: Cast, upload: Uploader, action: str) -> None:
    """Like every other action: two that lock rows in different orders would wait for each other forever."""
    version = upload()
    claimed = lifecycle.claim(version.pk, "worker")
    assert claimed is not None
    claimed.contest  # noqa: B018 - known before, as it is to who calls
    if action != "ready":
        state = "rejected" if action == "recheck" else "ready"
        Submission.objects.filter(pk=version.pk).update(state=state, is_active=action == "withdraw")
    with CaptureQueriesContext(connection) as queries:
        match action:
            case "ready":
                lifecycle.ready(claimed)
            case "activate":
                lifecycle.activate(claimed, cast.alice)
            case "withdraw":
                lifecycle.withdraw(claimed.team, cast.alice)
            case "recheck":
                lifecycle.recheck(claimed, cast.olga, "a better compiler")
    tables = [found[1] for it in queries if (found := re.search(r'(?:FROM|UPDATE|INTO) "(\w+)"', it["sql"]))]
    assert tables[0] == "contest_contest", tables


@pytest.mark.django_db
def test_a_team_that_was_put_out_meanwhile_changes_nothing(cast: Cast, upload: Uploader) -> None:
    version = upload()
    Submission.objects.filter(pk=version.pk).update(state="ready")
    stale = Submission.objects.select_related("team__contest").get(pk=version.pk)
    teams.disqualify(cast.aces, cast.olga, "copied a bot")
    with pytest.raises(Refused, match="not taking part"):
        lifecycle.activate(stale, cast.alice)
    with pytest.raises(Refused, match="not taking part"):
        lifecycle.withdraw(stale.team, cast.alice)
    with pytest.raises(Refused, match="disqualified"):
        upload(b"another = 1\n", team=stale.team)


@pytest.mark.django_db
def test_an_organiser_who_changes_what_plays_says_why(cast: Cast, upload: Uploader) -> None:
    version = upload()
    Submission.objects.filter(pk=version.pk).update(state="ready")
    version.refresh_from_db()
    for action, thing in [(lifecycle.activate, version), (lifecycle.withdraw, cast.aces)]:
        with pytest.raises(Refused, match="Please give a reason"):
            action(thing, cast.olga, " ")
        action(thing, cast.olga, "agreed by telephone")
        act = cast.contest.acts.latest("id")
        assert (act.user, act.reason, act.data["team"]) == (cast.olga, "agreed by telephone", cast.aces.pk)
    with pytest.raises(Refused, match="say why"):
        lifecycle.recheck(version, cast.olga, "")
