"""What workers are told to do. All may be delivered twice, late, or to two workers at once."""

from __future__ import annotations

from celery import shared_task

from tournaments.clock import periodic
from tournaments.organising import rehearsals
from tournaments.playing import play as deed


@shared_task(name="tournaments.tasks.play")
def play() -> None:
    """Play the match that is due first; the message names none (queue.py)."""
    deed.play_next()


@shared_task(name="tournaments.tasks.rehearse")
def rehearse() -> None:
    """Rehearse the stage that was asked for first; the message names none."""
    rehearsals.play_next()


@shared_task(name="tournaments.tasks.tick")
def tick() -> None:
    """What the beat asks for every ten seconds."""
    periodic.tick()
