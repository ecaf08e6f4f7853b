"""Notice that this worker hears nothing any more although its broker answers: then it ends, and is started again.

A worker's connection can be lost in a way that Celery does not notice, for instance when the broker's disk is full: it
seems connected and idle, and messages wait. `python -m tests.chaos` has seen it.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from kombu.exceptions import ChannelError

logger = logging.getLogger(__name__)


class Ears:
    """Whether messages wait while a worker that could take them takes none."""

    def __init__(self) -> None:
        self._heard = -1
        self._since = 0.0

    def are_deaf(self, now: float, heard: int, waiting: int) -> bool:
        """`heard`: how many messages the worker has taken since it started; `waiting`: how many it could take now."""
        if not waiting or heard != self._heard:
            self._heard, self._since = heard, now
            return False
        return now - self._since >= settings.DEAF_AFTER


EARS = Ears()


def listen(consumer: Any, queues: Sequence[str], now: float) -> None:
    """With each heartbeat of a worker that may take messages: end it if it is deaf. Whatever supervises it starts it
    again."""
    state: Any = sys.modules["celery.worker.state"]
    busy = bool(state.reserved_requests)
    heard = sum(state.total_count.values())
    if EARS.are_deaf(now, heard, 0 if busy else _waiting(consumer, queues)):
        logger.warning("messages wait and none is heard for %d seconds: starting again", settings.DEAF_AFTER)
        state.should_stop = os.EX_TEMPFAIL


def _waiting(consumer: Any, queues: Sequence[str]) -> int:
    count = 0
    for queue in queues:
        try:
            count += consumer.connection.default_channel.queue_declare(queue=queue, passive=True).message_count
        except ChannelError:  # it is not there: nothing was sent yet, or all was taken
            continue
    return count
