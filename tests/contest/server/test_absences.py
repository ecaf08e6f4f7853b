"""What is away is told in a line, and everything else keeps its traceback."""

import errno
import logging

import pytest
import redis
from django.db import OperationalError, ProgrammingError, connection
from django.db.migrations.exceptions import MigrationSchemaMissing
from django.db.migrations.recorder import MigrationRecorder
from kombu.exceptions import OperationalError as BrokerError

from contest.server.logs import InALine, absent


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


def test_what_is_away_is_told_in_a_line(caplog):
    caplog.handler.addFilter(InALine())
    for error in (redis.ConnectionError("Error 111 connecting to somewhere"), ValueError("a mistake of ours")):
        try:
            raise error
        except type(error):
            logging.getLogger("django.request").exception("Internal Server Error: /")
    assert "Error 111 connecting to somewhere" in caplog.messages[0]
    assert [bool(record.exc_info) for record in caplog.records] == [False, True]


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
