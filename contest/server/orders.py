"""What operators want of running workers: take nothing new (drain), or end and start again once idle (restart).

Orders lie next to the heartbeats and are named after the worker. A worker reads its own with each heartbeat, so an
order needs two seconds, and outlasts a broker or a worker that is away for a while. Nothing that is being played is
touched: a drained worker finishes what it has, says so in its heartbeat, and waits.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Collection, Iterable
from typing import Any

import redis
from django.conf import settings

from contest.server import workers
from contest.server.workers import ORDERS, Worker

logger = logging.getLogger(__name__)

DRAIN, RESTART = "drain", "restart"


# The operator's side. All of it raises redis.RedisError if the broker does not answer. --------------------------------


def drain(names: Iterable[str]) -> None:
    """Let these workers take nothing new, until `undrain`."""
    _give({name: {"do": DRAIN} for name in names})


def restart(worker: Worker) -> None:
    """Let this worker finish and end. Whatever supervises it starts it again, and the new process has no order."""
    _give({worker.name: {"do": RESTART, "since": worker.since}})


def undrain(names: Iterable[str]) -> None:
    """Let these workers take tasks again."""
    with _store() as store:
        for name in names:
            store.hdel(ORDERS, name)


def of_all() -> dict[str, str]:
    """By the worker's name, what it was told to do."""
    with _store() as store:
        return {name.decode(): str(json.loads(order)["do"]) for name, order in store.hgetall(ORDERS).items()}


def _give(orders: dict[str, dict[str, Any]]) -> None:
    with _store() as store:
        for name, order in orders.items():
            store.hset(ORDERS, name, json.dumps(order))


def _store() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2)


def matching(name: str, known: Iterable[Worker]) -> list[Worker]:
    """The worker with this name, or all workers of the machine with this name."""
    return [worker for worker in known if name in (worker.name, worker.machine)]


# The worker's side ----------------------------------------------------------------------------------------------------


class Obedience:
    """Does what the order for this worker says. All calls come from the worker's main process."""

    def __init__(self) -> None:
        self.queues: tuple[str, ...] = ()  # from which it takes tasks, when it is not told otherwise
        self.consumer: Any = None
        self.draining = False

    def begin(self, consumer: Any, queues: tuple[str, ...]) -> None:
        """The worker is ready to take tasks, or is so again after it had lost the broker."""
        self.consumer = consumer
        self.queues = self.queues or queues

    @property
    def takes_tasks(self) -> bool:
        return self.consumer is not None and not self.draining

    def report(self) -> None:
        """Say in the next heartbeat what the worker does. It is drained only once it has stopped taking tasks."""
        if self.consumer is not None:
            workers.is_doing(draining=self.draining, busy=len(_taken()))

    def obey(self, order: str | None) -> None:
        """`order`: what `workers.sign_of_life` returned."""
        if self.consumer is None or order is None:
            return
        told = json.loads(order) if order else {}
        ends = told.get("do") == RESTART and told.get("since") == workers.STARTED
        if ends and self.draining and not _taken():
            logger.info("restarting, as an operator asked")
            sys.modules["celery.worker.state"].should_stop = 0  # type: ignore[attr-defined]  # the worker's status
        self._take(nothing=ends or told.get("do") == DRAIN)

    def _take(self, *, nothing: bool) -> None:
        if nothing == self.draining:
            return
        self.draining = nothing
        logger.info("draining: nothing new is taken" if nothing else "taking tasks again")
        change = self.consumer.cancel_task_queue if nothing else self.consumer.add_task_queue
        for queue in self.queues:
            self.consumer.call_soon(change, queue)


def _taken() -> Collection[Any]:
    """Tasks that this worker has taken and not finished. Celery counts them in a module that workers load."""
    taken: Collection[Any] = sys.modules["celery.worker.state"].reserved_requests
    return taken


HERE = Obedience()
