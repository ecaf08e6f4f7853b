"""Whether the portal has what it needs. `manage.py doctor` and the operators' page show the findings, and probes.py
tells monitors.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from dataclasses import dataclass

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils.module_loading import import_string

from contest.server import schema

log = logging.getLogger(__name__)

LEAST_DISK = 1_000_000_000  # bytes free under var/


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check. `detail` is one line for the operator; `doubtful` results are fine but worth a look."""

    part: str
    ok: bool
    detail: str
    doubtful: bool = False


def database() -> Finding:
    try:
        return Finding("database", True, f"{connection.vendor} {version_of_database()}")
    except DatabaseError as error:
        return Finding("database", False, f"{connection.vendor}: {error}")


def version_of_database() -> str:
    question = {"sqlite": "SELECT sqlite_version()", "postgresql": "SHOW server_version"}[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(question)
        return str(cursor.fetchone()[0])


def migrations() -> Finding:
    try:
        trouble = schema.trouble()
    except DatabaseError as error:
        trouble = str(error)
    return Finding("migrations", not trouble, trouble or "all are applied")


def broker() -> Finding:
    where = "REDIS_URL" if settings.REDIS_URL else f"private, {settings.BROKER_SOCKET}"
    try:
        with redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2) as client:
            about = client.info("server")
    except redis.RedisError as error:
        return Finding("broker", False, f"{where}: {error}")
    name = "Valkey" if about.get("server_name") == "valkey" else "Redis"
    version = about.get("valkey_version") or about.get("redis_version")
    return Finding("broker", True, f"{name} {version}, {where}")


def disk() -> Finding:
    try:
        free = shutil.disk_usage(settings.VAR_DIR).free
    except OSError as error:
        return Finding("disk", False, f"{settings.VAR_DIR}: {error.strerror}")
    return Finding("disk", free >= LEAST_DISK, f"{free / 1e9:.1f} GB free under {settings.VAR_DIR}")


def findings() -> list[Finding]:
    """What `CHECKS` and settings.MORE_CHECKS find now. Never raises.

    Takes some milliseconds if all is well, and as long as the time-outs of what does not answer if it is not."""
    return [found_by(check) for check in (*CHECKS, *map(import_string, settings.MORE_CHECKS))]


CHECKS: tuple[Callable[[], Finding], ...] = (database, migrations, broker, disk)


def found_by(check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except Exception as error:  # a check that breaks is itself a finding, and must not hide the others
        log.debug("%s failed", check.__name__, exc_info=True)
        return Finding(check.__name__, False, " ".join(f"cannot be checked: {type(error).__name__}: {error}".split()))
