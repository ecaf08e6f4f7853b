"""Pages for strangers, made once for all of them: a middleware that answers from Django's cache.

A stranger has no session, no token and no message, and asks for one of `PAGES` with parameters that these know. Such an
answer holds nothing of anybody, so each process keeps it for up to `KEPT` seconds: what becomes public or hidden by the
clock alone is right that soon, and what results change at once, because their revision is part of the key. The headers
`Cache-Control` and `Vary` let a proxy in front do the same for a second (docker/nginx.conf).

Nothing before a hit is synchronous: each change to a thread would cost as much as the hit.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import cast

from asgiref.sync import markcoroutinefunction, sync_to_async
from django.conf import settings
from django.core.cache import caches
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from contest.models import Contest

KEPT, EVERY = 1.0, 1.0  # seconds for which an answer is good, and between two looks at the revision
AT_ONCE = 8  # requests that a process of the web server works on; the others wait without a thread
PAGES = re.compile(
    r"/|/c/[-\w]{1,80}/((standings|matches|teams|teams/\d{1,12}|bracket/\d{1,12}(/poster)?)/)?|/m/[\d/]{1,20}/"
)
KNOWN = frozenset(("rev", "now", "page", "stage", "round", "team", "state", "faults", "from", "run", "notes", "view"))
PROXIES = "public, max-age=0, s-maxage=1, stale-while-revalidate=1"
PERSONAL = frozenset((settings.SESSION_COOKIE_NAME, "messages"))


class Strangers:
    async_capable, sync_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> None:
        markcoroutinefunction(self)
        self.get_response, self.cache = get_response, caches["strangers"]
        self.places = asyncio.Semaphore(AT_ONCE)
        self.making: dict[str, asyncio.Event] = {}
        self.revision, self.read_at = "", 0.0

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_stranger(request):
            return await self._make(request)
        if time.monotonic() - self.read_at > EVERY:
            self.read_at = time.monotonic()
            self.revision = await sync_to_async(public_revision)()
        key = key_of(request, self.revision)
        if key in self.making:
            await self.making[key].wait()
        if kept := self.cache.get(key):
            status, headers, body = kept
            return HttpResponse(body, status=status, headers=headers)
        done = self.making[key] = asyncio.Event()
        try:
            response = await self._make(request)
            if isinstance(response, HttpResponse) and response.status_code in (200, 204) and not response.cookies:
                response["Cache-Control"] = PROXIES
                patch_vary_headers(response, ("Cookie", "Authorization", "HX-Request", "Accept-Encoding"))
                self.cache.set(key, (response.status_code, dict(response.items()), response.content), KEPT)
            return response
        finally:
            self.making.pop(key, None)
            done.set()

    async def _make(self, request: HttpRequest) -> HttpResponseBase:
        async with self.places:
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


def key_of(request: HttpRequest, revision: str) -> str:
    told = request.META
    asked = (request.scheme, told.get("HTTP_HOST", ""), request.path_info, *sorted(request.GET.lists()))
    headers = (told.get("HTTP_HX_REQUEST", "")[:9], "gzip" in told.get("HTTP_ACCEPT_ENCODING", ""))
    return hashlib.blake2b(repr((*asked, *headers, revision)).encode(), digest_size=16).hexdigest()


def public_revision() -> str:
    seen = Contest.objects.filter(visibility=Contest.Visibility.PUBLIC)
    return "{count}.{revisions}".format(**seen.aggregate(count=Count("pk"), revisions=Sum("public_revision")))


async def flowing(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """A stream whose pieces are made in a thread one by one, as they are sent."""
    while piece := await sync_to_async(_next)(pieces):
        yield piece


def _next(pieces: Iterator[bytes]) -> bytes:
    """Blank at the end."""
    return next((piece for piece in pieces if piece), b"")
