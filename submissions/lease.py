"""Holding a row while working on it: the claim expires by itself when the worker is gone.

A claim is a conditional UPDATE that counts its rows; it writes the worker's name, the attempt and `lease_until`. While
the work goes on, a `Lease` moves that time forward from a thread of its own. Whoever finds `lease_until` in the past
may give the row to somebody else; the first worker then finds out at its next renewal, and in any case when it writes
its result, because every write names the attempt.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from datetime import timedelta
from types import TracebackType

from django.db import DatabaseError, connection, models
from django.utils import timezone

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
RENEW_EVERY = timedelta(seconds=15)


class LeaseLost(Exception):
    """Somebody else has the row now, or it was settled: whatever was made here is of no use. Not an error."""


def pause_after(failures: int, first: timedelta, last: timedelta) -> timedelta:
    """How long work that failed so often waits before it is taken again: longer and longer, but never for ever."""
    return min(first * 2 ** min(failures, 10), last)


def worker_name() -> str:
    """Who works: the machine and the process, as organisers read it."""
    return f"{socket.gethostname()}:{os.getpid()}"[:100]


class Lease:
    """Keeps `lease_until` of the row in `held` ahead of time until the block ends.

    `held` is a query set that is empty as soon as the claim does not hold any more. A database that does not answer
    for a while does not lose the lease by itself: renewal is tried again until somebody else really has the row.
    """

    def __init__(
        self,
        held: models.QuerySet,
        *,
        length: timedelta = LEASE,
        every: timedelta = RENEW_EVERY,
    ) -> None:
        self.held = held
        self.length = length
        self.every = every
        self._lost = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="lease", daemon=True)

    def __enter__(self) -> Lease:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join(timeout=30)

    @property
    def lost(self) -> bool:
        return self._lost.is_set()

    def check(self) -> None:
        """Raises LeaseLost once the row is somebody else's. Call it between the steps of long work."""
        if self.lost:
            raise LeaseLost

    def renew(self) -> None:
        if not self.held.update(lease_until=timezone.now() + self.length):
            self._lost.set()

    def _keep(self) -> None:
        try:
            while not self._over.wait(self.every.total_seconds()) and not self.lost:
                try:
                    self.renew()
                except DatabaseError:
                    logger.warning("could not renew a lease, trying again", exc_info=True)
                    connection.close()
        finally:
            connection.close()
