"""What workers are told to do. Both may be delivered twice, late, or to two workers at once."""

from __future__ import annotations

from celery import shared_task

from tournaments import clockwork
from tournaments import play as deed


@shared_task(name="tournaments.tasks.play")
def play() -> None:
    """Play the match that is due first; the message names none (queue.py)."""
    deed.play_next()


@shared_task(name="tournaments.tasks.tick")
def tick() -> None:
    """What the beat asks for every ten seconds."""
    clockwork.tick()
