"""No process of the portal waits for ever for PostgreSQL: a real server that is slow, locked, stopped or silent."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from django.db import DatabaseError, OperationalError
from django.db.utils import ConnectionHandler

from contest.server.supervisor import descendants
from contest.settings import database
from tests import postgresql
from tests.waiting import state_of, wait_for

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
def connect(folder: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: Any) -> Iterator[Callable[..., Any]]:
    """`connect(statement=1, lock=…, idle=…, answer=…, host=…, port=…)`: a connection of the portal, in seconds."""
    opened = []

    def connect(host: str = "", port: str = "", **limits: float) -> Any:
        for name in ("statement", "lock", "idle", "answer"):
            monkeypatch.setattr(database, f"DB_{name.upper()}", limits.get(name, 0))
        monkeypatch.setattr(database, "DB_CONNECT", 2)
        settings = {"ENGINE": "contest.server.postgresql", "NAME": "postgres", "USER": "kibitz", "HOST": host or folder}
        settings |= {"PORT": port, "OPTIONS": database.postgresql_options()}
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


@contextmanager
def stopped(folder: Path) -> Iterator[None]:
    """All processes of the server are stopped, as on a machine that is frozen."""
    first = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    everyone = [first, *descendants(first)]
    for pid in everyone:
        os.kill(pid, signal.SIGSTOP)
    wait_for(lambda: {state_of(pid) for pid in everyone} == {"T"})
    try:
        yield
    finally:
        for pid in everyone:
            os.kill(pid, signal.SIGCONT)


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


def test_a_server_that_is_stopped_in_the_middle_of_a_question(connect, folder):
    patient = connect(answer=1)
    with stopped(folder), pytest.raises(OperationalError, match="did not answer for 1 seconds"):
        ask(patient, "SELECT 1")
    patient.close()
    assert ask(patient, "SELECT 1") == 1, "the next connection works"


class Line:
    """A TCP line to the server that can fall silent."""

    def __init__(self, folder: Path) -> None:
        self.target = str(next(folder.glob(".s.PGSQL.????")))
        self.door = socket.create_server(("127.0.0.1", 0))
        self.silent = threading.Event()
        self.ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> str:
        return str(self.door.getsockname()[1])

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self.door.accept()
                there = socket.socket(socket.AF_UNIX)
                there.connect(self.target)
                self.ends += here, there
                for ends in ((here, there), (there, here)):
                    threading.Thread(target=partial(self._carry, *ends), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not self.silent.is_set():
                    target.sendall(data)

    def close(self) -> None:
        for end in (self.door, *self.ends):
            end.close()
