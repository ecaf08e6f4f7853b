"""Waking workers when there is something to play.

The database is the queue. A message to the broker is only a wake-up call and names no match. So lost messages, a
stopped or emptied broker, and extra messages do no harm: the periodic tick sends what is missing.
"""

from __future__ import annotations

from celery import current_app
from django.conf import settings
from kombu.exceptions import ChannelError

from contest import workers

PLAY = "tournaments.tasks.play"
MOST_PASSED = 8  # workers in a row that could not play what was due
QUEUE: str = settings.CELERY_TASK_ROUTES[PLAY]["queue"]


def pass_on(passed: int) -> None:
    """Give a wake-up call to another worker, the one that has waited longest. The tick does it if that fails too."""
    if passed < MOST_PASSED:
        workers.wake(PLAY, passed + 1)


def waiting() -> int:
    """The number of wake-up calls that no worker has taken yet. Raises OperationalError if the broker is down."""
    with current_app.connection_for_read() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, timeout=5)
        try:
            return connection.default_channel.queue_declare(queue=QUEUE, passive=True).message_count
        except ChannelError:  # no such queue: nothing was sent yet, or all was taken
            return 0
