"""Health checks. `/healthz` says that this process answers, `/readyz` that everything it needs is there.

`manage.py doctor` reports the same findings with details, for the operator.
"""

import logging
import pkgutil
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

import redis
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from contest.server import complaints, parts, workers
from contest.server.absences import is_there

log = logging.getLogger(__name__)

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
        pending = migrations() - MigrationRecorder(connection).applied_migrations().keys()
        version = version_of_database()
    except DatabaseError as error:
        return Finding("database", False, f"{connection.vendor}: {error}")
    if pending:
        return Finding("database", False, f"{len(pending)} migrations are not applied: run manage.py migrate")
    return Finding("database", True, f"{connection.vendor} {version}, all migrations applied")


@cache
def migrations() -> frozenset[tuple[str, str]]:
    """App and name of every migration. Not read by Django's own loader, which imports all of them: that takes a second
    and stays in memory."""
    found = set()
    for config in apps.get_app_configs():
        name, _ = MigrationLoader.migrations_module(config.label)
        try:
            package = import_module(name or "")
        except (ImportError, ValueError):
            continue  # an app without models
        modules = pkgutil.iter_modules(package.__path__)
        found |= {(config.label, each.name) for each in modules if not each.ispkg and each.name[0] not in "_~"}
    return frozenset(found)


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
    is_there("broker")
    name = "Valkey" if about.get("server_name") == "valkey" else "Redis"
    version = about.get("valkey_version") or about.get("redis_version")
    return Finding("broker", True, f"{name} {version}, {where}")


def workforce() -> Finding:
    """Every queue needs a worker; one worker may serve several."""
    try:
        present = workers.alive()
    except redis.RedisError:
        return Finding("workers", False, "the broker does not answer")
    missing = set(workers.QUEUES) - {queue for worker in present for queue in worker.queues}
    names = ", ".join(_in_short(worker) for worker in present) or "no workers"
    wrong = [worker for worker in present if worker.has_wrong_clock]
    idle = [worker for worker in present if worker.confinement and not worker.confinement.acceptable]
    if idle:
        reasons = "; ".join(reason for worker in idle if worker.confinement for reason in worker.confinement.reasons)
        idlers = ", ".join(it.name for it in idle)
        return Finding("workers", False, f"no bot is run by {idlers}: {reasons}; there are {names}")
    if missing:
        return Finding("workers", False, f"nobody takes {', '.join(sorted(missing))}; there are {names}")
    if wrong:
        skews = ", ".join(f"{worker.name} by {worker.skew:+.0f} s" for worker in wrong)
        return Finding("workers", True, f"{names}; clocks differ from the broker's: {skews}", doubtful=True)
    return Finding("workers", True, names, doubtful=any(worker.draining for worker in present))


def _in_short(worker: workers.Worker) -> str:
    about = [f"sandbox: {worker.confinement.level}"] if worker.confinement else []
    about += ["drained" if worker.is_drained else "draining"] if worker.draining else []
    return f"{worker.name} ({', '.join(about)})" if about else worker.name


def disk() -> Finding:
    try:
        free = shutil.disk_usage(settings.VAR_DIR).free
    except OSError as error:
        return Finding("disk", False, f"{settings.VAR_DIR}: {error.strerror}")
    return Finding("disk", free >= LEAST_DISK, f"{free / 1e9:.1f} GB free under {settings.VAR_DIR}")


def processes() -> Finding:
    """Whether all processes that ./run started here do their work. One that does not is tried again and again."""
    found = parts.troubles()
    return Finding("parts", not found, "; ".join(map(str, found)) or "no process dies again and again")


CHECKS: tuple[Callable[[], Finding], ...] = (database, broker, workforce, disk)


def needed() -> list[Finding]:
    """What pages and contests cannot do without. Never raises."""
    return [_found(check) for check in CHECKS]


def desirable() -> list[Finding]:
    """What they can do without: settings.MORE_CHECKS, and processes that are missing. Never raises."""
    return [_found(processes), *(_found(check) for check in settings.MORE_CHECKS)]


FRESH = 1.0  # seconds for which an answer of /readyz holds
_recent: list[tuple[float, float, list[Finding]]] = []  # the last findings, and when they were begun and ready
_lock = threading.Lock()


def findings(max_age: float = 0.0) -> list[Finding]:
    """All findings, computed now, or by this process up to `max_age` seconds ago. Never raises.

    They take some milliseconds if all is well, and as long as the time-outs of what does not answer if it is not.
    """
    asked = time.monotonic()
    with _lock:  # many who ask at once make one question
        # A look at what is away takes longer than `max_age`. Whoever waited for it takes its answer.
        fresh = _recent and (_recent[0][0] >= asked or (max_age and _recent[0][1] >= asked - max_age))
        if not fresh:
            begun, found = time.monotonic(), [*needed(), *desirable()]
            _recent[:] = [(begun, time.monotonic(), found)]
        return list(_recent[0][2])


def forget() -> None:
    """Compute findings anew when somebody asks next."""
    with _lock:
        _recent.clear()


def _found(check: Callable[[], Finding] | str) -> Finding:
    try:
        finding: Finding = (import_string(check) if isinstance(check, str) else check)()
    except Exception as error:  # a check that breaks is itself a finding, and must not hide the others
        part = check if isinstance(check, str) else check.__name__
        log.debug("%s failed", part, exc_info=True)
        return Finding(part, False, " ".join(f"cannot be checked: {type(error).__name__}: {error}".split()))
    return finding


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
    found = findings(max_age=FRESH)  # who asks often does not ask a broker that is away each time
    for finding in found:
        if finding.ok:
            complaints.content(f"readyz {finding.part}")
        else:
            complaints.complain(f"readyz {finding.part}", f"{finding.part}: {finding.detail}")
    status = 200 if all(finding.ok for finding in found[: len(CHECKS)]) else 503
    answer = JsonResponse({finding.part: finding.ok for finding in found}, status=status)
    answer._has_been_logged = True  # type: ignore[attr-defined]  # not an error in the log for each question
    return answer
