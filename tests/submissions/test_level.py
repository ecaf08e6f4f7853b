"""What a worker reports about its sandbox when it starts: a real one, and one on a machine without a sandbox."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from contest import languages
from contest.server import workers
from submissions import level
from submissions.sandbox import Level
from tests.submissions.sandboxes import LEVEL


def worker(*queues: str) -> SimpleNamespace:
    return SimpleNamespace(app=SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=queues))))


@pytest.fixture(autouse=True)
def said(monkeypatch: pytest.MonkeyPatch) -> list[workers.Confinement]:
    heard: list[workers.Confinement] = []
    monkeypatch.setattr(workers, "confines", heard.append)
    return heard


def test_who_builds_or_plays_says_its_level(said: list[workers.Confinement], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        level.tell(instance=worker("builds", "portal"))
    here = tuple(languages.installed())
    whole = workers.Confinement(LEVEL.name, LEVEL.title, LEVEL.acceptable, LEVEL.reasons, LEVEL.no_port, here)
    assert said == [whole]
    assert "python" in here
    assert f"sandbox level {LEVEL}" in caplog.text
    assert all(it in caplog.text for it in LEVEL.can)


def test_who_runs_no_bots_says_nothing(said: list[workers.Confinement], caplog: pytest.LogCaptureFixture) -> None:
    level.tell(instance=worker("portal"))
    assert (said, caplog.text) == ([], "")


def test_where_nobody_can_be_confined_it_is_an_error(
    said: list[workers.Confinement], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level, "probe", lambda: Level("none", (), ("no Landlock", "no bubblewrap")))
    level.tell(instance=worker("matches"))
    assert not said[0].acceptable
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "no bot is built or played by this worker" in record.getMessage()
    assert "no Landlock; no bubblewrap" in record.getMessage()


def test_celery_asks_before_its_pool_starts() -> None:
    """In its own process, because in this one the handlers of all tests are connected."""
    code = """
import json
from contest.celery import app
from celery.signals import celeryd_after_setup
import django; django.setup()
app.loader.import_default_modules()
print(json.dumps([receiver[1]().__name__ for receiver in celeryd_after_setup.receivers]))
"""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "tell" in json.loads(run.stdout)
