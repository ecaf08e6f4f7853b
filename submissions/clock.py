"""The time by which work is due and leases are kept. It is the same on all machines, whatever their clocks say.

With PostgreSQL it is the server's, so a machine whose clock is an hour wrong neither takes others' work for abandoned
nor claims its own for an hour too long. It is read every `AGAIN` seconds; in between, the time that has passed is
counted by a clock that nobody can set. With SQLite all processes are on one machine and have its clock.

If the clock of the machine or the server itself is set back, leases and due times that were written before lie in the
future. The tick pulls them in (`LeaseQuerySet.pull_in`).
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

AGAIN = 15.0  # seconds
SLACK = timedelta(seconds=10)  # by which web servers, whose own clocks say when new work is due, may be ahead

_read: tuple[float, datetime] | None = None


def now() -> datetime:
    """The current time."""
    if not settings.DATABASE_CLOCK:
        return timezone.now()
    global _read  # noqa: PLW0603 - one clock for the process
    passed = time.clock_gettime(time.CLOCK_BOOTTIME)
    if _read is None or passed - _read[0] > AGAIN:
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            _read = passed, cursor.fetchone()[0]
    return _read[1] + timedelta(seconds=passed - _read[0])
