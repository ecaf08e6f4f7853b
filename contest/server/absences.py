"""What is away or full at the moment: the database, the broker, the disk. It is told in a line, not with a traceback.

A traceback says where in the code something went wrong. That a server does not answer went wrong somewhere else, and
happens wherever it is used, a thousand times a minute.
"""

from __future__ import annotations

import errno
import logging

import redis
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.exceptions import MigrationSchemaMissing
from kombu.exceptions import OperationalError as BrokerError

# Classes of PostgreSQL's error codes: the connection, its resources such as the disk, and what an administrator does.
PASSING = ("08", "53", "57P")
SQLITE_PASSING = ("disk is full", "unable to open", "disk I/O error", "readonly")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


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


class InALine(logging.Filter):
    """Tells what is away without a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is not None and (found := absent(error)):
            record.msg, record.args = "%s: the %s is away or full: %s", (record.getMessage(), *found)
            record.exc_info = record.exc_text = None
        return True
