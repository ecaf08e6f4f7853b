"""`manage.py restart_workers [NAME…]`: one worker after the other finishes, ends and starts again."""

from __future__ import annotations

import time
from typing import Any

import redis
from django.core.management.base import BaseCommand, CommandError, CommandParser

from contest.management.commands.drain import LOOK, add_timeout, busy, chosen
from contest.server import orders, workers
from contest.server.workers import Worker

BACK = 120.0  # seconds that a supervisor has to start a worker again


class Command(BaseCommand):
    help = (
        "Restart workers one after the other, each when it has finished what it plays. No match is lost or fails. "
        "Whatever supervises them starts them again: ./run, ./run worker, compose."
    )
    requires_system_checks = []  # migrate runs them

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME", help="workers or machines (default: all)")
        add_timeout(parser)

    def handle(self, *args: Any, names: list[str], timeout: float, **options: Any) -> None:
        try:
            for worker in chosen(names) if names else workers.alive():
                self.restart(worker, timeout)
        except redis.RedisError as error:
            raise CommandError(f"The broker does not answer: {error}") from None

    def restart(self, worker: Worker, timeout: float) -> None:
        """Return when a new process has taken its place. Raises CommandError if that takes too long."""
        self.stdout.write(f"{worker.name}: finishing …")
        orders.restart(worker)
        deadline = time.monotonic() + timeout
        while there := present(worker):  # for as long as its matches take
            if time.monotonic() >= deadline:
                raise CommandError(
                    f"Not finished after {timeout:.0f} s: {busy(there)}. It takes nothing new and restarts once it has "
                    f"finished; `drain {worker.name} --undo` takes that back. Workers after it were not restarted."
                )
            time.sleep(LOOK)
        deadline = time.monotonic() + BACK
        while (successor := next((it for it in workers.alive() if replaces(it, worker)), None)) is None:
            if time.monotonic() > deadline:
                raise CommandError(f"{worker.name} has ended and did not come back. Does anything supervise it?")
            time.sleep(LOOK)
        orders.undrain([worker.name])
        release = "" if successor.release == worker.release else f", release {successor.release}"
        self.stdout.write(f"{successor.name}: back{release}.")


def present(worker: Worker) -> Worker | None:
    """What it says now. None once this process of it has ended."""
    return next((it for it in workers.alive() if it.name == worker.name and it.since == worker.since), None)


def replaces(candidate: Worker, gone: Worker) -> bool:
    """Whether this is the process that a supervisor has started for one that has ended."""
    return candidate.name == gone.name and candidate.since > gone.since
