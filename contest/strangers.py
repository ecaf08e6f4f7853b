"""Pages for strangers, made once for all of them: a middleware that answers from Django's cache.

A stranger has no session, no token and no message, and asks for one of `PAGES` with parameters that these know. Such an
answer holds nothing of anybody, so it is good for `KEPT` seconds from when it began to be made: that soon everything is
right that becomes public or hidden. After half of them one process makes the next answer, and nobody waits for it. The
headers `Cache-Control` and `Vary` let a proxy in front do the same for a second (docker/nginx.conf).

Polls of a live part share an answer, whatever they know (`?rev=`): those who know its revision get 204, and those who
know a later one never get it.

Nothing before a hit is synchronous: each change to a thread would cost as much as the hit.
"""

from __future__ import annotations

import hashlib
import re
from asyncio import Future, Semaphore, create_task, shield, sleep
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from contextvars import Context
from math import inf
from time import time
from typing import Literal, NamedTuple, cast

from asgiref.sync import ThreadSensitiveContext, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from redis.exceptions import RedisError

from contest.permissions import revision_of
from contest.version import RELEASE

FRESH, KEPT = 1.0, 2.0  # seconds until the next answer is made, and for which an answer is good
AT_ONCE = 4  # requests of strangers, and of others, that a process works on; more of them wait without a thread
PAGES = re.compile(
    r"/|/c/[-\w]{1,80}/((standings|matches|teams|teams/\d{1,12}|bracket/\d{1,12}(/poster)?)/)?|/m/[\d/]{1,20}/"
)
KNOWN = frozenset(("rev", "now", "page", "stage", "round", "team", "state", "faults", "from", "run", "notes", "view"))
PROXIES = "public, max-age=0, s-maxage=1, stale-while-revalidate=1"
PERSONAL = frozenset((settings.SESSION_COOKIE_NAME, settings.MESSAGES_COOKIE_NAME))


class Answer(NamedTuple):
    seen: float  # when its revision was looked at
    began: float  # when its content was
    revision: str  # of the contest; the content is not older
    status: int
    headers: dict[str, str]
    body: bytes

    def age(self, known: str) -> float:
        """In seconds, for those who know this revision already (blank: none). Endless: it is not for them."""
        if known and known == self.revision:
            return abs(time() - self.seen)
        is_later = _number(known) > _number(self.revision)
        return inf if is_later or self.status == 204 else abs(time() - self.began)

    def response(self, known: str) -> HttpResponse:
        if known and known == self.revision:
            headers = {name: value for name, value in self.headers.items() if not name.startswith("Content-")}
            return HttpResponse(status=204, headers=headers)
        return HttpResponse(self.body, status=self.status, headers=self.headers)


class Strangers:
    async_capable, sync_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> None:
        markcoroutinefunction(self)
        self.get_response = get_response
        self.here, self.everywhere = caches["strangers"], caches["default"]
        self.strangers, self.others = Semaphore(AT_ONCE), Semaphore(AT_ONCE)
        self.making: dict[str, Future[Answer | None]] = {}

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_stranger(request):
            async with self.others:
                return await self._made(request)
        key, known = key_of(request)
        for _ in range(2):  # the first time, it may wait for what is made for those who know another revision
            kept: Answer | None = self.here.get(key)
            age = kept.age(known) if kept else inf
            begins = age >= FRESH and key not in self.making
            if begins:
                self.making[key] = create_task(self._next(key, known, request), context=Context())
            if age >= KEPT:
                kept = await shield(self.making[key])
            if kept and (begins or kept.age(known) < inf):
                return kept.response(known)
        async with self.strangers:
            return await self._made(request)

    async def _next(self, key: str, known: str, request: HttpRequest) -> Answer | None:
        """Made by this process, or by another one. None: it is only for this reader."""
        try:
            async with ThreadSensitiveContext():
                for _ in range(20):
                    answer = await sync_to_async(self._of_others)(key, known)
                    if answer is not False:
                        break
                    await sleep(KEPT / 20)
                answer = answer or await self._new(key, known, request)
            if answer and answer.status in (200, 204):
                self.here.set(key, answer, KEPT)
            return answer
        finally:
            del self.making[key]

    def _of_others(self, key: str, known: str) -> Answer | Literal[False] | None:
        """What another process has made. False: it is making it now. None: none does, so it is our turn."""
        with suppress(RedisError):
            answer: Answer | None = self.everywhere.get(key)
            if answer and answer.age(known) < FRESH:
                return answer
            if not self.everywhere.add(f"{key}.turn", True, KEPT):
                return False
        return None

    async def _new(self, key: str, known: str, request: HttpRequest) -> Answer | None:
        answer = None
        async with self.strangers:
            began, response = time(), await self._made(request)
        if isinstance(response, HttpResponse) and not response.cookies:
            if response.status_code in (200, 204):
                response["Cache-Control"] = PROXIES
                patch_vary_headers(response, ("Cookie", "Authorization", "HX-Request", "Accept-Encoding"))
            told = response.status_code, dict(response.items()), response.content
            answer = Answer(began, began, revision_of(request), *told)
            kept: Answer | None = self.here.get(key)
            if response.status_code == 204 and kept and kept.revision == known:  # its content is still what it was
                answer = kept._replace(seen=began)
        await sync_to_async(self._done)(key, response, answer)
        return answer

    def _done(self, key: str, response: HttpResponseBase, answer: Answer | None) -> None:
        response.close()  # and with it what this thread has opened
        with suppress(RedisError):
            if answer and answer.status in (200, 204):
                self.everywhere.set(key, answer, KEPT)
            self.everywhere.delete(f"{key}.turn")

    async def _made(self, request: HttpRequest) -> HttpResponseBase:
        response = await self.get_response(request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = flowing(iter(cast("Iterator[bytes]", response.streaming_content)))
        return response


def is_stranger(request: HttpRequest) -> bool:
    told = request.META
    return bool(
        request.method == "GET"
        and PAGES.fullmatch(request.path_info)
        and request.GET.keys() <= KNOWN
        and "HTTP_AUTHORIZATION" not in told
        and len(told.get("QUERY_STRING", "") + told.get("HTTP_HOST", "")) < 300
        and PERSONAL.isdisjoint(request.COOKIES)
    )


def key_of(request: HttpRequest) -> tuple[str, str]:
    """What is asked, and the revision that a poll knows."""
    told, asked = request.META, dict(request.GET.lists())
    live = told.get("HTTP_HX_REQUEST", "")[:9]
    known = request.GET.get("rev", "") if live == "true" else ""
    if known:
        asked["rev"] = []
    question = (RELEASE, request.scheme, told.get("HTTP_HOST", ""), request.path_info, sorted(asked.items()))
    headers = (live, "gzip" in told.get("HTTP_ACCEPT_ENCODING", ""))
    return hashlib.blake2b(repr((question, headers)).encode(), digest_size=16).hexdigest(), known


def _number(revision: str) -> int:
    return int(re.sub(r"\D.*", "", revision[:20]) or 0)


async def flowing(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """A stream whose pieces are made in a thread one by one, as they are sent."""
    while piece := await sync_to_async(_next)(pieces):
        yield piece


def _next(pieces: Iterator[bytes]) -> bytes:
    """Blank at the end."""
    return next((piece for piece in pieces if piece), b"")
