"""`manage.py drain NAME…`: let workers finish what they have and take nothing new."""

from __future__ import annotations

import time
from typing import Any

import redis
from django.core.management.base import BaseCommand, CommandError, CommandParser

from contest.server import orders, workers
from contest.server.workers import Worker

LOOK = 0.5  # seconds
PATIENCE = 1800.0  # seconds: longer than a match takes


class Command(BaseCommand):
    help = "Drain workers: they finish what they have and take nothing new, until --undo."
    requires_system_checks = []  # migrate runs them

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="+", metavar="NAME", help="a worker, or a machine for all of its workers")
        parser.add_argument("--wait", action="store_true", help="return when they have finished")
        add_timeout(parser)
        parser.add_argument("--undo", action="store_true", help="let them take tasks again")

    def handle(self, *args: Any, names: list[str], wait: bool, undo: bool, timeout: float, **options: Any) -> None:
        try:
            found = chosen(names)
            if undo:
                orders.undrain([worker.name for worker in found])
                self.stdout.write(f"{listed(found)}: taking tasks again.")
                return
            orders.drain([worker.name for worker in found])
            self.stdout.write(f"{listed(found)}: draining. Nothing new is taken.")
            if wait:
                self.wait(found, timeout)
        except redis.RedisError as error:
            raise CommandError(f"The broker does not answer: {error}") from None

    def wait(self, chosen: list[Worker], timeout: float) -> None:
        """Raises CommandError if some have not finished in time."""
        deadline = time.monotonic() + timeout
        waiting = {worker.name for worker in chosen}
        while True:
            now = {worker.name: worker for worker in workers.alive()}
            for name in sorted(waiting):
                worker = now.get(name)
                if worker is None or worker.is_drained:
                    self.stdout.write(f"{name}: {'drained' if worker else 'gone'}.")
                    waiting.remove(name)
            if not waiting:
                return
            if time.monotonic() >= deadline:
                still = ", ".join(busy(now[name]) for name in sorted(waiting))
                raise CommandError(f"Not finished after {timeout:.0f} s: {still}. They take nothing new, until --undo.")
            time.sleep(LOOK)


def add_timeout(parser: CommandParser) -> None:
    parser.add_argument(
        "--timeout",
        type=float,
        default=PATIENCE,
        metavar="SECONDS",
        help="wait for a worker to finish no longer than that, and fail (default: %(default)g)",
    )


def busy(worker: Worker) -> str:
    """Name a worker that has not finished, and say what it still has."""
    return f"{worker.name} ({worker.busy} {'task' if worker.busy == 1 else 'tasks'} left)"


def chosen(names: list[str]) -> list[Worker]:
    """Workers that are alive, by their names or their machines' names. Raises CommandError, redis.RedisError."""
    alive = workers.alive()
    found: dict[str, Worker] = {}
    for name in names:
        these = orders.matching(name, alive)
        if not these:
            known = ", ".join(worker.name for worker in alive) or "none"
            raise CommandError(f"No worker or machine is called {name}. Workers now: {known}.")
        found |= {worker.name: worker for worker in these}
    return list(found.values())


def listed(found: list[Worker]) -> str:
    return ", ".join(worker.name for worker in found)
