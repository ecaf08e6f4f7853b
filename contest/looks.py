"""When somebody last looked at a contest that never ends.

Its ladder plays faster while somebody looks. This is only a hint, so it is kept beside the queue in Redis, and nothing
happens if that does not answer.
"""

from __future__ import annotations

import logging
from time import monotonic

from django.core.cache import cache
from redis.exceptions import RedisError

from contest.models import Contest

logger = logging.getLogger(__name__)

REMEMBERED = 120  # seconds for which a look counts
AGAIN = 30.0  # seconds before this process writes another one
_written: dict[int, float] = {}


def note(contest: Contest) -> None:
    """Remember that somebody looks at it now. At most one write in `AGAIN` seconds."""
    now = monotonic()
    if now - _written.get(contest.pk, -AGAIN) < AGAIN:
        return
    _written[contest.pk] = now  # first, so that a broker that hangs delays one reader and not all
    try:
        cache.set(_key(contest), True, REMEMBERED)
    except RedisError:
        logger.warning("a look at %s is not remembered: the cache does not answer", contest)


def is_looked_at(contest: Contest) -> bool:
    """Return whether somebody has looked at it in the last two minutes. False while the cache does not answer."""
    try:
        return bool(cache.get(_key(contest)))
    except RedisError:
        return False


def _key(contest: Contest) -> str:
    return f"look:{contest.pk}"
