"""Tasks for workers. All may be delivered twice, late, or to two workers at once."""

from __future__ import annotations

import atexit
import logging
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from celery import shared_task, signals
from django.db import DatabaseError
from kombu.exceptions import OperationalError

from contest import workers
from contest.server import processes
from submissions import clock, lifecycle
from submissions.able import left_to_others
from submissions.models import Submission
from tournaments.clock import periodic
from tournaments.feeds import digest
from tournaments.models import Match, PracticeGame
from tournaments.organising import rehearsals
from tournaments.playing import turns
from tournaments.playing.play import give_back, play_next
from tournaments.practice import play as practice
from tournaments.practice import queue as practice_queue
from tournaments.seating import queue
from tournaments.webhooks import sending, waking

logger = logging.getLogger(__name__)


@shared_task(name="tournaments.tasks.play")
def play(passed: int = 0) -> None:
    """Play the next match that is due. The message does not name it (queue.py).

    `passed`: how many workers have passed it on, because their machines could play nothing that was due."""
    if play_next() is None and turns.others_are_needed(clock.now()):
        queue.pass_on(passed)
    else:
        practice_queue.wake()


@shared_task(name="tournaments.tasks.practise")
def practise() -> None:
    """Play the next match that is due, or else the next practice game."""
    turn = practice.Turn.PLAYED if play_next() else practice.play_next()
    if turn is practice.Turn.YIELDED:
        play_next()
    if turn is not practice.Turn.NOTHING or not left_to_others(queue.QUEUE):
        practice_queue.wake()  # else what waits is for other machines, and this one would wake itself for ever


@shared_task(name="tournaments.tasks.rehearse")
def rehearse() -> None:
    """Do the rehearsal that was requested first. The message does not name it."""
    rehearsals.play_next()


@shared_task(name="tournaments.tasks.tick")
def tick() -> None:
    """Sent by the clock every ten seconds."""
    periodic.tick()


@shared_task(name=waking.DELIVER)
def deliver() -> None:
    """Send to whatever webhooks are due. The message names none."""
    sending.send_due()


@shared_task(name="tournaments.tasks.webhooks")
def webhooks() -> None:
    """Sent by the beat every five seconds."""
    sending.run(clock.now())


@shared_task(name="tournaments.tasks.digest")
def send_digests() -> None:
    """Sent by the beat every five minutes, if a mail server is set."""
    digest.send_due()


# A machine leaves: what its workers still held returns to the queues, at once and without a failure


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
        matches = sum(give_back(worker, numbers) for worker, numbers in held.items() if of_it(worker))
        games = PracticeGame.objects.running().filter(**mine)
        practice = sum(practice_queue.give_back(game) for game in games if of_it(game.worker))
        workers.wake(queue.PLAY, times=matches)
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
    except (DatabaseError, OperationalError) as error:
        logger.warning("what was held here is free after its lease: %s", error)
