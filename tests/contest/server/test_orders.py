"""Draining and restarting workers by name, with a real worker where that matters (tests/e2e/test_machines.py)."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from contest.server import health, orders, workers
from contest.version import RELEASE
from tests.waiting import wait_for

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]


@pytest.fixture
def one(broker):
    """A worker that does nothing but give a sign of life, with this process's heartbeat."""
    workers.sign_of_life("matches@one", ("matches",))
    yield workers.alive()[0]
    workers.is_doing(draining=False, busy=0)


def said(command: str, *words: str) -> str:
    out = StringIO()
    call_command(command, *words, stdout=out)
    return out.getvalue()


def test_a_heartbeat_brings_the_order(one):
    assert workers.sign_of_life("matches@one", ("matches",)) == ""
    orders.drain(["matches@one"])
    assert workers.sign_of_life("matches@one", ("matches",)) == '{"do": "drain"}'
    assert orders.of_all() == {"matches@one": "drain"}
    orders.undrain(["matches@one"])
    assert workers.sign_of_life("matches@one", ("matches",)) == ""


def test_nobody_knows_the_order_while_the_broker_is_away(settings, tmp_path):
    settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
    assert workers.sign_of_life("matches@one", ("matches",)) is None


def test_workers_are_called_by_their_names_or_by_that_of_their_machine(one):
    workers.sign_of_life("builds@one", ("builds",))
    workers.sign_of_life("builds@two", ("builds",))
    assert "builds@one, matches@one: draining" in said("drain", "one")
    assert set(orders.of_all()) == {"builds@one", "matches@one"}
    assert "matches@one: taking tasks again" in said("drain", "matches@one", "--undo")
    assert set(orders.of_all()) == {"builds@one"}
    with pytest.raises(
        CommandError, match=r"No worker or machine is called three\. Workers now: builds@one, builds@two"
    ):
        said("drain", "three")


def test_who_has_finished_is_drained(one):
    workers.is_doing(draining=True, busy=1)
    workers.sign_of_life("matches@one", ("matches",))
    (worker,) = workers.alive()
    assert (worker.draining, worker.is_drained, worker.busy) == (True, False, 1)
    assert "matches@one (draining)" in health.workforce().detail
    workers.is_doing(draining=True, busy=0)
    workers.sign_of_life("matches@one", ("matches",))
    assert workers.alive()[0].is_drained
    assert "matches@one: drained." in said("drain", "one", "--wait")


def test_waiting_ends_and_says_who_is_still_busy(one):
    workers.is_doing(draining=True, busy=2)
    workers.sign_of_life("matches@one", ("matches",))
    workers.is_doing(draining=True, busy=0)
    workers.sign_of_life("builds@one", ("builds",))
    with pytest.raises(CommandError, match=r"Not finished after 0 s: matches@one \(2 tasks left\)\. They take nothing"):
        said("drain", "one", "--wait", "--timeout", "0")
    with pytest.raises(CommandError, match=r"matches@one \(2 tasks left\)\. .* Workers after it were not restarted"):
        said("restart_workers", "matches@one", "--timeout", "0.1")
    assert orders.of_all()["matches@one"] == "restart", "it ends later, when it has finished"


def test_without_a_broker_the_commands_say_so(settings, tmp_path):
    settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
    for command in (["drain", "one"], ["restart_workers"]):
        with pytest.raises(CommandError, match="The broker does not answer"):
            said(*command)
    assert "unknown, the broker does not answer" in said("release")


def test_the_version_names_release_schema_and_workers(one):
    text = said("release")
    assert text.startswith(f"Kibitz    {RELEASE}, schema ")
    assert ": fits\n" in text
    assert f"matches@one {RELEASE}" in text


def test_a_clock_that_differs_is_a_finding(one):
    with time_machine.travel(timezone.now() - timedelta(seconds=60)):
        workers.sign_of_life("matches@one", ("matches", "builds", "portal", "webhooks"))
    (worker,) = workers.alive()
    assert worker.is_alive(), "its time is the broker's"
    finding = health.workforce()
    assert (finding.ok, finding.doubtful) == (True, True)
    assert "clocks differ from the broker's: matches@one by -" in finding.detail


@pytest.mark.django_db(transaction=True)
def test_a_real_worker_drains_comes_back_and_ends_when_told_to(celery_worker_process):
    process = celery_worker_process(queues="portal")
    (worker,) = wait_for(workers.alive, process.output)
    orders.drain([worker.name])
    wait_for(lambda: workers.alive()[0].is_drained, process.output)
    assert workers.alive()[0].queues == ("portal",), "it says what it would take"
    orders.undrain([worker.name])
    wait_for(lambda: not workers.alive()[0].draining, process.output)
    orders.restart(worker)
    assert process.process.wait(timeout=60) == 0
    assert workers.known() == [], "whoever ends as it should is forgotten"
