"""Count what happens in any process of the portal, on any machine, for /metrics and the alarms.

A process adds up in memory and hands its sums to the Redis server beside the cache every two seconds. So counting costs
a look into a dictionary, needs no disk, and outlives processes that come and go. Without Redis the sums wait. A process
that is killed loses its last two seconds, and a Redis server that starts empty begins at 0, as counters may.
"""

from __future__ import annotations

import json
import os
import threading
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

KEY = "kibitz:counts"
EVERY = 2.0  # seconds between two deliveries
COUNTERS = {
    "answers": "Answers of the web server by status.",
    "leases_lost": "Work whose worker noticed that it had lost its claim, by kind.",
    "work_requeued": "Work that went back to the queue because its worker was lost, by kind.",
    "machinery_failures": "Work that went back to the queue because the portal failed, not a bot, by kind.",
    "database_errors": "Statements that failed, by the class of the error.",
    "mail": "Messages that were sent, refused or could not be sent.",
    "tasks": "Celery tasks by name and whether they ended well.",
}
HISTOGRAMS: dict[str, tuple[str, tuple[float, ...]]] = {
    "request": (
        "How long answers took in the web server, by page.",
        (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    ),
    "lock_wait": ("How long transactions waited for their first lock.", (0.005, 0.02, 0.1, 0.5, 2, 10)),
    "task": ("How long Celery tasks took, by name.", (0.1, 1, 10, 60, 600)),
}
ENDLESS = "+Inf"

Labels = tuple[tuple[str, str], ...]
Key = tuple[str, Labels]


class Sums:
    """What this process has counted and not handed over yet."""

    def __init__(self) -> None:
        self.pending: dict[Key, float] = {}
        self.lock = threading.Lock()
        self.delivering = threading.Lock()
        self.thread: threading.Thread | None = None
        self.over = False  # nothing is added any more

    def add(self, key: Key, amount: float) -> None:
        with self.lock:
            self.pending[key] = self.pending.get(key, 0.0) + amount
            if self.thread is None:
                self.thread = threading.Thread(target=self._deliver_for_ever, name="counting", daemon=True)
                self.thread.start()

    def deliver(self) -> bool:
        with self.delivering:
            with self.lock:
                sums, self.pending = self.pending, {}
            if not sums:
                return True
            try:
                with _store() as store, store.pipeline(transaction=True) as pipe:
                    for key, amount in sums.items():
                        pipe.hincrbyfloat(KEY, json.dumps(key), amount)
                    pipe.execute()
            except redis.RedisError:
                with self.lock:
                    for key, amount in sums.items():
                        self.pending[key] = self.pending.get(key, 0.0) + amount
                return False
        return True

    def _deliver_for_ever(self) -> None:
        pause = threading.Event()
        while not self.over and not pause.wait(EVERY):
            self.deliver()


_here = {"sums": Sums()}


def count(name: str, amount: float = 1.0, **labels: str) -> None:
    """Add to one of the COUNTERS. Values of labels come from small sets: a value from outside would grow for ever."""
    assert name in COUNTERS, name
    _here["sums"].add((name, tuple(sorted(labels.items()))), amount)


def observe(name: str, seconds: float, **labels: str) -> None:
    """Add a duration to one of the HISTOGRAMS."""
    bounds = HISTOGRAMS[name][1]
    at = bisect_left(bounds, seconds)
    sorted_labels = tuple(sorted(labels.items()))
    _here["sums"].add((name, (*sorted_labels, ("le", str(float(bounds[at])) if at < len(bounds) else ENDLESS))), 1.0)
    _here["sums"].add((f"{name}_sum", sorted_labels), seconds)


@contextmanager
def timed(name: str, **labels: str) -> Iterator[None]:
    """Observe how long the block takes, however it ends."""
    began = perf_counter()
    try:
        yield
    finally:
        observe(name, perf_counter() - began, **labels)


def deliver() -> bool:
    """Hand over what was counted so far. False if Redis does not answer; nothing is lost then."""
    return _here["sums"].deliver()


def counted() -> Mapping[Key, float]:
    """All sums of all processes. Raises redis.RedisError if Redis does not answer."""
    with _store() as store:
        found = store.hgetall(KEY)
    sums: dict[Key, float] = {}
    for field, amount in found.items():
        name, labels = json.loads(field)
        sums[name, tuple((str(label), str(value)) for label, value in labels)] = float(amount)
    return sums


def total(name: str, sums: Mapping[Key, float]) -> float:
    """A counter over all its labels."""
    return sum(amount for (other, _), amount in sums.items() if other == name)


def _store() -> redis.Redis:
    return redis.Redis.from_url(
        settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0)
    )


def forget() -> None:
    """Begin anew, as a forked process does: its parent hands over what was counted before, and threads do not survive
    a fork."""
    # Without its lock, which a thread of the parent may have held.
    _here["sums"].over, _here["sums"].pending = True, {}
    _here["sums"] = Sums()


os.register_at_fork(after_in_child=forget)
