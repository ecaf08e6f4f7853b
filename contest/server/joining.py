"""What a worker on another machine checks before it joins a portal. It refuses with words that say what to do."""

from __future__ import annotations

import re
import secrets
import socket
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeVar

import redis
from django.conf import settings
from django.db import DatabaseError, connection

from contest.server import schema, workers
from contest.version import RELEASE

T = TypeVar("T")

NOTED = 1.0  # seconds between two clocks that are worth a word; workers.MOST_SKEW is too much
WITHOUT_KEY = {"matches"}  # queues whose tasks sign nothing
PAUSE = 1.0  # seconds between two tries
# It becomes part of Celery's names of nodes and of the rows that a worker claims, where columns have 100 characters.
NAME = re.compile(r"[A-Za-z0-9._-]{1,80}")


class CannotJoin(Exception):
    """Why this machine cannot work for the portal, and what to do about it."""


@dataclass(frozen=True, slots=True)
class Portal:
    """What was found there."""

    database: str
    schema: str
    others: tuple[workers.Worker, ...]  # that are alive
    skews: dict[str, float]  # seconds by which our clock is ahead of the database's and of the broker's

    @property
    def remarks(self) -> list[str]:
        """What the operator should look at, although the worker joins."""
        said = [
            f"this clock is {abs(skew):.1f} s {'ahead of' if skew > 0 else 'behind'} the {whose}'s"
            for whose, skew in self.skews.items()
            if abs(skew) > NOTED
        ]
        if not any("portal" in worker.queues for worker in self.others):
            said.append("no worker of the portal itself has reported to this broker: is the portal running?")
        releases = {worker.release for worker in self.others if worker.release} - {RELEASE}
        if releases:
            said.append(f"other workers have release {', '.join(sorted(releases))}, this one {RELEASE}")
        return said


def unique_name() -> str:
    """A name for this machine that no other has, even with the same host name."""
    return f"{socket.gethostname()[:50]}-{secrets.token_hex(3)}"


def trouble_with(name: str) -> str:
    """Why a machine cannot have this name. Blank if it can."""
    if NAME.fullmatch(name):
        return ""
    found = f"has {len(name)}" if len(name) > 80 else "has others"
    return f"A --name has at most 80 characters, which are A-Z, a-z, 0-9, '.', '_' and '-'. This one {found}."


def look(name: str, queues: Collection[str], patience: float, say: Callable[[str], None]) -> Portal:
    """Check everything about the portal. Waits for a database or broker that comes late. Raises CannotJoin."""
    database = connection.settings_dict
    if connection.vendor == "sqlite" and not settings.BASE_DIR.joinpath(str(database["NAME"])).is_file():
        raise CannotJoin(
            f"There is no database {database['NAME']}. Name the portal's with --database postgres://… or DATABASE_URL."
        )
    deadline = time.monotonic() + patience
    shape = _patiently(schema.compare, DatabaseError, "database", deadline, say)
    if trouble := shape.trouble(RELEASE):
        raise CannotJoin(trouble)
    skews = {"database": _patiently(_ahead_of_database, DatabaseError, "database", deadline, say)}
    skews["broker"] = _patiently(_ahead_of_broker, redis.RedisError, "broker", deadline, say)
    for whose, skew in skews.items():
        if abs(skew) > workers.MOST_SKEW:
            raise CannotJoin(
                f"This clock is {abs(skew):.0f} s {'ahead of' if skew > 0 else 'behind'} the {whose}'s: leases and "
                "deadlines would be wrong. Set it (timedatectl set-ntp true) and try again."
            )
    others = tuple(_patiently(workers.alive, redis.RedisError, "broker", deadline, say))
    if any(worker.machine == name for worker in others):
        raise CannotJoin(f"A machine called {name} is at work already. Choose another --name.")
    keys = {worker.key for worker in others if worker.key}
    if keys and workers.key() not in keys and set(queues) - WITHOUT_KEY:
        raise CannotJoin(
            "SECRET_KEY differs from the portal's, so links in mail from this machine would not work. Set it to the "
            "content of the portal's var/secret_key, or play matches only: --queues matches."
        )
    return Portal(connection.vendor, shape.fingerprint, others, skews)


def _patiently(
    ask: Callable[[], T], error: type[Exception], what: str, deadline: float, say: Callable[[str], None]
) -> T:
    said = False
    while True:
        try:
            return ask()
        except error as trouble:
            connection.close()
            reason = (str(trouble).strip() or type(trouble).__name__).splitlines()[0]
            if time.monotonic() + PAUSE > deadline:
                raise CannotJoin(f"The {what} does not answer: {reason}") from None
            if not said:
                say(f"Waiting for the {what}: {reason}")
                said = True
        time.sleep(PAUSE)


def _ahead_of_database() -> float:
    if connection.vendor != "postgresql":
        return 0.0  # a file of this machine
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")  # the connection's own start takes time
        before = time.time()
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        there = float(cursor.fetchone()[0])
    return (before + time.time()) / 2 - there


def _ahead_of_broker() -> float:
    with redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2) as store:
        store.ping()
        before = time.time()
        there = workers.broker_time(store)
        return (before + time.time()) / 2 - there
