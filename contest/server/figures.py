"""The figures by which operators and alarms see how the portal is doing: what is measured when somebody asks.

What is counted while it happens is in contest/counting.py. Sources that need the domain are named in settings.FIGURES.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import redis
from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from contest.server import backups, complaints, disk, health, workers
from contest.server.workers import QUEUES

logger = logging.getLogger(__name__)

FRESH = 10.0  # seconds for which figures are kept: however often somebody scrapes, the database is asked no more often


@dataclass(frozen=True, slots=True)
class Figure:
    """One value. Figures of one name share their text and the names of their labels."""

    name: str
    text: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


Source = Callable[[], list[Figure]]


def parts() -> list[Figure]:
    text = "Whether a part of the portal is well, as /readyz and doctor say."
    return [Figure("part_ok", text, float(it.ok), {"part": it.part}) for it in health.findings(max_age=FRESH)]


def workforce() -> list[Figure]:
    """Absent while the broker does not answer, which `part_ok` says."""
    try:
        alive = workers.alive()
    except redis.RedisError:
        return []
    found, levels = [], dict.fromkeys(("full", "limits", "landlock", "none"), 0)
    for queue in QUEUES:
        here = [worker for worker in alive if queue in worker.queues]
        found.append(Figure("workers", "Workers that are alive, by queue.", len(here), {"queue": queue}))
        slots = sum(worker.processes for worker in here)
        found.append(Figure("worker_slots", "Tasks that can be done at once, by queue.", slots, {"queue": queue}))
    for worker in alive:
        if worker.confinement:
            levels[worker.confinement.level] = levels.get(worker.confinement.level, 0) + 1
    text = "Workers that run bots, by the level of their sandbox."
    found += [Figure("sandbox_workers", text, count, {"level": level}) for level, count in levels.items()]
    skews = [abs(worker.skew) for worker in alive]
    text = "The largest difference between the clocks of a worker and of the broker."
    return [*found, Figure("clock_skew_seconds", text, max(skews, default=0.0))]


def broker() -> list[Figure]:
    try:
        with redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2) as client:
            memory = client.info("memory")["used_memory"]
        queue = settings.CELERY_BROKER_URL.replace("redis+socket://", "unix://").replace("virtual_host=", "db=")
        with (
            redis.Redis.from_url(queue, socket_timeout=2, socket_connect_timeout=2) as client,
            client.pipeline() as pipe,
        ):
            for name in QUEUES:
                pipe.llen(name)
            lengths = pipe.execute()
    except redis.RedisError:
        return []
    text = "Messages that wait in the broker, by queue."
    found = [
        Figure("broker_messages", text, length, {"queue": name}) for name, length in zip(QUEUES, lengths, strict=True)
    ]
    return [*found, Figure("broker_memory_bytes", "Memory that the broker uses for its data.", memory)]


def database() -> list[Figure]:
    text = "The size of the database."
    if connection.vendor != "postgresql":
        name = Path(connection.settings_dict["NAME"])
        files = [name, name.with_name(f"{name.name}-wal")]
        return [Figure("database_bytes", text, sum(file.stat().st_size for file in files if file.exists()))]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size = cursor.fetchone()[0]
        cursor.execute(
            "SELECT count(*), coalesce(extract(epoch FROM max(now() - query_start)), 0) FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        waiting, longest = cursor.fetchone()
    return [
        Figure("database_bytes", text, size),
        Figure("lock_waiting", "Sessions of PostgreSQL that wait for a lock now.", waiting),
        Figure("lock_waiting_seconds", "How long the longest of them has waited.", float(longest)),
    ]


def room() -> list[Figure]:
    usage = shutil.disk_usage(settings.VAR_DIR)
    found = [
        Figure("disk_free_bytes", "Free disk space under VAR_DIR.", usage.free),
        Figure("disk_size_bytes", "The size of that file system.", usage.total),
    ]
    if (left := disk.seconds_until_full()) is not None:
        text = "When the disk will be full if it goes on as in the last hours. Absent while it does not fill."
        found.append(Figure("disk_full_in_seconds", text, left))
    return found


def backup() -> list[Figure]:
    """Absent while there is none."""
    latest = backups.newest()
    if latest is None:
        return []
    age = max(0.0, time.time() - latest.timestamp())
    return [Figure("backup_age_seconds", "The age of the newest backup in BACKUP_FOLDER.", age)]


SOURCES: tuple[Source, ...] = (parts, workforce, broker, database, room, backup)

_lock = threading.Lock()
_recent: dict[str, tuple[float, list[Figure]]] = {}


def current(max_age: float = FRESH) -> list[Figure]:
    """All figures, at most so old in seconds. Never raises: what cannot be measured is missing."""
    asked = time.monotonic()
    with _lock:  # many who ask at once make one question
        measured, found = _recent.get("all", (0.0, []))
        if not found or measured < asked - max_age:
            found = [figure for source in sources() for figure in _from(source)]
            _recent["all"] = (time.monotonic(), found)
        return found


def forget() -> None:
    """Measure anew when somebody asks next."""
    health.forget()
    with _lock:
        _recent.clear()


def sources() -> list[Source]:
    return [*SOURCES, *(import_string(name) for name in settings.FIGURES)]


def _from(source: Source) -> list[Figure]:
    name = f"figures:{source.__module__}.{source.__name__}"
    try:
        found = source()
    except Exception as error:  # whatever is broken must not hide what the others say
        complaints.complain(name, f"cannot measure {source.__name__}: {type(error).__name__}: {error}")
        return []
    complaints.content(name)
    return found


def value(figures: list[Figure], name: str, **labels: str) -> float | None:
    """The sum of the figures of this name that have these labels. None if there is none."""
    found = [it.value for it in figures if it.name == name and labels.items() <= it.labels.items()]
    return sum(found) if found else None
