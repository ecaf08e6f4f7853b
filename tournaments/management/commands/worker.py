"""`./run worker`: a machine joins a portal, takes what it can play, and leaves without a trace.

The machine needs a clone of the portal's release and the addresses of its database and broker, nothing else. SIGTERM
or Ctrl-C lets matches finish, for `--grace` seconds; whatever is left then goes back to the queue without a failure. If
the machine is lost instead, its matches are played again after their lease.
"""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import connection, connections

from contest.server import supervision
from contest.version import RELEASE
from contest.workers import QUEUES
from submissions.languages import LANGUAGES
from submissions.sandbox import probe
from tournaments.management import joining

WITH_BOTS = {"matches", "builds"}
PROGRAM_OF = {"portal": "clock", "webhooks": "clock"}
"""One program of the portal takes both."""


class Command(BaseCommand):
    help = "Work for the portal with this database and broker, on any machine, until Ctrl-C or SIGTERM."
    requires_system_checks = ["private"]  # the portal's migrate runs the others

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--database", metavar="URL", help="postgres://… (default: DATABASE_URL)")
        parser.add_argument("--broker", metavar="URL", help="redis://… (default: REDIS_URL)")
        parser.add_argument("--queues", default="matches,builds", help=f"of {', '.join(QUEUES)} (default: %(default)s)")
        parser.add_argument("--matches", type=int, default=os.cpu_count(), metavar="N", help="at once (default: cores)")
        parser.add_argument("--builds", type=int, default=1, metavar="N", help="at once (default: %(default)s)")
        parser.add_argument("--name", help="of this machine (default: its host name and six random characters)")
        parser.add_argument("--grace", type=float, default=60.0, metavar="SECONDS", help="to finish at the end (60)")
        parser.add_argument(
            "--patience", type=float, default=60.0, metavar="SECONDS", help="to wait for the portal (60)"
        )

    def handle(self, *args: Any, database: str | None, broker: str | None, **options: Any) -> None:
        name = joining.name_of(options["name"])
        if database or broker:
            start_with(database, broker)
        queues = [name for name in options["queues"].split(",") if name]
        if unknown := [name for name in queues if name not in QUEUES]:
            raise CommandError(f"There is no queue {', '.join(unknown)}: there is {', '.join(QUEUES)}.")
        sizes = {"matches": options["matches"], "builds": options["builds"]}
        queues = [name for name in queues if sizes.get(name, 1) > 0]
        if not queues:
            raise CommandError("Nothing to take: --matches and --builds are 0.")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit(0))
        os.chdir(settings.BASE_DIR)
        with supervision.only_instance() as lock:
            supervision.end_leftovers()
            os.environ["KIBITZ_MACHINE"] = name
            others = joining.look(name, queues, options["patience"], self.say)
            self.demand_sandbox(queues)
            connections.close_all()
            self.welcome(name, {queue: sizes[queue] for queue in queues if queue in sizes}, len(others))
            programs = {PROGRAM_OF.get(queue, queue) for queue in queues}
            at_once = {f"{queue.upper()}_AT_ONCE": size for queue, size in sizes.items()}
            supervision.hand_over(lock, programs, at_once, options["grace"])

    def demand_sandbox(self, queues: Sequence[str]) -> None:
        if WITH_BOTS & set(queues) and not probe().acceptable:
            reasons = "; ".join(probe().reasons)
            raise CommandError(f"Bots cannot be confined on this machine, so none are run here: {reasons}.")

    def welcome(self, name: str, pools: dict[str, int], others: int) -> None:
        self.say("")
        self.say(f"  Joined as   {name}")
        self.say(f"  Portal      {connection.vendor}, {others} other workers")
        self.say(f"  Takes       {', '.join(f'{size} {queue}' for queue, size in pools.items())}; release {RELEASE}")
        if WITH_BOTS & set(pools):
            here = [language.name for language in LANGUAGES.values() if language.installed()]
            self.say(f"  Languages   {', '.join(here)}")
            self.say(f"  Sandbox     {probe()}")
        self.say(f"  Logs        {settings.VAR_DIR / 'log'}")
        self.say("  Ctrl-C or SIGTERM: finish what is being played, then leave.")
        self.say("")

    def say(self, line: str) -> None:
        # Unbuffered and ignoring errors, because the terminal may be gone while we still stop processes.
        with suppress(OSError):
            os.write(sys.stdout.fileno(), f"{line}\n".encode())


def start_with(database: str | None, broker: str | None) -> None:
    """Start this command again with the addresses in its environment, where other users cannot read their passwords."""
    if database:
        if not database.startswith(("postgres://", "postgresql://", "sqlite://")):
            raise CommandError("--database is no address such as postgres://user:password@host/name")
        os.environ["DATABASE_URL"] = database
        os.environ.pop("DATABASE_URL_FILE", None)
    if broker:
        if not broker.startswith(("redis://", "rediss://", "unix://")):
            raise CommandError("--broker is no address such as redis://:password@host:6379/0")
        os.environ["REDIS_URL"] = broker
        os.environ.pop("REDIS_URL_FILE", None)
    os.execv(sys.executable, [sys.executable, *without(sys.argv, "--database", "--broker")])


def without(words: Sequence[str], *options: str) -> list[str]:
    """A command line without these options and their values."""
    left, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif _names(word, options):
            skip = "=" not in word
        else:
            left.append(word)
    return left


def _names(word: str, options: Sequence[str]) -> bool:
    """Whether it is one of these options, which argparse also takes by the beginning of its name."""
    name = word.partition("=")[0]
    return name.startswith("--") and len(name) > 2 and any(option.startswith(name) for option in options)
