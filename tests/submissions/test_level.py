"""What a worker reports about its sandbox when it starts: a real one, and one on a machine without a sandbox."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from contest import languages, workers
from submissions import lifecycle, prover
from submissions.models import Submission
from submissions.sandbox import Level
from tests.cast import Cast
from tests.sandbox.sandboxes import LEVEL


def worker(*queues: str) -> SimpleNamespace:
    return SimpleNamespace(app=SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=queues))))


@pytest.fixture(autouse=True)
def said(monkeypatch: pytest.MonkeyPatch) -> list[workers.Confinement]:
    heard: list[workers.Confinement] = []
    monkeypatch.setattr(workers, "confines", heard.append)
    return heard


def test_who_builds_or_plays_says_its_level(said: list[workers.Confinement], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        prover.tell(instance=worker("builds", "portal"))
    here = tuple(languages.installed())
    whole = workers.Confinement(LEVEL.name, LEVEL.title, LEVEL.acceptable, LEVEL.reasons, LEVEL.no_port, here)
    assert said == [whole]
    assert "python" in here
    assert f"sandbox level {LEVEL}" in caplog.text
    assert all(it in caplog.text for it in LEVEL.can)


def test_where_nobody_can_be_confined_it_is_an_error(
    said: list[workers.Confinement], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prover, "probe", lambda: Level("none", (), ("no Landlock", "no bubblewrap")))
    prover.tell(instance=worker("matches"))
    assert not said[0].acceptable
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "no bot is built or played by this worker" in record.getMessage()
    assert "no Landlock; no bubblewrap" in record.getMessage()


def test_languages_that_come_and_go_are_noticed_while_it_runs(
    said: list[workers.Confinement], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    here, sent = tuple(languages.installed()), []
    before = workers.Confinement("full", "", True, (), languages=("perl", "sometime"))
    monkeypatch.setattr(workers, "confinement", lambda: before)
    monkeypatch.setattr(prover.current_app, "send_task", lambda *words: sent.append(words))
    monkeypatch.setitem(prover._looked, "at", 0.0)
    with caplog.at_level(logging.INFO):
        prover.look_again()
        prover.look_again()
    assert said == [dataclasses.replace(before, languages=here)], "and seldom"
    assert sent == [("submissions.tasks.installed", [sorted(set(here) - {"perl"})])]
    assert "removed: sometime" in caplog.text


@pytest.mark.django_db
def test_builds_that_waited_for_a_language_go_on_at_once(cast: Cast, upload: Callable[..., Submission]) -> None:
    version = upload()
    later = timezone.now() + timedelta(hours=1)
    Submission.objects.update(due_at=later, failures=3)
    assert lifecycle.try_again(["c"]) == 0
    assert lifecycle.try_again(["c", "python"]) == 1
    version.refresh_from_db()
    assert version.due_at <= timezone.now()
    assert version.state == Submission.State.QUEUED
