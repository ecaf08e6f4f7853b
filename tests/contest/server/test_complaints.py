"""What is wrong is said once a minute, however often it happens, and so is its end."""

import logging

import pytest

from contest.server import complaints
from contest.server.complaints import complain, content


@pytest.fixture(autouse=True)
def nothing_stands():
    complaints.ours._standing.clear()
    yield
    complaints.ours._standing.clear()


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 1000.0

    monkeypatch.setattr(complaints.time, "monotonic", lambda: Clock.now)
    return Clock


def test_a_condition_is_said_at_once_and_then_once_a_minute(caplog, clock):
    for second in range(150):
        clock.now = 1000.0 + second
        complain("disk", "The disk is full.")
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 3
    assert lines[0] == "The disk is full."
    assert lines[1].startswith("The disk is full. (61 times since ")
    assert {record.levelno for record in caplog.records} == {logging.WARNING}
    assert {record.condition for record in caplog.records} == {"disk"}


def test_its_end_is_said_once(caplog, monkeypatch):
    monkeypatch.setattr(complaints.time, "time", lambda: 1e9)
    complain("broker", "The broker is away.")
    assert content("broker")
    assert not content("broker")
    assert not content("never heard of")
    assert [record.getMessage() for record in caplog.records] == [
        "The broker is away.",
        "again well after 0 s: The broker is away.",
    ]
    assert complain("broker", "The broker is away."), "the next time is said at once"
