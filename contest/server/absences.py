"""What is away or full at the moment: the database, the broker, the disk. It is told in a line, not with a traceback.

A traceback says where in the code something went wrong. That a server does not answer went wrong somewhere else, and
happens wherever it is used, a thousand times a minute.
"""

from __future__ import annotations

import errno
import logging

import redis
from django.db import InterfaceError, OperationalError, connection
from django.db.backends.signals import connection_created
from kombu.exceptions import OperationalError as BrokerError

from contest.server import complaints

# Classes of PostgreSQL's error codes: the connection, its resources such as the disk, and what an administrator does.
PASSING = ("08", "53", "57P")
SQLITE_PASSING = ("disk is full", "unable to open", "disk I/O error", "readonly")
CELERY_LINES = ("consumer: Cannot connect to", "beat: Connection error")
CELERY_LOGGERS = ("celery.worker.consumer.consumer", "celery.beat")


def absent(error: BaseException) -> tuple[str, str] | None:
    """What is away ("database", "broker" or "disk"), and how it is told in one line. None if something else is wrong,
    which will be the same at the next attempt."""
    if isinstance(error, (OperationalError, InterfaceError)):
        if connection.vendor == "sqlite":
            passing = any(words in str(error) for words in SQLITE_PASSING)
        else:
            code = getattr(error.__cause__, "sqlstate", None)
            passing = code is None or code.startswith(PASSING)  # without a code, it did not even answer
        return ("database", in_a_line(error)) if passing else None
    if isinstance(error, (redis.ConnectionError, redis.TimeoutError, BrokerError)):
        return "broker", in_a_line(error)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
        where = f" ({error.filename})" if error.filename else ""
        return "disk", f"{error.strerror}{where}"
    return None


def in_a_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


class InALine(logging.Filter):
    """Leaves out records about what is away, and complains once a minute instead (contest/server/complaints.py)."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        connection_created.connect(database_is_there, dispatch_uid="contest.absences")

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is not None and (found := absent(error)):
            what = "cannot be written" if found[0] == "disk" else "is away"
            complaints.complain(found[0], f"The {found[0]} {what}: {found[1]}")
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
