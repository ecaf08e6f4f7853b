"""How often somebody may guess: passwords, codes of a second factor, codes in links.

Guessing must be hopeless, and it must not shut out those who need no guess. So an attempt counts by who makes it, the
pair of a network address and the name that was typed, and in total only for pairs that have failed before: the first
attempt of a pair in a day is always looked at. A device on which somebody has logged in before (contest/devices.py)
counts by itself, so a rival's wrong guesses never keep them out.

Every attempt is counted before it is looked at, and taken back if it was right: otherwise as many as wished could be
under way at once. Counts are in the cache; while that does not answer, each process counts for itself.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps
from time import monotonic
from typing import Any, NamedTuple

from allauth.account.adapter import get_adapter
from allauth.core.internal.ratelimit import respond_429, truncate_ip
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

MINUTE, HOUR, DAY = 60, 3600, 86_400


class Limit(NamedTuple):
    """At most so many attempts in so many seconds, counted under this name."""

    name: str
    most: int
    seconds: int


PASSWORD_BY_DEVICE = (Limit("device", 20, HOUR),)
"""Of one account on a device that it is known on."""
PASSWORD_BY_PAIR = (Limit("pair", 5, 5 * MINUTE), Limit("pair-day", 30, DAY))
"""Of one name from one address."""
PASSWORD_BY_NAME = Limit("name", 100, HOUR)
PASSWORD_BY_ADDRESS = Limit("address", 300, HOUR)
"""Wrong ones: a computer room of 60 may sit behind one address, and each of them may mistype five times."""

SECOND_BY_DEVICE = (Limit("second-device", 10, HOUR),)
SECOND_BY_PAIR = (Limit("second-pair", 5, 5 * MINUTE), Limit("second-pair-day", 15, DAY))
SECOND_IN_ALL = (Limit("second", 60, DAY),)
"""One of a million codes is right at any time. Somebody who knows the password guesses it within a day with a chance of
one in 16,000, from however many addresses."""

CODES_BY_PERSON = (Limit("codes-person", 30, HOUR),)
CODES_BY_ADDRESS = (Limit("codes", 600, HOUR),)
"""Wrong codes. There are 850 thousand million."""


@dataclass
class Attempt:
    """Something that was counted."""

    counted: list[str] = field(default_factory=list)

    def was_right(self) -> None:
        """Take it back: only wrong ones count."""
        for key in self.counted:
            _take_back(key)
        self.counted.clear()


def address_of(request: HttpRequest) -> str:
    """The network address of whoever makes the request, as it is counted: of IPv6, its network."""
    return truncate_ip(get_adapter(request).get_client_ip(request))


def at_password(request: HttpRequest, name: str, device: str = "") -> Attempt | None:
    """Count an attempt to log in. None: there were too many. `device`: names a device that this account is known on."""
    if device:
        return _counted((each, device) for each in PASSWORD_BY_DEVICE)
    # As databases compare names without case: for PostgreSQL "ı" is an "i" and "ſ" an "s".
    address, name = address_of(request), name.strip().upper()
    pair = f"{address} {name}"
    attempt = _counted((each, pair) for each in PASSWORD_BY_PAIR)
    if attempt is None:
        return None
    is_first = _count(attempt, Limit("first", 1, DAY), pair)
    # Both are counted in any case, as they tell how many guesses there were.
    in_all = [_count(attempt, PASSWORD_BY_NAME, name), _count(attempt, PASSWORD_BY_ADDRESS, address)]
    if is_first or all(in_all):
        return attempt
    return None


def at_second_factor(request: HttpRequest, user: int, device: str = "") -> Attempt | None:
    """Count an attempt at the second factor of an account. None: there were too many."""
    if device:
        return _counted((each, device) for each in SECOND_BY_DEVICE)
    pair = f"{address_of(request)} {user}"
    by_pair, in_all = ((each, pair) for each in SECOND_BY_PAIR), ((each, str(user)) for each in SECOND_IN_ALL)
    return _counted([*by_pair, *in_all])


def at_code(request: HttpRequest, kind: str) -> Attempt | None:
    """Count an attempt at a code that somebody was given, in a link or on paper. None: there were too many."""
    limits = [(each, f"{kind} {address_of(request)}") for each in CODES_BY_ADDRESS]
    if request.user.is_authenticated:
        limits = [*((each, f"{kind} {request.user.pk}") for each in CODES_BY_PERSON), *limits]
    return _counted(limits)


View = Callable[..., HttpResponseBase]


def code_page(kind: str) -> Callable[[View], View]:
    """For a view whose address holds a code, and which raises an error where that is wrong."""

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            attempt = at_code(request, kind)
            if attempt is None:
                return too_many(request)
            response = view(request, *args, **kwargs)
            attempt.was_right()
            return response

        return page

    return decorate


def too_many(request: HttpRequest) -> HttpResponseBase:
    """Status 429, with a page that says to wait."""
    answer: HttpResponseBase = respond_429(request)
    return answer


def _counted(limits: Iterable[tuple[Limit, str]]) -> Attempt | None:
    """Count under each of these, as long as none is used up."""
    attempt = Attempt()
    return attempt if all(_count(attempt, limit, whose) for limit, whose in limits) else None


def _count(attempt: Attempt, limit: Limit, whose: str) -> bool:
    """Whether this one is still within the limit."""
    key = f"guesses:{limit.name}:{hashlib.sha256(whose.encode()).hexdigest()[:32]}"
    attempt.counted.append(key)
    return _add(key, limit.seconds) <= limit.most


def _add(key: str, seconds: int) -> int:
    try:
        cache.add(key, 0, seconds)
        return int(cache.incr(key))
    except ValueError:  # it has just run out
        return 1
    except RedisError:
        logger.warning("attempts are counted in each process alone: the cache does not answer")
        return _here.add(key, seconds)


def _take_back(key: str) -> None:
    try:
        cache.decr(key)
    except ValueError:
        pass  # it has run out
    except RedisError:
        _here.take_back(key)


class Here:
    """The same in this process."""

    MOST = 10_000

    def __init__(self) -> None:
        self.counts: dict[str, tuple[int, float]] = {}

    def add(self, key: str, seconds: int) -> int:
        now = monotonic()
        if len(self.counts) >= self.MOST:
            valid = sorted((item for item in self.counts.items() if item[1][1] > now), key=lambda item: item[1][1])
            self.counts = dict(valid[-self.MOST // 2 :])  # the rest would have run out first
        count, until = self.counts.get(key, (0, 0.0))
        if until <= now:
            count, until = 0, now + seconds
        self.counts[key] = (count + 1, until)
        return count + 1

    def take_back(self, key: str) -> None:
        if key in self.counts:
            count, until = self.counts[key]
            self.counts[key] = (max(count - 1, 0), until)


_here = Here()
