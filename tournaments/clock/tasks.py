"""Tasks for workers. All may be delivered twice, late, or to two workers at once."""

from __future__ import annotations

from celery import shared_task

from submissions import clock
from submissions.able import left_to_others
from tournaments.clock import leaving, periodic  # noqa: F401  (a worker that knows these tasks gives back what it leaves)
from tournaments.feeds import digest
from tournaments.organising import rehearsals
from tournaments.playing import able
from tournaments.playing.play import play_next
from tournaments.practice import play as practice
from tournaments.practice import queue as practice_queue
from tournaments.seating import queue
from tournaments.webhooks import sending, upkeep, waking


@shared_task(name="tournaments.tasks.play")
def play(passed: int = 0) -> None:
    """Play the next match that is due. The message does not name it (queue.py).

    `passed`: how many workers have passed it on, because their machines could play nothing that was due."""
    if play_next() is None and able.others_are_needed(clock.now()):
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
    upkeep.run(clock.now())


@shared_task(name="tournaments.tasks.digest")
def send_digests() -> None:
    """Sent by the beat every five minutes, if a mail server is set."""
    digest.send_due()
