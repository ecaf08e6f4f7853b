"""When the disk will be full: free space is noted every few minutes, and a line through the notes is drawn on."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence

import redis
from django.conf import settings

KEY = "kibitz:disk"
EVERY = 300.0  # seconds between two notes
KEPT = 72  # notes: six hours
SPAN = 900.0  # seconds that the notes must span: less says nothing
ENOUGH = 7200.0  # seconds after which a line may be drawn as far as one likes; installing and a first demo take less
AHEAD = 12  # until then, times the span

Note = tuple[float, float]  # Unix time, bytes free


def note(now: float | None = None) -> bool:
    """Note how much is free, if the last note is old enough. Raises redis.RedisError or OSError."""
    now = time.time() if now is None else now
    with _store() as store:
        last = store.lindex(KEY, -1)
        if last and 0 <= now - json.loads(last)[0] < EVERY:
            return False
        store.rpush(KEY, json.dumps([now, shutil.disk_usage(settings.VAR_DIR).free]))
        store.ltrim(KEY, -KEPT, -1)
    return True


def seconds_until_full() -> float | None:
    """None if the disk does not fill, or nobody knows yet."""
    try:
        with _store() as store:
            notes = [tuple(json.loads(each)) for each in store.lrange(KEY, 0, -1)]
        return forecast(notes, shutil.disk_usage(settings.VAR_DIR).free)
    except (redis.RedisError, OSError):
        return None


def forecast(notes: Sequence[Note], free: float) -> float | None:
    """Seconds until nothing is free, by the least-squares line through these notes."""
    if len(notes) < 3 or (span := notes[-1][0] - notes[0][0]) < SPAN:
        return None
    middle = sum(at for at, _ in notes) / len(notes)
    mean = sum(left for _, left in notes) / len(notes)
    spread = sum((at - middle) ** 2 for at, _ in notes)
    slope = sum((at - middle) * (left - mean) for at, left in notes) / spread  # bytes a second
    left = free / -slope if slope < 0 else None
    return None if left is not None and span < ENOUGH and left > AHEAD * span else left


def _store() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2)
