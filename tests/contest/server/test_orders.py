"""Draining and restarting workers by name, with a real worker where that matters (tests/e2e/test_machines.py)."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from contest.server import orders, workers
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


def test_the_version_names_release_schema_and_workers(one):
    text = said("release")
    assert text.startswith(f"Kibitz    {RELEASE}, schema ")
    assert ": fits\n" in text
    assert f"matches@one {RELEASE}" in text


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
