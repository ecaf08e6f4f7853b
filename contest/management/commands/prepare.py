"""Prepare a new version for its first visitor: migrations, static files, an organiser, the demo contests.

`./run` does this at every start. Installations that manage their own processes (docker/compose.yml) run it first.
"""

import hashlib
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import BaseCommand, call_command
from django.db import connection, connections

from contest import organiser
from contest.server.logs import absent


class Command(BaseCommand):
    help = "Migrate, collect static files, create the first organiser, load the demo contests. Safe to run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="do not load the demo contests")

    def handle(self, *, no_demo: bool, **_: Any) -> None:
        self.stdout.write(f"Organiser: {prepare(demo=not no_demo)}")


def prepare_patiently(demo: bool, say: Callable[[str], None]) -> organiser.Account:
    """Wait for what is away, or full, and say so."""
    said = ""
    while True:
        try:
            connect()
            account = prepare(demo=demo)
        except Exception as error:
            away = absent(error)
            if away is None:
                raise
            part, reason = away
            line = f"The portal starts when the {part} is there: {reason}"
            if line != said:
                say(line)
            said = line
            forget_connections()
            time.sleep(PAUSE)
        else:
            return account


def connect() -> None:
    """Raise what `absent` knows unless the database and the broker answer."""
    connection.ensure_connection()
    with redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2) as client:
        client.ping()


def forget_connections() -> None:
    """Begin with new connections. Closing the old ones is not enough: if the database goes away during the last
    statements of a migration, Django leaves its transaction open, and a connection in a transaction stays closed."""
    for each in connections.all(initialized_only=True):
        each.close()
        del connections[each.alias]


def prepare(*, demo: bool) -> organiser.Account:
    stamp, now = settings.STATIC_ROOT / "collected.txt", digest_of_static_files()
    collecting = None
    if not stamp.exists() or stamp.read_text() != now:
        # Beside the migrations, on another processor.
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "collectstatic", "--no-input", "-v", "0"]
        collecting = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        call_command("migrate", verbosity=0)
    finally:
        failed = collecting and collecting.wait()
    if failed:  # once more, to hear what is wrong
        call_command("collectstatic", verbosity=0, interactive=False)
    stamp.write_text(now)
    account = organiser.ensure(settings.VAR_DIR / "organiser.txt")
    if demo:
        call_command("demo")
    return account


def digest_of_static_files() -> str:
    """Of the names, sizes and times of all static files, and of what collects them."""
    files = [Path(storage.path(path)) for finder in get_finders() for path, storage in finder.list([])]
    found = sorted((str(file), file.stat().st_size, file.stat().st_mtime) for file in (*files, Path(__file__)))
    return hashlib.sha256(repr((found, settings.STORAGES)).encode()).hexdigest()


PAUSE = 1.0  # seconds between two attempts
