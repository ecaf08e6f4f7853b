"""Which Celery workers are alive. Each writes a heartbeat next to the cache every two seconds."""

import hashlib
import json
import os
import socket
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import redis
from django.conf import settings

from contest.server.absences import is_there
from contest.version import RELEASE

QUEUES = ("matches", "builds", "portal", "webhooks")
KEY = "kibitz:workers"
ORDERS = "kibitz:orders"  # what operators want of a worker (contest/server/orders.py)
FRESH = 30.0  # seconds without a heartbeat after which a worker counts as gone
REMEMBERED = 100 * FRESH  # seconds for which a worker that is gone is still listed
MOST_SKEW = 5.0  # seconds between the clocks of two machines of one portal


@dataclass(frozen=True, slots=True)
class Confinement:
    """How a worker confines bots, as the sandbox's probe found on its machine (submissions.sandbox.probe)."""

    level: str
    title: str
    acceptable: bool  # if not, the worker runs no bots
    reasons: tuple[str, ...]  # why a stronger level is not possible
    no_port: str = ""  # why bots cannot be TCP clients there; blank if they can
    languages: tuple[str, ...] | None = None  # slugs of the languages it builds and runs; None if unknown


@dataclass(frozen=True, slots=True)
class Worker:
    """The last heartbeat of a worker, which takes tasks from `queues`."""

    name: str
    host: str
    pid: int
    queues: tuple[str, ...]
    since: float  # Unix time of its start
    seen_at: float  # Unix time
    confinement: Confinement | None  # None if it does not run bots
    processes: int = 1  # tasks at a time
    release: str = ""  # of its code; blank: before there were numbers
    skew: float = 0.0  # seconds by which its clock is ahead of the broker's
    draining: bool = False  # it takes nothing new
    busy: int = 0  # tasks that it has taken and not finished
    key: str = ""  # a short digest of its SECRET_KEY, to compare

    @property
    def machine(self) -> str:
        """The part of its name that all workers of its machine share."""
        return self.name.partition("@")[2]

    @property
    def is_drained(self) -> bool:
        """Whether it takes nothing new and has finished what it had."""
        return self.draining and not self.busy

    @property
    def has_wrong_clock(self) -> bool:
        """Leases and deadlines suffer from clocks that differ by more."""
        return abs(self.skew) > MOST_SKEW

    def is_alive(self, now: float | None = None) -> bool:
        return (time.time() if now is None else now) - self.seen_at <= FRESH

    @property
    def started(self) -> datetime:
        return datetime.fromtimestamp(self.since, UTC)

    @property
    def last_seen(self) -> datetime:
        return datetime.fromtimestamp(self.seen_at, UTC)


STARTED = time.time()
_here: dict[str, Confinement | None] = {}
_size: dict[str, int] = {}
_doing: dict[str, Any] = {}


def confines(confinement: Confinement | None) -> None:
    """Set what this process reports in its heartbeats (submissions.level knows it)."""
    _here["confinement"] = confinement


def confinement() -> Confinement | None:
    """What this process reports."""
    return _here.get("confinement")


def works_with(processes: int) -> None:
    """Set how many tasks at a time this worker reports in its heartbeats."""
    _size["processes"] = processes


def _store() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2)


def machine() -> str:
    """The name of this machine among those of the portal, as it stands behind the @ of its workers' names."""
    return os.environ.get("KIBITZ_MACHINE") or socket.gethostname()


def is_doing(*, draining: bool, busy: int) -> None:
    """Set what this worker reports of its work in its heartbeats."""
    _doing.update(draining=draining, busy=busy)


def sign_of_life(name: str, queues: tuple[str, ...]) -> str | None:
    """Write this worker's heartbeat. Returns the order for it, as JSON; blank if there is none, None if nobody knows.

    A broker that is away must not disturb the worker. The time is the broker's, so that a wrong clock here does not
    make the worker look dead.
    """
    confinement = _here.get("confinement")
    sign = {"host": socket.gethostname(), "pid": os.getpid(), "queues": queues, "since": STARTED, "release": RELEASE}
    sign |= {"key": key(), "confinement": asdict(confinement) if confinement else None, **_size, **_doing}
    try:
        with _store() as store:
            before = time.time()
            now = broker_time(store)
            skew = (before + time.time()) / 2 - now
            both = store.pipeline(transaction=False)
            both.hset(KEY, name, json.dumps(sign | {"seen_at": now, "skew": round(skew, 3)}))
            both.hget(ORDERS, name)
            _, order = both.execute()
    except redis.RedisError:
        return None
    is_there("broker")
    return order.decode() if order else ""


def key() -> str:
    """A short digest of SECRET_KEY. Links in mail are signed with it, so all who send some need the same."""
    return hashlib.sha256(f"worker {settings.SECRET_KEY}".encode()).hexdigest()[:8]


def broker_time(store: redis.Redis) -> float:
    """Unix time by the broker's clock."""
    seconds, micros = store.time()
    return float(seconds) + micros / 1_000_000


def farewell(names: Iterable[str]) -> None:
    """Forget workers that have ended as they should. Those that are lost stay listed for a while."""
    try:
        with _store() as store:
            for name in names:
                store.hdel(KEY, name)
                store.hdel(ORDERS, name)
    except redis.RedisError:
        return


def known(now: float | None = None) -> list[Worker]:
    """Workers that are alive or were in the last hour, by name. Raises redis.RedisError if the broker does not
    answer."""
    now = time.time() if now is None else now
    with _store() as store:
        found = [_worker(name.decode(), json.loads(sign)) for name, sign in sorted(store.hgetall(KEY).items())]
        gone = [worker.name for worker in found if now - worker.seen_at > REMEMBERED]
        if gone:
            store.hdel(KEY, *gone)
    return [worker for worker in found if worker.name not in gone]


def _worker(name: str, sign: dict[str, Any]) -> Worker:
    said = sign.get("confinement")
    confinement = Confinement(**{key: _tuple(value) for key, value in said.items()}) if said else None
    since = sign.get("since", sign["seen_at"])  # workers of earlier versions do not report it
    return Worker(
        name,
        sign["host"],
        sign["pid"],
        tuple(sign["queues"]),
        since,
        sign["seen_at"],
        confinement,
        sign.get("processes", 1),
        sign.get("release", ""),
        sign.get("skew", 0.0),
        sign.get("draining", False),
        sign.get("busy", 0),
        sign.get("key", ""),
    )


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def alive(now: float | None = None) -> list[Worker]:
    """Workers that are alive, by name. Raises redis.RedisError if the broker does not answer."""
    return [worker for worker in known(now) if worker.is_alive(now)]
