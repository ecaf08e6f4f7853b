"""`./run worker`: a machine joins a portal, takes what it can play, and leaves without a trace.

The machine needs a clone of the portal's release and the addresses of its database and broker, nothing else. The first
SIGTERM or Ctrl-C lets matches finish, for `--grace` seconds; whatever is left then, or at the second signal, goes back
to the queue without a failure. If the machine is lost instead, its matches are played again after their lease.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import redis
from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError, connections

from contest.management.commands.portal import SENDERS, START_SECONDS, TWICE, Interrupted, only_instance
from contest.server import joining, killer, orders, parts, workers
from contest.server.joining import CannotJoin, Portal
from contest.server.programs import is_at_work
from contest.server.supervisor import Program, Supervisor
from contest.server.workers import QUEUES
from contest.version import RELEASE
from submissions.languages import LANGUAGES
from submissions.sandbox import probe
from tournaments.clock import leaving

WITH_BOTS = {"matches", "builds"}
LOOK = 0.5  # seconds


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
        if options["name"] and (why := joining.trouble_with(options["name"])):
            raise CommandError(why)
        if database or broker:
            start_with(database, broker)
        queues = tuple(filter(None, options["queues"].split(",")))
        if unknown := [name for name in queues if name not in QUEUES]:
            raise CommandError(f"There is no queue {', '.join(unknown)}: there is {', '.join(QUEUES)}.")
        sizes = {"matches": options["matches"], "builds": options["builds"], "portal": 1, "webhooks": SENDERS}
        pools = {name: sizes[name] for name in queues if sizes[name] > 0}
        if not pools:
            raise CommandError("Nothing to take: --matches and --builds are 0.")
        os.chdir(settings.BASE_DIR)
        killer.stand_behind()
        name = options["name"] or joining.unique_name()
        with only_instance(settings.VAR_DIR / "run" / "portal.lock"):
            self.work(name, pools, options["grace"], options["patience"])

    def work(self, name: str, pools: dict[str, int], grace: float, patience: float) -> None:
        os.environ["KIBITZ_MACHINE"] = name  # for the workers, and for the rows that they claim
        supervisor = Supervisor(settings.VAR_DIR / "log", self.say, parts.link())
        names = [f"{queue}@{name}" for queue in pools]
        departure = Departure(supervisor, names, grace, self.say)
        joined = False
        try:
            portal = joining.look(name, pools.keys(), patience, self.say)
            self.demand_sandbox(pools)
            connections.close_all()
            departure.loop = joined = True
            for program in programs(names, pools):
                supervisor.start(program)
            if supervisor.until_ready(START_SECONDS):
                self.welcome(name, pools, portal)
            supervisor.run()
        except CannotJoin as trouble:
            raise CommandError(str(trouble)) from None
        except Interrupted:
            pass
        finally:
            departure.loop = True
            supervisor.stop()
            if joined:
                self.leave(name, names)
        if supervisor.failure:
            raise CommandError(supervisor.failure)

    def demand_sandbox(self, pools: dict[str, int]) -> None:
        if WITH_BOTS & set(pools) and not probe().acceptable:
            reasons = "; ".join(probe().reasons)
            raise CannotJoin(f"Bots cannot be confined on this machine, so none are run here: {reasons}.")

    def welcome(self, name: str, pools: dict[str, int], portal: Portal) -> None:
        self.say("")
        self.say(f"  Joined as   {name}")
        self.say(f"  Portal      {portal.database}, schema {portal.schema}, {len(portal.others)} other workers")
        self.say(f"  Takes       {', '.join(f'{size} {queue}' for queue, size in pools.items())}; release {RELEASE}")
        if WITH_BOTS & set(pools):
            here = [language.name for language in LANGUAGES.values() if language.installed()]
            self.say(f"  Languages   {', '.join(here)}")
            self.say(f"  Sandbox     {probe()}")
        for remark in portal.remarks:
            self.say(f"  Look at     {remark}")
        self.say(f"  Logs        {settings.VAR_DIR / 'log'}")
        self.say("  Ctrl-C or SIGTERM: finish what is being played, then leave.")
        self.say("")

    def leave(self, name: str, names: Sequence[str]) -> None:
        """After all processes have ended."""
        workers.farewell(names)
        try:
            returned = leaving.give_back_all(name)
        except DatabaseError as error:
            self.say(f"The database does not answer; what was held here is free after its lease: {error}")
            return
        finally:
            connections.close_all()
        self.say(f"Left. Given back: {returned}.")

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


def programs(names: Sequence[str], pools: dict[str, int]) -> Iterator[Program]:
    """A Celery worker for each queue, as in contest.management.commands.portal."""
    celery = [sys.executable, "-m", "celery", "-A", "contest", "--quiet", "worker", "--without-gossip"]
    for name, (queue, size) in zip(names, pools.items(), strict=True):
        pool = ["-P", "threads"] if queue == "webhooks" else []
        yield Program(
            queue,
            [*celery, "--without-mingle", "-Q", queue, "-c", str(size), "-n", name, *pool],
            ready=is_at_work,
            stop_signals=(signal.SIGTERM, signal.SIGQUIT),
        )


class Departure:
    """From the first signal to the end of the supervisor's loop: drain the workers and wait until they are idle."""

    def __init__(self, supervisor: Supervisor, names: Sequence[str], grace: float, say: Any) -> None:
        self.supervisor, self.names, self.grace, self.say = supervisor, names, grace, say
        self.loop = False  # whether the supervisor's loop is running
        self.hurry = threading.Event()
        self.thread: threading.Thread | None = None
        self.came_at = -TWICE
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, killer.LEFT_ALONE):
            signal.signal(number, self.came)

    def came(self, number: int, *_: Any) -> None:
        if number == killer.LEFT_ALONE:  # somebody wants it to end at once
            self.hurry.set()
        elif time.monotonic() - self.came_at < TWICE:
            return
        self.came_at = time.monotonic()
        if not self.loop:
            self.supervisor.request_stop()
            raise Interrupted
        if self.thread is None:
            self.thread = threading.Thread(target=self.depart, name="departure", daemon=True)
            self.thread.start()
        else:
            self.hurry.set()

    def depart(self) -> None:
        try:
            self.say("Leaving: nothing new is taken, and what is being played may finish.")
            deadline = time.monotonic() + self.grace
            with suppress(redis.RedisError):  # if it does not answer, nothing new comes either
                orders.drain(self.names)
            while time.monotonic() < deadline and not self.is_idle() and not self.hurry.wait(LOOK):
                pass
        finally:
            self.supervisor.request_stop()

    def is_idle(self) -> bool:
        try:
            mine = [worker for worker in workers.alive() if worker.name in self.names]
        except redis.RedisError:
            return False
        return all(worker.is_drained for worker in mine)
