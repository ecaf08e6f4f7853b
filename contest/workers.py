"""Which Celery workers there are, what they can build, and how they confine bots.

A worker writes its row when it starts and every thirty seconds, and deletes it when it ends. One that is lost is listed
for an hour.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import time
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from celery import current_app, signals
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from kombu.exceptions import OperationalError

from contest.models import Confinement, Worker
from contest.server.health import Finding
from contest.version import RELEASE

__all__ = ["QUEUES", "Confinement", "Worker"]

logger = logging.getLogger(__name__)

QUEUES = ("matches", "builds", "portal", "webhooks")
EVERY = 30.0  # seconds between two signs of life
REMEMBERED = timedelta(hours=1)  # for which a worker that is gone is still listed

STARTED = timezone.now()
_here: dict[str, Any] = {"processes": 1, "sandbox": None}
_written = {"at": float("-inf")}


def wake(task: str, *arguments: object, times: int = 1) -> bool:
    """Send messages that call workers to a task. False if the broker does not answer; the tick then sends what is
    missing."""
    try:
        for _ in range(times):
            current_app.send_task(task, arguments)
    except OperationalError:
        logger.warning("the broker does not answer: %s waits for the next tick", task)
        return False
    return True


# In a worker ----------------------------------------------------------------------------------------------------------


def confines(confinement: Confinement | None) -> None:
    """Set what this process writes into its row (submissions.prover knows it)."""
    _here["sandbox"] = confinement


def confinement() -> Confinement | None:
    """What this process writes."""
    found: Confinement | None = _here["sandbox"]
    return found


def works_with(processes: int) -> None:
    """Set how many tasks at a time this worker has."""
    _here["processes"] = processes


def sign_of_life(name: str, queues: tuple[str, ...]) -> None:
    """Write the row of this worker."""
    now, found = timezone.now(), confinement()
    values = {"queues": queues, "processes": _here["processes"], "release": RELEASE, "key": key(), "seen": now}
    values |= {"sandbox": asdict(found) if found else None}
    Worker.objects.update_or_create(name=name, defaults=values, create_defaults=values | {"since": STARTED})
    Worker.objects.filter(seen__lt=now - REMEMBERED).delete()


def key() -> str:
    """A short digest of SECRET_KEY. Links in mail are signed with it, so all who send some need the same."""
    return hashlib.sha256(f"worker {settings.SECRET_KEY}".encode()).hexdigest()[:8]


@signals.celeryd_after_setup.connect
def say_how_much_we_do(instance: Any = None, **_: Any) -> None:
    works_with(instance.concurrency)


@signals.worker_ready.connect
def begin(sender: Any, **_: Any) -> None:
    farewell(sender.hostname)  # to the one that was killed here
    atexit.unregister(farewell)  # if it had lost its broker, it begins again
    atexit.register(farewell, sender.hostname)
    _sign(sender.hostname)


@signals.heartbeat_sent.connect
def go_on(sender: Any, **_: Any) -> None:
    if time.monotonic() >= _written["at"] + EVERY:
        _sign(sender.eventer.hostname)


def _sign(name: str) -> None:
    """A database that is away must not disturb the worker."""
    _written["at"] = time.monotonic()
    try:
        sign_of_life(name, tuple(sorted(current_app.amqp.queues.consume_from)))
    except DatabaseError as error:
        logger.warning("this worker could not say that it is there: %s", error)
    finally:
        connection.close()  # or the pool's new processes would inherit it


def farewell(name: str) -> None:
    """Forget a worker that has ended as it should."""
    try:
        Worker.objects.filter(name=name).delete()
    except DatabaseError:
        return


# For everybody --------------------------------------------------------------------------------------------------------


def known() -> list[Worker]:
    """Workers that are alive or were in the last hour, by name."""
    return list(Worker.objects.filter(seen__gte=timezone.now() - REMEMBERED))


def alive() -> list[Worker]:
    """Workers that are alive, by name."""
    return list(Worker.objects.filter(seen__gte=timezone.now() - Worker.FRESH))


def workforce() -> Finding:
    """Every queue needs a worker; one worker may serve several. For settings.MORE_CHECKS."""
    present = alive()
    missing = set(QUEUES) - {queue for worker in present for queue in worker.queues}
    each = [f"{it.name} (sandbox: {it.confinement.level})" if it.confinement else it.name for it in present]
    names = ", ".join(each) or "no workers"
    idle = [worker for worker in present if worker.confinement and not worker.confinement.acceptable]
    if idle:
        reasons = "; ".join(reason for worker in idle if worker.confinement for reason in worker.confinement.reasons)
        idlers = ", ".join(it.name for it in idle)
        return Finding("workers", False, f"no bot is run by {idlers}: {reasons}; there are {names}")
    if missing:
        return Finding("workers", False, f"nobody takes {', '.join(sorted(missing))}; there are {names}")
    return Finding("workers", True, names)
