"""Work that is queued as rows: claim a row, hold it while working, return it to the queue. Any model can use this.

    queued → working → …            whatever the model calls its results
       ↑________|                   a failure of the machinery, or a lost worker

- `LeaseQuerySet.claim` is a conditional UPDATE that counts its rows. It writes the attempt and `lease_until`.
- A `Lease` renews `lease_until` from a thread while the work goes on. A row whose lease has run out is `abandoned` and
  may go to another worker. The first worker notices at its next renewal or when it writes its result, because
  `held_by` names the attempt.
- `working_on` sorts out how the work ended. `requeue_lost` returns abandoned rows to the queue.

A model needs the columns `state`, `attempt`, `lease_until` and `started_at`; to wait between attempts and to count
failures it needs `worker`, `due_at`, `failures` and `last_error`.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar

from django.db import DatabaseError, connection, models
from django.db.models import F, Q

from contest.server import logs, processes
from contest.words import printable
from games.engine import MachineryError
from submissions import clock

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
RENEW_EVERY = timedelta(seconds=15)


QUEUED = "queued"

Row = TypeVar("Row", bound=models.Model)


class LeaseLost(Exception):
    """The row has gone to another worker or was settled. What was made here is discarded; this is not an error."""


class LeaseQuerySet(models.QuerySet[Row]):
    """Rows that workers claim one by one. A model whose work has several states sets `WORKING` to all of them."""

    WORKING: ClassVar[tuple[str, ...]] = ("running",)

    def abandoned(self, at: datetime) -> Self:
        """Claimed rows whose lease has run out."""
        return self.filter(state__in=self.WORKING, lease_until__lt=at)

    def pull_in(self, now: datetime, lease: timedelta, pause: timedelta) -> int:
        """Correct times in the future that only a clock which was ahead can have written; returns how many.

        `lease`: the length of a lease. A row gets one from now on, so its worker renews it or is noticed to be lost.
        `pause`: the longest that queued work waits after a failure. Work that has not failed does not wait at all.
        """
        leased = self.filter(state__in=self.WORKING, lease_until__gt=now + lease + clock.SLACK)
        late = Q(due_at__gt=now + pause + clock.SLACK) | Q(due_at__gt=now + clock.SLACK, failures=0)
        queued = self.filter(late, state=QUEUED)
        return leased.update(lease_until=now + lease) + queued.update(due_at=now)

    def held_by(self, claimed: Row) -> Self:
        """The row of `claimed` while that claim holds, otherwise nothing. Write results through this."""
        return self.filter(pk=claimed.pk, attempt=claimed.attempt, state__in=self.WORKING)  # type: ignore[attr-defined]

    def claim(self, now: datetime, length: timedelta, **values: Any) -> int:
        """Claim those of these rows that are still queued; returns how many. `values` are further columns.

        Filter by primary key, without joins: PostgreSQL would read a joined row as it was before another claim.
        """
        return self.filter(state=QUEUED).update(
            state=self.WORKING[0], attempt=F("attempt") + 1, lease_until=now + length, started_at=now, **values
        )

    def give_back(self, **values: Any) -> int:
        """Return claimed rows to the queue without counting a failure; returns how many. `values`: further columns."""
        return self.update(state=QUEUED, lease_until=None, started_at=None, **values)

    def put_back(self, error: str, due_at: datetime | None, **values: Any) -> int:
        """Return claimed rows to the queue after a failure that is not the bot's; returns how many."""
        error = printable(error[:2000])
        return self.give_back(failures=F("failures") + 1, last_error=error, due_at=due_at, worker="", **values)


@dataclass(frozen=True, slots=True)
class Retries:
    """How long failed work waits: `first`, then `factor` times as long after each failure, at most `last`."""

    first: timedelta
    last: timedelta
    factor: int = 2

    def pause(self, failures: int) -> timedelta:
        return self.first * min(self.factor**failures, self.last // self.first)

    def after_failure(self, failures: int, now: datetime) -> datetime:
        """When work that had failed this often before is due again."""
        return now + self.pause(failures)

    def after_loss(self, failures: int, now: datetime) -> datetime:
        """When work that has lost its worker is due again: at once, unless it may be what kills workers."""
        return now + min(self.first * 2 ** min(failures, 10), self.last) if failures else now


def worker_name() -> str:
    """This worker as organisers read it: machine and process."""
    return f"{processes.machine()[:80]}:{os.getpid()}"


@dataclass(slots=True)
class Outcome:
    """Whether the work on a claimed row reached its end."""

    done: bool = False


def ids(row: models.Model) -> dict[str, Any]:
    """What log lines about a claimed row are about."""
    return {
        str(row._meta.model_name): row.pk,
        "attempt": row.attempt,  # type: ignore[attr-defined]
        "contest": getattr(row, "contest_id", None),
    }


@contextmanager
def working_on(claimed: models.Model, put_back: Callable[[str], object]) -> Iterator[Outcome]:
    """Work on a claimed row inside this block. When it fails, `put_back` gets the error for organisers."""
    outcome = Outcome()
    attempt, kind = claimed.attempt, str(claimed._meta.model_name)  # type: ignore[attr-defined]
    began = time.monotonic()
    with logs.about(**ids(claimed)):
        try:
            yield outcome
            outcome.done = True
            # One line for each piece of work, so that it can be followed through all logs.
            logger.info("%s, attempt %d: ended after %.1f s", kind, attempt, time.monotonic() - began)
            return
        except LeaseLost:
            logger.warning("%s, attempt %d: the lease was lost, nothing is written", claimed, attempt)
            return
        except MachineryError as error:
            logger.warning("%s: the machinery failed: %s", claimed, error)
            reason = str(error)
        except Exception as error:
            logger.exception("%s: unexpected failure", claimed)
            reason = f"{type(error).__name__}: {error}"
        try:
            put_back(reason)
        except LeaseLost:
            logger.warning("%s, attempt %d: the lease was lost, too", claimed, attempt)


def requeue_lost(
    rows: LeaseQuerySet[Row], retries: Retries, now: datetime, requeue: Callable[[Row, str, datetime], object]
) -> int:
    """Return rows that have lost their worker to the queue; returns how many.

    `requeue(row, error, due_at)` writes it, and returns a false value when the worker has renewed its lease meanwhile.
    """
    count = 0
    for row in rows:
        error = f"The worker {row.worker} was lost."  # type: ignore[attr-defined]
        if requeue(row, error, retries.after_loss(row.failures, now)):  # type: ignore[attr-defined]
            with logs.about(**ids(row)):
                logger.warning("%s: %s It is queued again.", row, error)
            count += 1
    return count


class Lease:
    """Renews `lease_until` of the row in `held` until the block ends.

    `held` is a query set that becomes empty when the claim is lost. A database that does not answer for a while loses
    no lease: renewal is retried until another worker really has the row.
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
        # In this context, so that what it logs names the match.
        self._thread = threading.Thread(target=copy_context().run, args=(self._keep,), name="lease", daemon=True)

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
        """Raise LeaseLost once another worker has the row. Call it between the steps of long work."""
        if self.lost:
            raise LeaseLost

    def renew(self) -> None:
        if not self.held.update(lease_until=clock.now() + self.length):
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
