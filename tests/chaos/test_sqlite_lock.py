"""A process that is stopped while it holds SQLite's write lock does not keep the others from writing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from contest.models import Contest
from contest.server.sqlite3 import base, holders
from tests.cast import make_contest
from tests.conftest import ROOT
from tests.waiting import state_of, wait_for

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own lock"),
]

HOLD = """
import os, signal, sys, time
import django
django.setup()
from django.db import transaction
from contest.ledger import hold
with transaction.atomic():
    hold(int(sys.argv[1]))
    print("held", flush=True)
    {waits}
print("over", flush=True)
sys.stdin.read()
"""
STOPS = "os.kill(os.getpid(), signal.SIGSTOP)"
STOPS_ALWAYS = "while True: os.kill(os.getpid(), signal.SIGSTOP)"
IDLES = "time.sleep(600)"


@pytest.fixture
def contest(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contest]:
    monkeypatch.setattr(base, "LOOK_EVERY", 0.5)
    connection.close()
    yield make_contest()
    connection.close()


@pytest.fixture
def holding(portal_env: dict[str, str], contest: Contest) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """`holding(what, *words)`: a process with the write lock, and words by which it looks like a server."""
    started = []

    def start(waits: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", HOLD.format(waits=waits), str(contest.pk), *words]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        process = subprocess.Popen(command, cwd=ROOT, env=portal_env, **pipes)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def write(contest: Contest) -> float:
    """Write in a transaction; returns the seconds that it took."""
    began = monotonic()
    with transaction.atomic():
        Contest.objects.filter(pk=contest.pk).update(name="written")
    assert Contest.objects.get(pk=contest.pk).name == "written"
    return monotonic() - began


def test_the_holder_is_known(contest, holding):
    process = holding(STOPS)
    wait_for(lambda: state_of(process.pid) == "T")
    found = holders.holder_of(str(connection.settings_dict["NAME"]))
    assert found is not None
    assert (found.pid, found.state, found.is_server) == (process.pid, "T", False)
    os.kill(process.pid, signal.SIGCONT)
    assert process.stdout.readline() == "over\n"
    assert holders.holder_of(str(connection.settings_dict["NAME"])) is None


def test_a_stopped_process_is_continued(contest, holding):
    process = holding(STOPS)
    assert write(contest) < 15
    assert process.stdout.readline() == "over\n", "its transaction is complete"


def test_a_server_that_does_nothing_is_killed(contest, holding, monkeypatch):
    monkeypatch.setattr(holders, "LONGEST_PAUSE", 1)
    process = holding(IDLES, "celery", "worker")
    assert write(contest) < 20
    assert process.wait(timeout=60) == -signal.SIGKILL


def test_a_command_that_somebody_started_is_let_alone(contest, holding, monkeypatch):
    monkeypatch.setattr(holders, "LONGEST_PAUSE", 0.2)
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 2)
    connection.close()
    process = holding(IDLES)
    try:
        with pytest.raises(OperationalError, match="locked"):
            write(contest)
    finally:
        connection.close()
    assert process.poll() is None
