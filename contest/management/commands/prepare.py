"""Prepare a new version for its first visitor: migrations, static files, an organiser, the demo contests.

`./run` does this at every start. Installations that manage their own processes (docker/compose.yml) run it first.
"""

import errno
import sys
import time
from argparse import ArgumentParser
from typing import Any

import redis
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection, connections

from contest import organiser
from contest.server import privacy
from contest.server.absences import absent
from contest.server.complaints import Complaints
from contest.server.forked import Forked


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
                if wait:
                    connect()
                account = prepare(demo=not no_demo)
            except Exception as error:
                away = absent(error)
                if not wait or away is None:
                    raise
                part, reason = away
                conditions.complain("start", f"The portal starts when the {part} is there: {reason}")
                connections.close_all()
                time.sleep(PAUSE)
            else:
                conditions.content("start")
                break
        self.say(f"Organiser: {account}")

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def connect() -> None:
    """Raise what `absent` knows unless the database and the broker answer."""
    connection.ensure_connection()
    connections.close_all()  # the next thing is a fork
    with redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2) as client:
        client.ping()


def prepare(*, demo: bool) -> organiser.Account:
    # Beside the migrations, on another processor.
    collecting = Forked(collect, ["manage.py", "collectstatic"])
    try:
        call_command("migrate", verbosity=0)
    finally:
        said = collecting.stdout.readall().decode(errors="replace")
    while collecting.poll() is None:
        time.sleep(0.01)
    if collecting.returncode == PASSING:
        raise OSError(errno.ENOSPC, said.strip())
    if collecting.returncode:
        raise CommandError(f"The static files cannot be collected:\n{said}")
    account = organiser.ensure(settings.VAR_DIR / "organiser.txt")
    if demo:
        call_command("demo")
    return account


def collect() -> None:
    """Collect the static files. Ends the process with PASSING if the disk is full."""
    try:
        call_command("collectstatic", verbosity=0, interactive=False)
    except OSError as error:
        if away := absent(error):
            sys.stdout.write(away[1])
            sys.exit(PASSING)
        raise


PASSING = 75  # the status EX_TEMPFAIL
PAUSE = 1.0  # seconds between two attempts
