"""Which Celery workers are alive: each leaves a sign of life beside the cache every two seconds."""

import json
import os
import socket
import time
from dataclasses import dataclass

import redis
from django.conf import settings

KEY = "kibitz:workers"
FRESH = 30.0  # seconds after which a worker that left no sign is taken for gone


@dataclass(frozen=True, slots=True)
class Worker:
    """The last sign of life of a worker; `queues` are what it takes tasks from."""

    name: str
    host: str
    pid: int
    queues: tuple[str, ...]
    seen_at: float  # Unix time


def _store() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2)


def sign_of_life(name: str, queues: tuple[str, ...]) -> None:
    """Called by the worker itself. A broker that is away at the moment is no reason to trouble the worker."""
    sign = {"host": socket.gethostname(), "pid": os.getpid(), "queues": queues, "seen_at": time.time()}
    try:
        with _store() as store:
            store.hset(KEY, name, json.dumps(sign))
    except redis.RedisError:
        return


def alive(now: float | None = None) -> list[Worker]:
    """The workers seen lately, by name. Raises redis.RedisError when nobody can tell."""
    now = time.time() if now is None else now
    with _store() as store:
        signs = store.hgetall(KEY)
        workers = [
            Worker(name.decode(), sign["host"], sign["pid"], tuple(sign["queues"]), sign["seen_at"])
            for name, sign in ((name, json.loads(value)) for name, value in sorted(signs.items()))
        ]
        gone = [worker.name for worker in workers if now - worker.seen_at > 100 * FRESH]
        if gone:
            store.hdel(KEY, *gone)
    return [worker for worker in workers if now - worker.seen_at <= FRESH]
