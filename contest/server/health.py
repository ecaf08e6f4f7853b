"""Health checks. `/healthz` says that this process answers, `/readyz` that everything it needs is there.

`manage.py doctor` reports the same findings with details, for the operator.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from contest.server import workers

LEAST_DISK = 500_000_000  # bytes free under var/


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check. `detail` is one line for the operator; `doubtful` results are fine but worth a look."""

    part: str
    ok: bool
    detail: str
    doubtful: bool = False


def database() -> Finding:
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
        version = version_of_database()
    except DatabaseError as error:
        return Finding("database", False, f"{connection.vendor}: {error}")
    if pending:
        return Finding("database", False, f"{len(pending)} migrations are not applied: run manage.py migrate")
    return Finding("database", True, f"{connection.vendor} {version}, all migrations applied")


def version_of_database() -> str:
    question = {"sqlite": "SELECT sqlite_version()", "postgresql": "SHOW server_version"}[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(question)
        return str(cursor.fetchone()[0])


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


def workforce() -> Finding:
    """Every queue needs a worker; one worker may serve several."""
    try:
        present = workers.alive()
    except redis.RedisError:
        return Finding("workers", False, "the broker does not answer")
    missing = {"matches", "builds", "portal", "webhooks"} - {queue for worker in present for queue in worker.queues}
    names = ", ".join(_in_short(worker) for worker in present) or "none"
    idle = [worker for worker in present if worker.confinement and not worker.confinement.acceptable]
    if idle:
        reasons = "; ".join(reason for worker in idle if worker.confinement for reason in worker.confinement.reasons)
        return Finding("workers", False, f"{names}; no bot is run by {', '.join(it.name for it in idle)}: {reasons}")
    if missing:
        return Finding("workers", False, f"{names}; nobody takes: {', '.join(sorted(missing))}")
    return Finding("workers", True, names)


def _in_short(worker: workers.Worker) -> str:
    return f"{worker.name} (sandbox: {worker.confinement.level})" if worker.confinement else worker.name


def disk() -> Finding:
    free = shutil.disk_usage(settings.VAR_DIR).free
    return Finding("disk", free >= LEAST_DISK, f"{free / 1e9:.1f} GB free under {settings.VAR_DIR}")


CHECKS: tuple[Callable[[], Finding], ...] = (database, broker, workforce, disk)


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 while this process runs."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 with {"database": true, …} if everything is there that pages and contests need, else 503. It is
    public, so it gives no details. What they can do without is in the answer too, but no reason to send visitors away.
    """
    needed = [check() for check in CHECKS]
    more = [check() for check in map(import_string, settings.MORE_CHECKS)]
    status = 200 if all(finding.ok for finding in needed) else 503
    return JsonResponse({finding.part: finding.ok for finding in (*needed, *more)}, status=status)
