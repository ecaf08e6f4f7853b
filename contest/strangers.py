"""Pages for strangers, made once for all of them: what stands between the web server and Django.

A stranger has no session, no token and no message, and asks for one of `PAGES` with parameters that these know. The
portal is asked with nothing but what makes the key, so its answer holds nothing of anybody. It is good for `KEPT`
seconds from when it began to be made: that soon everything is right that becomes public or hidden. After `FRESH`
seconds the next one is made, if anybody has asked again, so that nobody waits for it. Each web process keeps its own.
The headers `Cache-Control` and `Vary` let a proxy in front do the same for a second (docker/nginx.conf).

Polls of a live part share an answer, whatever they know (`?rev=`, or `?now=` at home): those who know its revision get
204, and those who know a later one never get it.
"""

from __future__ import annotations

import hashlib
import re
from asyncio import LifoQueue, Queue, Task, create_task, get_running_loop, shield
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from time import time
from typing import Any, NamedTuple, cast

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.core.cache import caches
from django.core.handlers.asgi import ASGIRequest
from django.db import close_old_connections, connection
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import async_only_middleware

from contest.permissions import revision_of

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Turns = LifoQueue[ThreadPoolExecutor]

FRESH, KEPT = 1.5, 2.0  # seconds until the next answer is made, and for which an answer is good
PAGES = re.compile(
    r"/|/c/[-\w]{1,80}/((standings|matches|teams|teams/\d{1,12}|bracket/\d{1,12}(/poster)?)/)?|/m/[\d/]{1,20}/"
)
KNOWN = rb"(?:page|stage|round|team|state|faults|from|run|notes|view)=[^&=]{0,80}(?:&|\Z)"
QUERY = re.compile(rb"(?:(rev|now)=(\w{0,20})(?:&|\Z))?((?:%s){0,5})" % KNOWN)
REVISION = re.compile(rb"(?<=\Arev=)\w+|(?<=\Anow=)\w+")
PERSONAL = (settings.SESSION_COOKIE_NAME.encode(), settings.MESSAGES_COOKIE_NAME.encode())
KEPT_BY_PROXIES = {
    b"cache-control": b"public, max-age=0, s-maxage=1, stale-while-revalidate=1",
    b"vary": b"Cookie, Authorization, HX-Request, Accept-Encoding",
}


