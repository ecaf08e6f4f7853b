"""Prepare a new version for its first visitor: migrations, static files, an organiser, the demo contests.

`./run` does this at every start. Installations that manage their own processes (docker/compose.yml) run it first.
"""

import errno
import time
from argparse import ArgumentParser
from typing import Any

import redis
from django.conf import settings
from django.core.management import BaseCommand, call_command
from django.db import InterfaceError, OperationalError, connection, connections
from kombu.exceptions import OperationalError as BrokerError

from contest import organiser
from contest.server import privacy
from contest.server.complaints import Complaints


class Command(BaseCommand):
    help = "Migrate, collect static files, create the first organiser, load the demo contests. Safe to run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="do not load the demo contests")
        parser.add_argument(
            "--wait",
            action="store_true",
            help="wait for a database or broker that is away, and for a disk that is full",
        )

    def handle(self, *, no_demo: bool, wait: bool, **_: Any) -> None:
        if not wait and (warning := privacy.close(settings.VAR_DIR).warning(settings.VAR_DIR)):
            self.stderr.write(f"WARNING: {warning}")
        conditions = Complaints(lambda _, line: self.say(line))
        while True:
            try:
                account = prepare(demo=not no_demo)
            except Exception as error:
                reason = absent(error)
                if not wait or reason is None:
                    raise
                conditions.complain("start", f"The portal starts when this is over: {reason}")
                connections.close_all()
                time.sleep(PAUSE)
            else:
                conditions.content("start")
                break
        self.say(f"Organiser: {account}")

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def prepare(*, demo: bool) -> organiser.Account:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    account = organiser.ensure(settings.VAR_DIR / "organiser.txt")
    if demo:
        call_command("demo")
    return account


PAUSE = 1.0  # seconds between two attempts
# Classes of PostgreSQL's error codes: the connection, its resources such as the disk, and what an administrator does.
PASSING = ("08", "53", "57")
SQLITE_PASSING = ("disk is full", "is locked", "unable to open", "disk I/O error", "readonly")


def absent(error: BaseException) -> str | None:
    """What is away or full at the moment, in one line. None if the error will be the same at the next attempt."""
    what: str | None = None
    if isinstance(error, (OperationalError, InterfaceError)):
        code = getattr(error.__cause__, "sqlstate", None)
        if connection.vendor == "sqlite":
            what = f"the database: {error}" if any(words in str(error) for words in SQLITE_PASSING) else None
        elif code is None or code.startswith(PASSING):  # without a code it did not even answer
            what = f"the database: {error}"
    elif isinstance(error, (redis.RedisError, BrokerError)):
        what = f"the broker: {error}"
    elif isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
        what = f"{error.filename or settings.VAR_DIR}: {error.strerror}"
    return " ".join(what.split()) if what else None
