"""Which Celery workers are alive. Each writes a heartbeat next to the cache every two seconds."""

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
FRESH = 30.0  # seconds without a heartbeat after which a worker counts as gone
REMEMBERED = 100 * FRESH  # seconds for which a worker that is gone is still listed


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


def sign_of_life(name: str, queues: tuple[str, ...]) -> None:
    """Write this worker's heartbeat. A broker that is away must not disturb the worker."""
    sign = {"host": socket.gethostname(), "pid": os.getpid(), "queues": queues, "seen_at": time.time()}
    confinement = _here.get("confinement")
    sign |= {"since": STARTED, "confinement": asdict(confinement) if confinement else None, **_size}
    try:
        with _store() as store:
            store.hset(KEY, name, json.dumps(sign))
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
    )


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def alive(now: float | None = None) -> list[Worker]:
    """Workers that are alive, by name. Raises redis.RedisError if the broker does not answer."""
    return [worker for worker in known(now) if worker.is_alive(now)]
