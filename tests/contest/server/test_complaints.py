"""What is wrong is said once a minute, however often it happens, and so is its end."""

import logging
import os
import threading

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


def test_conditions_do_not_hide_each_other(caplog):
    assert complain("disk", "The disk is full.")
    assert complain("broker", "The broker is away.")
    assert not complain("disk", "The disk is full.")
    assert set(complaints.standing()) == {"disk", "broker"}


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


def test_a_message_of_several_lines_becomes_one(caplog):
    complain("database", "connection failed:\n  no such host\n")
    assert caplog.messages == ["connection failed: no such host"]


def test_many_threads_make_one_line(caplog):
    threads = [threading.Thread(target=complain, args=("disk", "full")) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert caplog.messages == ["full"]
    assert complaints.standing()["disk"].times == 20


def test_a_log_that_cannot_be_written_troubles_nobody(monkeypatch):
    """/dev/full refuses every byte, as a full disk does."""
    with open("/dev/full", "w") as full:
        handler = logging.StreamHandler(full)
        complaints.log.addHandler(handler)
        monkeypatch.setattr("sys.stderr", full)
        try:
            assert complain("disk", "The disk is full.")
            assert content("disk")
        finally:
            complaints.log.removeHandler(handler)
            os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())  # so that closing it does not fail either


def test_after_a_long_silence_it_is_something_new(caplog, clock):
    complain("broker", "The broker is away.")
    clock.now += complaints.OVER + 1
    complain("broker", "The broker is away.")
    assert caplog.messages == ["The broker is away."] * 2
