"""Pages for strangers, made once for all of them: a middleware that answers from Django's cache.

A stranger has no session, no token and no message, and asks for one of `PAGES` with parameters that these know. Such an
answer holds nothing of anybody, so it is good for `KEPT` seconds from when it began to be made: that soon everything is
right that becomes public or hidden. After `FRESH` seconds the next one is made, and nobody waits for it. Each web
process keeps its own. The headers `Cache-Control` and `Vary` let a proxy in front do the same for a second
(docker/nginx.conf).

Polls of a live part share an answer, whatever they know (`?rev=`): those who know its revision get 204, and those who
know a later one never get it. Nothing before a hit is synchronous: a change to a thread would cost as much as the hit.
"""

from __future__ import annotations

import hashlib
import re
from asyncio import Semaphore, Task, create_task, shield
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextvars import Context
from time import time
from typing import NamedTuple, cast

from asgiref.sync import ThreadSensitiveContext, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.core.cache import caches
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from contest.permissions import revision_of
from contest.version import RELEASE

FRESH, KEPT = 1.5, 2.0  # seconds until the next answer is made, and for which an answer is good
AT_ONCE, OTHERS = 2, 4  # requests of strangers, and of others, that a process works on; more wait without a thread
PAGES = re.compile(
    r"/|/c/[-\w]{1,80}/((standings|matches|teams|teams/\d{1,12}|bracket/\d{1,12}(/poster)?)/)?|/m/[\d/]{1,20}/"
)
KNOWN = frozenset(("rev", "now", "page", "stage", "round", "team", "state", "faults", "from", "run", "notes", "view"))
PROXIES = "public, max-age=0, s-maxage=1, stale-while-revalidate=1"
PERSONAL = frozenset((settings.SESSION_COOKIE_NAME, settings.MESSAGES_COOKIE_NAME))


class Answer(NamedTuple):
    seen: float  # when its revision was looked at
    began: float  # when its content began to be made
    revision: str  # of the contest; the content is not older
    status: int
    headers: dict[str, str]
    body: bytes

    def since(self, known: str) -> float:
        """When it was right, for those who know this revision already (blank: none). 0: it is not for them."""
        if known == self.revision:
            return self.seen
        return self.began if self.status != 204 and _number(known) <= _number(self.revision) else 0.0

    def response(self, known: str) -> HttpResponse:
        if known and known == self.revision and self.status == 200:
            headers = {name: value for name, value in self.headers.items() if not name.startswith("Content-")}
            return HttpResponse(status=204, headers=headers)
        return HttpResponse(self.body, status=self.status, headers=self.headers)


class Strangers:
    async_capable, sync_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> None:
        markcoroutinefunction(self)
        self.get_response = get_response
        self.kept = caches["strangers"]
        self.strangers, self.others = Semaphore(AT_ONCE), Semaphore(OTHERS)
        self.making: dict[str, Task[Answer | None]] = {}

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not isinstance(request, ASGIRequest):  # runserver gives each a thread and a loop of its own
            return await self.get_response(request)
        if not is_stranger(request):
            async with self.others:
                return await self._made(request)
        key, known = key_of(request)
        answer: Answer | None = self.kept.get(key)
        age = abs(time() - answer.since(known)) if answer else KEPT
        if age >= FRESH and key not in self.making:
            self.making[key] = create_task(self._next(key, known, request, answer), context=Context())
        if answer is None or age >= KEPT:
            answer = await shield(self.making[key])
            if answer is None or answer.since(known) < answer.seen:  # it is for those who know something else
                async with self.strangers:
                    return await self._made(request)
        return answer.response(known)

    async def _next(self, key: str, known: str, request: HttpRequest, kept: Answer | None) -> Answer | None:
        """None: it is only for this reader."""
        try:
            async with self.strangers, ThreadSensitiveContext():
                began, response = time(), await self._made(request)
                await sync_to_async(response.close)()  # and with it what this thread has opened
            if not isinstance(response, HttpResponse) or response.cookies:
                return None
            if response.status_code == 204 and kept and known == kept.revision:  # its content is still what it was
                answer = kept._replace(seen=began)
            else:
                if response.status_code in (200, 204):
                    response["Cache-Control"] = PROXIES
                    patch_vary_headers(response, ("Cookie", "Authorization", "HX-Request", "Accept-Encoding"))
                told = response.status_code, dict(response.items()), response.content
                answer = Answer(began, began, revision_of(request), *told)
            if answer.status in (200, 204):
                self.kept.set(key, answer)
            return answer
        finally:
            del self.making[key]

    async def _made(self, request: HttpRequest) -> HttpResponseBase:
        response = await self.get_response(request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = flowing(filter(None, cast("Iterator[bytes]", response.streaming_content)))
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
    while piece := await sync_to_async(lambda: next(pieces, b""))():
        yield piece
