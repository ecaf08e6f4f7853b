"""Copies of pages that processes and machines share, in Redis. Whatever happens to it, pages still come.

A lock lets one process make a copy while the others wait for it. What is stored is bounded: copies end after some
seconds, and of `MOST` bytes in a window of that length the rest is not stored at all.
"""

from __future__ import annotations

import hashlib
import time

from redis import asyncio as redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from contest.server import complaints
from contest.server.complaints import Complaints

LASTS = 15  # seconds
MOST = 48 << 20  # bytes that may be stored in as many seconds
LOCKED = 4.0  # seconds after which another process makes a copy whose maker is silent
PATIENCE = 0.3  # seconds for an answer of Redis
AWAY = 3.0  # seconds for which a Redis that does not answer is left alone
CONDITION = "copies of pages"


class Store:
    def __init__(self, url: str, prefix: str, conditions: Complaints = complaints.ours) -> None:
        self.url, self.prefix, self.conditions = url, prefix, conditions
        self.away_until = 0.0
        self._client: redis.Redis | None = None

    @property
    def client(self) -> redis.Redis:
        if self._client is None:  # in the process and the loop that use it
            self._client = redis.Redis.from_url(
                self.url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, retry=Retry(NoBackoff(), 0),
                max_connections=8,
            )  # fmt: skip
        return self._client

    def _name(self, key: bytes) -> str:
        return f"{self.prefix}:copy:{hashlib.blake2b(key, digest_size=16).hexdigest()}"

    async def take(self, key: bytes) -> tuple[bytes | None, bool]:
        """The stored copy, and whether this process is the one that is to make a new one."""
        if time.monotonic() < self.away_until:
            return None, True
        name = self._name(key)
        try:
            pipe = self.client.pipeline(transaction=False)
            pipe.get(name)
            pipe.set(f"{name}:lock", b"1", nx=True, px=int(1000 * LOCKED))
            found, locked = await pipe.execute()
        except (TimeoutError, RedisError, OSError) as error:
            self._gone(error)
            return None, True
        self.conditions.content(CONDITION)
        return found, bool(locked)

    async def put(self, key: bytes, data: bytes | None) -> None:
        """Store it, if there is one, and give the lock back."""
        if time.monotonic() < self.away_until:
            return
        name, window = self._name(key), f"{self.prefix}:copies:{int(time.time()) // LASTS}"
        try:
            if data is not None:
                pipe = self.client.pipeline(transaction=False)
                pipe.incrby(window, len(data))
                pipe.expire(window, 2 * LASTS)
                stored, _ = await pipe.execute()
                if stored <= MOST:
                    await self.client.set(name, data, px=1000 * LASTS)
            await self.client.delete(f"{name}:lock")
        except (TimeoutError, RedisError, OSError) as error:
            self._gone(error)

    def _gone(self, error: Exception) -> None:
        self.away_until = time.monotonic() + AWAY
        self.conditions.complain(
            CONDITION,
            f"each process of the web server makes its own copies of pages: the cache does not answer ({error})",
        )
