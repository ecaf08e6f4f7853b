"""How often somebody may guess: passwords, which django-axes counts by account and address, and codes in links.

Guessing must be hopeless, and it must not shut out those who need no guess. So passwords are counted by the pair of an
account and a network address: wrong guesses of a rival keep nobody out who logs in from another one.

Axes counts in the database. All other counts are in Redis, or in memory while Redis does not answer.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from ipaddress import ip_interface
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from redis.exceptions import RedisError

from contest.models import User

logger = logging.getLogger(__name__)

HOUR = 3600
BY_PERSON, BY_ADDRESS = 30, 600
"""Wrong codes in an hour. There are 850 thousand million."""
AWAY = 1.0  # seconds until Redis is asked again after it did not answer


def either(method: str) -> Any:
    """This method of the cache in Redis or, if Redis does not answer, of the one in memory."""

    def call(self: Counts, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= Counts.away_until:
            try:
                return getattr(RedisCache, method)(self, *args, **kwargs)
            except RedisError as error:
                Counts.away_until = time.monotonic() + AWAY
                logger.warning("each process counts attempts by itself: the cache does not answer: %s", error)
        return getattr(self.memory, method)(*args, **kwargs)

    return call


class Counts(RedisCache):
    """Django's cache (settings.CACHES). People can log in and programs can ask while Redis is away. Each process then
    counts for itself, so limits are as many times higher as there are processes."""

    away_until = 0.0  # on the monotonic clock; each thread has its own object of this class

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.memory = LocMemCache("while Redis is away", {"max_entries": 100_000})

    add, get, set = either("add"), either("get"), either("set")
    delete, incr, touch = either("delete"), either("incr"), either("touch")


def address_of(request: HttpRequest) -> str | None:
    """The network address of whoever makes the request, as it is counted: of IPv6, the network of one customer."""
    try:
        address: str = get_adapter(request).get_client_ip(request)
    except PermissionDenied:  # it came from no network: a test made it
        return None
    if ":" not in address:
        return address
    return str(ip_interface(f"{address}/{settings.ALLAUTH_RATE_LIMIT_IPV6_PREFIX}").network.network_address)


def account_of(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """The user name of the account that somebody wants to log in to, by its name or an address. What names no account
    counts as a digest of what was typed, because that may be a password in the wrong field."""
    typed = str((credentials or {}).get("username") or (credentials or {}).get("email") or "").strip()
    user = User.named(typed)
    user = user or next(iter(filter_users_by_email(typed, prefer_verified=True)), None)
    return user.username if user else hashlib.sha256(typed.upper().encode()).hexdigest()


@dataclass
class Attempt:
    """Something that was counted, before it was looked at: otherwise any number could be under way at once."""

    counted: list[str] = field(default_factory=list)

    def was_right(self) -> None:
        """Take it back: only wrong ones count."""
        for key in self.counted:
            with suppress(ValueError):  # it has run out
                cache.decr(key)


def at_code(request: HttpRequest, kind: str) -> Attempt | None:
    """Count an attempt at a code that somebody was given, in a link or on paper. None: there were too many."""
    limits = [(f"{kind} {address_of(request)}", BY_ADDRESS)]
    if request.user.is_authenticated:
        limits = [(f"{kind} {request.user.pk}", BY_PERSON), *limits]
    attempt = Attempt()
    for whose, most in limits:
        key = f"guesses:{hashlib.sha256(whose.encode()).hexdigest()[:32]}"
        attempt.counted.append(key)
        if _add(key) > most:
            return None
    return attempt


def _add(key: str) -> int:
    try:
        cache.add(key, 0, HOUR)
        return int(cache.incr(key))
    except ValueError:  # it has just run out
        return 1


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
    return render(request, "429.html", status=429)
