"""No process of the portal waits for ever for PostgreSQL: a real server that is slow or locked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from django.db import DatabaseError, OperationalError
from django.db.utils import ConnectionHandler

from contest import settings as portal
from tests import postgresql

pytestmark = pytest.mark.long("postgresql")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Of the socket of a server."""
    programs = postgresql.programs()
    if programs is None:
        pytest.skip(postgresql.MISSING)
    with postgresql.server(programs) as url:
        yield Path(unquote(urlsplit(url).hostname or ""))


@pytest.fixture
def connect(folder: Path, django_db_blocker: Any) -> Iterator[Callable[..., Any]]:
    """`connect(statement=1, lock=…, idle=…)`: a connection of the portal, in seconds."""
    opened = []

    def connect(**limits: float) -> Any:
        limits = {"statement": 0, "lock": 0, "idle": 0} | limits
        settings = {"ENGINE": "django.db.backends.postgresql", "NAME": "postgres", "USER": "kibitz", "HOST": folder}
        settings |= {"OPTIONS": portal.postgresql_options(connect=2, **limits)}
        connection = ConnectionHandler({"default": settings}).create_connection("default")
        opened.append(connection)
        connection.ensure_connection()
        return connection

    with django_db_blocker.unblock():  # these are connections to another server than that of all tests
        yield connect
        for connection in opened:
            with suppress(OperationalError):
                connection.close()


def ask(connection: Any, statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0] if cursor.description else None


def test_a_statement_that_takes_too_long(connect):
    slow = connect(statement=1)
    with pytest.raises(OperationalError, match="statement timeout"):
        ask(slow, "SELECT pg_sleep(600)")
    assert ask(slow, "SELECT 1") == 1


def test_a_process_that_is_stopped_in_a_transaction_loses_its_locks(connect):
    """It does nothing, which is what a stopped process does. Those that wait get the lock before they give up."""
    sleeper, waiter = connect(idle=1), connect(lock=60)
    sleeper.set_autocommit(False)
    ask(sleeper, "SELECT pg_advisory_xact_lock(2)")
    ask(waiter, "SELECT pg_advisory_lock(2)")
    with pytest.raises(DatabaseError, match="idle-in-transaction"):
        ask(sleeper, "SELECT 1")
