"""Which Celery workers are alive: each leaves a sign of life beside the cache every two seconds."""

import json
import os
import socket
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import redis
from django.conf import settings

KEY = "kibitz:workers"
FRESH = 30.0  # seconds after which a worker that left no sign is taken for gone
REMEMBERED = 100 * FRESH  # seconds for which one that has gone is still spoken of


@dataclass(frozen=True, slots=True)
class Confinement:
    """How a worker keeps bots in: what the sandbox found possible on its machine (submissions.sandbox.probe)."""

    level: str
    title: str
    acceptable: bool  # else it runs no bots
    reasons: tuple[str, ...]  # why nothing stronger is possible there
    no_port: str = ""  # why no bot can be a TCP client there; empty where it can
    languages: tuple[str, ...] | None = None  # the slugs of those that it builds and runs; None: it does not say


@dataclass(frozen=True, slots=True)
class Worker:
    """The last sign of life of a worker; `queues` are what it takes tasks from."""

    name: str
    host: str
    pid: int
    queues: tuple[str, ...]
    since: float  # Unix time of its start
    seen_at: float  # Unix time
    confinement: Confinement | None  # None: it has nothing to do with bots
    processes: int = 1  # how many tasks it does at a time

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


def confines(confinement: Confinement | None) -> None:
    """What this process says of itself from now on; a worker's own apps know it (submissions.level)."""
    _here["confinement"] = confinement


def works_with(processes: int) -> None:
    """How many tasks this worker does at a time; it is said with its signs of life."""
    _size["processes"] = processes


def _store() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2)


def sign_of_life(name: str, queues: tuple[str, ...]) -> None:
    """Called by the worker itself. A broker that is away at the moment is no reason to trouble the worker."""
    sign = {"host": socket.gethostname(), "pid": os.getpid(), "queues": queues, "seen_at": time.time()}
    confinement = _here.get("confinement")
    sign |= {"since": STARTED, "confinement": asdict(confinement) if confinement else None, **_size}
    try:
        with _store() as store:
            store.hset(KEY, name, json.dumps(sign))
    except redis.RedisError:
        return


def known(now: float | None = None) -> list[Worker]:
    """The workers that are there or were there in the last hour, by name. Raises redis.RedisError when nobody can
    tell."""
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
    since = sign.get("since", sign["seen_at"])  # a worker of an earlier version does not say
    return Worker(
        name,
        sign["host"],
        sign["pid"],
        tuple(sign["queues"]),
        since,
        sign["seen_at"],
        confinement,
        sign.get("processes", 1),
    )


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def alive(now: float | None = None) -> list[Worker]:
    """The workers seen lately, by name. Raises redis.RedisError when nobody can tell."""
    return [worker for worker in known(now) if worker.is_alive(now)]
