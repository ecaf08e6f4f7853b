"""Wake-up calls: counted, sent, and less authoritative than the database."""

from __future__ import annotations

import pytest
from celery import current_app
from kombu.exceptions import OperationalError

from contest import workers
from tests.tournaments.stagecraft import Hall
from tournaments.clock import tasks
from tournaments.models import Match
from tournaments.seating import queue


def test_calls_are_counted(broker):
    assert queue.waiting() == 0
    assert workers.wake(queue.PLAY, times=3)
    assert queue.waiting() == 3
    assert workers.wake(queue.PLAY, times=0)
    assert queue.waiting() == 3


def test_without_a_broker_it_says_no_and_raises_nothing(monkeypatch, caplog):
    app = type(current_app._get_current_object())("elsewhere", set_as_current=False)
    app.conf.update(
        broker_url="redis+socket:///nowhere/redis.sock",
        task_publish_retry_policy={"max_retries": 0},
        broker_transport_options={"max_retries": 0},
    )
    monkeypatch.setattr(queue, "current_app", app)
    monkeypatch.setattr(workers, "current_app", app)
    assert workers.wake(queue.PLAY, times=2) is False
    assert "waits for the next tick" in caplog.text
    with pytest.raises(OperationalError):
        queue.waiting()


@pytest.mark.django_db
def test_a_call_too_many_finds_nothing_and_does_no_harm():
    tasks.play()
    Hall(teams=2).stage(start=False, publish=True)
    tasks.play()
    assert not Match.objects.exists()
