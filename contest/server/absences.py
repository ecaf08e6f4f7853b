"""What is away or full at the moment: the database, the broker, the disk. It is told in a line, not with a traceback.

A traceback says where in the code something went wrong. That a server does not answer went wrong somewhere else, and
happens wherever it is used, a thousand times a minute.
"""

from __future__ import annotations

import errno
import logging
import tempfile
import threading
from pathlib import Path

import redis
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.db.backends.signals import connection_created
from django.db.migrations.exceptions import MigrationSchemaMissing
from kombu.exceptions import OperationalError as BrokerError

from contest.server import complaints

# Classes of PostgreSQL's error codes: the connection, its resources such as the disk, and what an administrator does.
PASSING = ("08", "53", "57P")
SQLITE_PASSING = ("disk is full", "unable to open", "disk I/O error", "readonly")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
PROBED = 1 << 16  # bytes that must fit before the disk is well again
CELERY_LINES = ("consumer: Cannot connect to", "beat: Connection error")
CELERY_LOGGERS = ("celery.worker.consumer.consumer", "celery.beat")


def absent(error: BaseException) -> tuple[str, str] | None:
    """What is away ("database", "broker" or "disk"), and how it is told in one line. None if something else is wrong,
    which will be the same at the next attempt."""
    if isinstance(error, MigrationSchemaMissing) and error.__context__ is not None:  # what stopped the first migration
        error = error.__context__
    if isinstance(error, (OperationalError, InterfaceError)):
        if connection.vendor == "sqlite":
            passing = any(words in str(error) for words in SQLITE_PASSING)
        else:
            code = getattr(error.__cause__, "sqlstate", None)
            passing = code is None or code.startswith(PASSING)  # without a code, it did not even answer
        return ("database", in_a_line(error)) if passing else None
    if isinstance(error, (redis.ConnectionError, redis.TimeoutError, BrokerError)):
        return "broker", in_a_line(error)
    if isinstance(error, OSError) and error.errno in FULL:
        where = f" ({error.filename})" if error.filename else ""
        return "disk", f"{error.strerror}{where}"
    return None


def in_a_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


class Probe:
    """Finds out when the disk can be written again. No server answers then, and the next write of this process may be
    hours away, so a thread writes every few seconds while the complaint stands."""

    def __init__(self, every: float = 10.0) -> None:
        self.every = every  # seconds
        self._thread: threading.Thread | None = None

    def begin(self, folder: Path) -> None:
        """Return at once. A probe that runs already goes on."""
        if self._thread is None or not self._thread.is_alive():  # it is not alive in a fork either
            self._thread = threading.Thread(target=self._run, args=(folder,), name="disk", daemon=True)
            self._thread.start()

    def _run(self, folder: Path) -> None:
        pause = threading.Event()
        while not pause.wait(self.every) and "disk" in complaints.standing():
            if takes_bytes(folder):
                is_there("disk")


def folder_of(error: OSError) -> Path:
    """Where a write failed, and var/ if the error does not tell or nobody else could write there."""
    folder = Path(error.filename).parent if isinstance(error.filename, str) else settings.VAR_DIR
    return folder if folder.is_dir() else settings.VAR_DIR


def takes_bytes(folder: Path) -> bool:
    """Whether a file can be written there. It has no name and is gone when it is closed."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            return file.write(bytes(PROBED)) == PROBED
    except OSError as error:
        # This process may not write there, or the folder is gone: that says nothing about the disk.
        return error.errno not in FULL and folder != settings.VAR_DIR and takes_bytes(settings.VAR_DIR)


class InALine(logging.Filter):
    """Leaves out records about what is away, and complains once a minute instead (contest/server/complaints.py)."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.probe = Probe()
        connection_created.connect(database_is_there, dispatch_uid="contest.absences")

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is not None and (found := absent(error)):
            what = "cannot be written" if found[0] == "disk" else "is away"
            complaints.complain(found[0], f"The {found[0]} {what}: {found[1]}")
            if isinstance(error, OSError) and found[0] == "disk":
                self.probe.begin(folder_of(error))
            return False
        if record.name in CELERY_LOGGERS and str(record.msg).startswith(CELERY_LINES):
            complaints.complain("broker", f"The broker is away: {record.getMessage()}")
            return False
        return True


def database_is_there(**_: object) -> None:
    """Hear that a connection was opened."""
    is_there("database")


def is_there(part: str) -> None:
    """To be called when the part has answered."""
    complaints.content(part)
