"""Tasks for workers. All may be delivered twice, late, or to two workers at once."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from tournaments.clock import periodic
from tournaments.feeds import digest
from tournaments.organising import rehearsals
from tournaments.playing.play import play_next
from tournaments.practice import play as practice
from tournaments.practice import queue as practice_queue
from tournaments.webhooks import sending, upkeep, waking


@shared_task(name="tournaments.tasks.play")
def play() -> None:
    """Play the next match that is due. The message does not name it (queue.py)."""
    play_next()
    practice_queue.wake()


@shared_task(name="tournaments.tasks.practise")
def practise() -> None:
    """Play the next match that is due, or else the next practice game."""
    if play_next() is None and practice.play_next() is practice.Turn.YIELDED:
        play_next()
    practice_queue.wake()


@shared_task(name="tournaments.tasks.rehearse")
def rehearse() -> None:
    """Do the rehearsal that was requested first. The message does not name it."""
    rehearsals.play_next()


@shared_task(name="tournaments.tasks.tick")
def tick() -> None:
    """Sent by the beat every ten seconds."""
    periodic.tick()


@shared_task(name=waking.DELIVER)
def deliver() -> None:
    """Send to whatever webhooks are due. The message names none."""
    sending.send_due()


@shared_task(name="tournaments.tasks.webhooks")
def webhooks() -> None:
    """Sent by the beat every five seconds."""
    upkeep.run(timezone.now())


@shared_task(name="tournaments.tasks.digest")
def send_digests() -> None:
    """Sent by the beat every five minutes, if a mail server is set."""
    digest.send_due()
