"""Tasks for workers. All may be delivered twice, late, or to two workers at once."""

from __future__ import annotations

from celery import shared_task

from tournaments.clock import periodic
from tournaments.organising import rehearsals
from tournaments.playing.play import play_next


@shared_task(name="tournaments.tasks.play")
def play() -> None:
    """Play the next match that is due. The message does not name it (queue.py)."""
    play_next()


@shared_task(name="tournaments.tasks.rehearse")
def rehearse() -> None:
    """Do the rehearsal that was requested first. The message does not name it."""
    rehearsals.play_next()


@shared_task(name="tournaments.tasks.tick")
def tick() -> None:
    """Sent by the beat every ten seconds."""
    periodic.tick()
