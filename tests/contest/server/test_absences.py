"""What is away is told in a line, and everything else keeps its traceback."""

import errno
import logging
import os
import re
import subprocess
import sys

import psycopg
import pytest
import redis
from django.db import OperationalError, ProgrammingError, connection
from kombu.exceptions import OperationalError as BrokerError

from contest.server import complaints
from contest.server.absences import InALine, absent


@pytest.fixture(autouse=True)
def nothing_stands():
    complaints.ours._standing.clear()
    yield
    complaints.ours._standing.clear()


def of_postgresql(error):
    """As Django raises it."""
    outer = OperationalError(str(error))
    outer.__cause__ = error
    return outer


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


@pytest.mark.parametrize(
    ("text", "away"),
    [
        ("database or disk is full", True),
        ("unable to open database file", True),
        ("no such column: name", False),
        ("database is locked", False),
    ],
)
def test_sqlite_says_it_in_words(monkeypatch, text, away):
    monkeypatch.setattr(connection, "vendor", "sqlite")
    assert (absent(OperationalError(text)) is not None) == away


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (psycopg.errors.AdminShutdown("terminating connection"), True),
        (psycopg.errors.CannotConnectNow("the database system is starting up"), True),
        (psycopg.errors.DiskFull("could not extend file"), True),
        (psycopg.OperationalError("connection refused"), True),
        (psycopg.errors.QueryCanceled("statement timeout"), False),
        (psycopg.errors.LockNotAvailable("lock timeout"), False),
    ],
)
def test_postgresql_says_it_by_its_code(monkeypatch, error, away):
    monkeypatch.setattr(connection, "vendor", "postgresql")
    assert (absent(of_postgresql(error)) is not None) == away


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


def test_the_lines_of_celery_about_its_broker_become_one(caplog):
    line = InALine()
    text = "consumer: Cannot connect to redis: refused.\nTrying again in 2 seconds"
    for _ in range(10):
        told = logging.LogRecord("celery.worker.consumer.consumer", logging.ERROR, __file__, 1, text, (), None)
        assert not line.filter(told)
    assert caplog.messages == [
        "The broker is away: consumer: Cannot connect to redis: refused. Trying again in 2 seconds"
    ]


@pytest.mark.django_db(transaction=True)
def test_a_new_connection_to_the_database_is_its_end(caplog):
    InALine()
    complaints.complain("database", "The database is away: connection refused")
    connection.close()
    connection.ensure_connection()
    assert re.fullmatch(r"again well after \d+ s: The database is away: connection refused", caplog.messages[-1])


FULL = """
import os, sys, time
import django
django.setup()
import logging
from django.conf import settings
from contest.server import absences, complaints
line, filling = absences.InALine(), settings.VAR_DIR / "filling"
line.probe.every = 0.02
file = filling.open("wb", buffering=0)
try:
    while file.write(bytes(1 << 16)):
        pass
except OSError as error:
    found = sys.exc_info()
line.filter(logging.LogRecord("django.request", logging.ERROR, "", 1, "", (), found))
probing = line.probe._thread
probing.join(0.3)
print("full", *complaints.standing(), probing.is_alive())
filling.unlink(), file.close()
probing.join(60)
print("room", *complaints.standing(), probing.is_alive(), os.listdir(settings.VAR_DIR))
"""


@pytest.mark.long("more")
def test_the_disk_is_well_again_when_a_file_can_be_written(tmp_path):
    mounted = 'mount -t tmpfs -o size=1m,mode=700 none "$0" && exec "$@"'
    space = "-m" if os.geteuid() == 0 else "-rm"
    settings = {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "contest.settings", "SECRET_KEY": "x" * 50}
    run = subprocess.run(
        ["unshare", space, "sh", "-c", mounted, str(tmp_path), sys.executable, "-c", FULL],
        env=os.environ | settings, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.stdout.splitlines() == ["full disk True", "room False []"], run.stderr
