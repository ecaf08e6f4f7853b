"""A machine leaves: what its workers still held returns to the queues, at once and without a failure."""

from __future__ import annotations

import atexit
import logging
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from celery import signals
from django.db import DatabaseError

from contest.server import processes
from submissions import lifecycle
from submissions.models import Submission
from tournaments.models import Match, PracticeGame
from tournaments.playing import play
from tournaments.practice import queue as practice_queue
from tournaments.seating import queue

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Returned:
    """How much of what was returned."""

    matches: int = 0
    versions: int = 0
    practice: int = 0

    def __str__(self) -> str:
        counted = ((self.matches, "match"), (self.versions, "build"), (self.practice, "practice game"))
        plural = {"match": "matches"}
        said = [f"{count} {word if count == 1 else plural.get(word, f'{word}s')}" for count, word in counted if count]
        return ", ".join(said) or "nothing"


def give_back_all(machine: str, queues: Collection[str]) -> Returned:
    """Return everything that workers of this machine hold who take these queues. Call it when they have ended."""

    def of_it(worker: str) -> bool:  # not of its contest server, whose name has another part
        return worker.rpartition(":")[0] == machine

    mine = {"worker__startswith": f"{machine}:"}
    matches = versions = practice = 0
    if "matches" in queues:
        held: dict[str, list[int]] = defaultdict(list)
        for pk, worker in Match.objects.filter(state=Match.State.RUNNING, **mine).values_list("pk", "worker"):
            held[worker].append(pk)
        matches = sum(play.give_back(worker, numbers) for worker, numbers in held.items() if of_it(worker))
        games = PracticeGame.objects.running().filter(**mine)
        practice = sum(practice_queue.give_back(game) for game in games if of_it(game.worker))
        queue.wake(matches)
    if "builds" in queues:
        for version in Submission.objects.filter(state__in=Submission.WORKING, **mine).select_related("team"):
            versions += lifecycle.give_back(version) if of_it(version.worker) else 0
        lifecycle.wake()
    return Returned(matches, versions, practice)


@signals.worker_ready.connect
def prepare_to_leave(sender: Any = None, **_: Any) -> None:
    """When this worker ends, however warm, give back what it has left."""
    atexit.unregister(leave)  # if it had lost its broker, it is ready again
    atexit.register(leave, frozenset(sender.app.amqp.queues.consume_from))


def leave(queues: Collection[str]) -> None:
    try:
        logger.info("left; given back: %s", give_back_all(processes.machine()[:80], queues))
    except (DatabaseError, queue.OperationalError) as error:
        logger.warning("what was held here is free after its lease: %s", error)
