"""What is away is told in a line, and everything else keeps its traceback."""

import errno
import logging
import sys

import pytest
import redis
from django.db import OperationalError, ProgrammingError, connection
from django.db.migrations.exceptions import MigrationSchemaMissing
from django.db.migrations.recorder import MigrationRecorder
from kombu.exceptions import OperationalError as BrokerError

from contest.server import complaints
from contest.server.absences import InALine, absent


@pytest.fixture(autouse=True)
def nothing_stands():
    complaints.ours._standing.clear()
    yield
    complaints.ours._standing.clear()


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (redis.ConnectionError("Error 111 connecting"), "broker"),
        (redis.TimeoutError("Timeout reading from socket"), "broker"),
        (BrokerError("Error 2 connecting"), "broker"),
        (OSError(errno.ENOSPC, "No space left on device"), "disk"),
        (redis.ResponseError("unknown command"), None),
        (OSError(errno.ENOENT, "No such file or directory"), None),
        (ProgrammingError("no such table"), None),
        (ValueError("two"), None),
    ],
)
def test_what_is_away(error, part):
    found = absent(error)
    assert (found and found[0]) == part


def record(error, name="django.request", text="Internal Server Error: /"):
    try:
        raise error
    except type(error):
        return logging.LogRecord(name, logging.ERROR, __file__, 1, text, (), sys.exc_info())


def test_a_thousand_tracebacks_become_one_line(caplog):
    line = InALine()
    for _ in range(1000):
        assert not line.filter(record(redis.ConnectionError("Error 111 connecting to somewhere")))
    assert caplog.messages == ["The broker is away: Error 111 connecting to somewhere"]
    assert not line.filter(record(OSError(errno.ENOSPC, "No space left on device")))
    assert caplog.messages[1:] == ["The disk cannot be written: No space left on device"]
    assert line.filter(record(ValueError("a mistake of ours"))), "which keeps its traceback"


@pytest.mark.django_db
@pytest.mark.parametrize("gone", [True, False])
def test_a_database_that_goes_away_during_the_first_migration_is_away(
    monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    error = OperationalError("disk is full") if gone else ProgrammingError("no right to create tables")

    def fail(*_: object) -> None:
        raise error

    recorder = MigrationRecorder(connection)
    monkeypatch.setattr(recorder, "has_table", lambda: False)
    monkeypatch.setattr(connection, "schema_editor", fail)
    with pytest.raises(MigrationSchemaMissing) as caught:
        recorder.ensure_schema()
    monkeypatch.setattr(connection, "vendor", "sqlite")
    assert (absent(caught.value) is not None) == gone