class Answer(NamedTuple):
    seen: float  # when its revision was looked at
    began: float  # when its content began to be made
    revision: str  # of the contest; the content is not older
    status: int
    headers: dict[bytes, bytes]
    body: bytes

    def since(self, known: str) -> float:
        """When it was right, for those who know this revision already (blank: none). 0: it is not for them."""
        if known == self.revision:
            return self.seen
        return self.began if self.status != 204 and _number(known) <= _number(self.revision) else 0.0

    async def give(self, known: str, send: Send) -> None:
        status, headers, body = self.status, [*self.headers.items()], self.body
        if known and known == self.revision and status == 200:
            status, headers, body = 204, [each for each in headers if not each[0].startswith(b"content-")], b""
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class Strangers:
    def __init__(self, portal: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self.portal, self.kept = portal, caches["strangers"]
        self.making: dict[str, Task[Answer | None]] = {}
        self.asked: set[str] = set()  # since their answers were made
        # What a process works on at once: pages that strangers look at, other requests of strangers, and of members.
        self.for_all, self.for_strangers, self.for_members = threads(2), threads(2), threads(4)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = dict(scope["headers"])
        personal = b"authorization" in told or any(name in told.get(b"cookie", b"") for name in PERSONAL)
        if not personal and (question := question_of(scope)):
            key, known, asked = question
            answer: Answer | None = self.kept.get(key)
            self.asked.add(key)
            age = abs(time() - answer.since(known)) if answer else 2 * KEPT
            if age >= FRESH and key not in self.making:
                self._make(key, known, asked, answer, self.for_all if age < 2 * KEPT else self.for_strangers)
            if age >= KEPT:
                answer = await shield(self.making[key])
            if answer and answer.since(known) >= answer.seen:  # else it is for those who know something else
                await answer.give(known, send)
                return
        await self.portal(scope | {"threads": self.for_members if personal else self.for_strangers}, receive, send)

    def _make(self, key: str, known: str, asked: Scope, kept: Answer | None, turn: Turns) -> None:
        making = self._next(key, known, asked | {"threads": turn}, kept)
        self.making[key] = create_task(making, context=Context())

    def _again(self, key: str, asked: Scope, kept: Answer) -> None:
        """Make it anew before it is too old, so that nobody waits, if anybody has asked for it since."""
        if key in self.asked and key not in self.making:
            query, polls = asked["query_string"], (b"hx-request", b"true") in asked["headers"]
            known = kept.revision if polls and REVISION.search(query) else ""
            query = REVISION.sub(kept.revision.encode(), query) if known else query
            self._make(key, known, asked | {"query_string": query}, kept, self.for_all)

    async def _next(self, key: str, known: str, asked: Scope, kept: Answer | None) -> Answer | None:
        """None: each reader needs an answer of their own."""
        try:
            request, sent = Queue[Mapping[str, Any]](), Queue[Mapping[str, Any]]()
            request.put_nowait({"type": "http.request"})
            await self.portal(asked, request.get, sent.put)
            start, *pieces = [sent.get_nowait() for _ in range(sent.qsize())]
            status, headers = start["status"], {name.lower(): value for name, value in start["headers"]}
            if b"set-cookie" in headers:
                return None
            if status == 204 and kept and known == kept.revision:  # its content is still what it was
                answer = kept._replace(seen=asked["began"])
            else:
                headers |= KEPT_BY_PROXIES if status in (200, 204) else {}
                body = b"".join(each.get("body", b"") for each in pieces)
                answer = Answer(asked["began"], asked["began"], asked.get("revision", ""), status, headers, body)
            if answer.status in (200, 204):
                self.kept.set(key, answer)
                self.asked.discard(key)
                get_running_loop().call_later(answer.seen + FRESH - time(), self._again, key, asked, answer)
            return answer
        finally:
            del self.making[key]


def question_of(scope: Scope) -> tuple[str, str, Scope] | None:
    """The key, the revision that a poll knows, and how the portal is asked: with nothing that the key does not hold."""
    told, query = dict(scope["headers"]), QUERY.fullmatch(scope["query_string"])
    if scope["method"] != "GET" or not query or not PAGES.fullmatch(scope["path"]):
        return None
    headers = [(name, told[name]) for name in (b"host", b"x-forwarded-proto") if name in told]
    headers += [(b"accept-encoding", b"gzip")] if b"gzip" in told.get(b"accept-encoding", b"") else []
    live = told.get(b"hx-request") == b"true"
    headers += [(b"hx-request", b"true")] if live else []
    known = (query[2] or b"").decode() if live else ""
    question = (scope["scheme"], scope["path"], (query[1], query[3]) if known else query[0], headers)
    return hashlib.blake2b(repr(question).encode()).hexdigest(), known, scope | {"headers": headers}


def _number(revision: str) -> int:
    return int(re.sub(r"\D.*", "", revision) or 0)


def threads(number: int) -> LifoQueue[ThreadPoolExecutor]:
    """They keep their connections to the database: to open one costs more than many an answer."""
    free: LifoQueue[ThreadPoolExecutor] = LifoQueue()
    for _ in range(number):
        free.put_nowait(ThreadPoolExecutor(1, initializer=keep_connection))
    return free


def keep_connection() -> None:
    connection.settings_dict = connection.settings_dict | {"CONN_MAX_AGE": 10, "CONN_HEALTH_CHECKS": True}


@async_only_middleware
def turns(get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> Any:
    """A request has a thread from when it has arrived until its answer begins: slow connections take none."""

    async def answer(request: HttpRequest) -> HttpResponseBase:
        if not isinstance(request, ASGIRequest):
            return await get_response(request)  # runserver's, which have threads of their own
        scope = cast("Scope", request.scope)
        thread = await scope["threads"].get()
        try:
            scope["began"] = time()
            thread.submit(close_old_connections)
            async with ThreadSensitiveContext(executor=thread):
                response = await get_response(request)
        finally:  # it is free when it has nothing more to do, even if nobody has waited for the answer
            thread.submit(get_running_loop().call_soon_threadsafe, scope["threads"].put_nowait, thread)
        scope["revision"] = revision_of(request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = flowing(filter(None, cast("Iterator[bytes]", response.streaming_content)))
        return response

    return answer


async def flowing(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """A stream whose pieces are made in a thread one by one, as they are sent."""
    while piece := await sync_to_async(lambda: next(pieces, b""))():
        yield piece
