"""Telling the casual server that there is something new at a table. A lost message costs at most half a second."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial

import redis
from django.conf import settings
from django.db import transaction

logger = logging.getLogger(__name__)

CHANNEL = "kibitz:casual"
PATIENCE = 2.0  # seconds
LONGEST = 18  # digits of a table's number


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHE_URL, socket_timeout=0.5, socket_connect_timeout=0.5)


def wake(game: int) -> None:
    """Let the server look at this table, as soon as the current transaction is committed."""
    transaction.on_commit(partial(_publish, game))


def _publish(game: int) -> None:
    with suppress(redis.RedisError):
        _client().publish(CHANNEL, game)


def listen() -> Iterator[int | None]:
    """Yield the tables at which there is something new, and None now and then. Ends when Redis does not answer."""
    with redis.Redis.from_url(settings.CACHE_URL, socket_connect_timeout=2) as client, client.pubsub() as listening:
        listening.subscribe(CHANNEL)
        while True:
            message = listening.get_message(ignore_subscribe_messages=True, timeout=PATIENCE)
            data = message["data"] if message else b""
            yield int(data) if data.isdigit() and len(data) <= LONGEST else None
