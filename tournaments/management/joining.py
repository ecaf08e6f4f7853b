"""What a worker on another machine checks before it joins a portal. It refuses with words that say what to do."""

from __future__ import annotations

import re
import secrets
import socket
import time
from collections.abc import Callable, Collection

import redis
from django.conf import settings
from django.core.management import CommandError
from django.db import DatabaseError, connection

from contest import workers
from contest.server import schema
from contest.version import RELEASE

MOST_SKEW = 5.0  # seconds between the clocks of two machines of one portal: leases and deadlines suffer from more
WITHOUT_KEY = {"matches"}  # queues whose tasks sign nothing
PAUSE = 1.0  # seconds between two tries
# It becomes part of Celery's names of nodes and of the rows that a worker claims, where columns have 100 characters.
NAME = re.compile(r"[A-Za-z0-9._-]{1,80}")


def name_of(wanted: str | None) -> str:
    """The name of this machine: the wanted one, or one that no other has, even with the same host name."""
    if wanted and not NAME.fullmatch(wanted):
        raise CommandError("A --name has at most 80 characters, which are A-Z, a-z, 0-9, '.', '_' and '-'.")
    return wanted or f"{socket.gethostname()[:50]}-{secrets.token_hex(3)}"


def look(name: str, queues: Collection[str], patience: float, say: Callable[[str], None]) -> list[workers.Worker]:
    """Check everything about the portal, and return its other workers. Waits for a database or broker that comes late.
    Raises CommandError with why this machine cannot work for the portal."""
    file = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and not settings.BASE_DIR.joinpath(str(file)).is_file():
        raise CommandError(
            f"There is no database {file}. Name the portal's with --database postgres://… or DATABASE_URL."
        )
    wait_for_both(time.monotonic() + patience, say)
    if trouble := schema.trouble():
        raise CommandError(trouble)
    others = workers.alive()
    releases = {worker.release for worker in others if "portal" in worker.queues} or {RELEASE}
    if RELEASE not in releases:
        raise CommandError(
            f"The portal runs release {', '.join(releases)}, and this is {RELEASE}. Check out the portal's here."
        )
    if abs(skew := ahead_of_database()) > MOST_SKEW:
        raise CommandError(
            f"This clock is {abs(skew):.0f} s {'ahead of' if skew > 0 else 'behind'} the database's: leases and "
            "deadlines would be wrong. Set it (timedatectl set-ntp true) and try again."
        )
    if any(worker.machine == name for worker in others):
        raise CommandError(f"A machine called {name} is at work already. Choose another --name.")
    keys = {worker.key for worker in others}
    if keys and workers.key() not in keys and set(queues) - WITHOUT_KEY:
        raise CommandError(
            "SECRET_KEY differs from the portal's, so links in mail from this machine would not work. Set it to the "
            "content of the portal's var/secret_key, or play matches only: --queues matches."
        )
    return others


def wait_for_both(deadline: float, say: Callable[[str], None]) -> None:
    said = False
    while True:
        try:
            what = "database"
            connection.ensure_connection()
            what = "broker"
            with redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2) as client:
                client.ping()
            return
        except (DatabaseError, redis.RedisError) as trouble:
            connection.close()
            reason = (str(trouble).strip() or type(trouble).__name__).splitlines()[0]
            if time.monotonic() + PAUSE > deadline:
                raise CommandError(f"The {what} does not answer: {reason}") from None
            if not said:
                say(f"Waiting for the {what}: {reason}")
                said = True
        time.sleep(PAUSE)


def ahead_of_database() -> float:
    """Seconds by which our clock is ahead of the database's."""
    if connection.vendor != "postgresql":
        return 0.0  # a file of this machine
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")  # the connection's own start takes time
        before = time.time()
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        there = float(cursor.fetchone()[0])
    return (before + time.time()) / 2 - there
