"""Pages for strangers, made once for all of them: what stands between the web server and Django.

A stranger has no session, no token and no message, and asks for one of `PAGES` with parameters that these know. The
portal is asked with nothing but what makes the key, so its answer holds nothing of anybody. It is good for `KEPT`
seconds from when it began to be made: that soon everything is right that becomes public or hidden. After `FRESH`
seconds the next one is made, and nobody waits for it. Each web process keeps its own. The headers `Cache-Control` and
`Vary` let a proxy in front do the same for a second (docker/nginx.conf).

Polls of a live part share an answer, whatever they know (`?rev=`): those who know its revision get 204, and those who
know a later one never get it.
"""

from __future__ import annotations

import hashlib
import re
from asyncio import Queue, Semaphore, Task, create_task, shield
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from contextvars import Context
from time import time
from typing import Any, NamedTuple, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.cache import caches
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from contest.permissions import revision_of

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

FRESH, KEPT = 1.5, 2.0  # seconds until the next answer is made, and for which an answer is good
AT_ONCE, OTHERS = 2, 4  # requests of strangers, and of others, that a process works on; more wait without a thread
PAGES = re.compile(
    r"/|/c/[-\w]{1,80}/((standings|matches|teams|teams/\d{1,12}|bracket/\d{1,12}(/poster)?)/)?|/m/[\d/]{1,20}/"
)
KNOWN = rb"(?:now|page|stage|round|team|state|faults|from|run|notes|view)=[^&=]{0,80}(?:&|\Z)"
QUERY = re.compile(rb"(?:rev=(\w{0,20})(?:&|\Z))?((?:%s){0,5})" % KNOWN)
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
        self.strangers, self.others = Semaphore(AT_ONCE), Semaphore(OTHERS)
        self.making: dict[str, Task[Answer | None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = dict(scope["headers"])
        personal = b"authorization" in told or any(name in told.get(b"cookie", b"") for name in PERSONAL)
        if not personal and (question := question_of(scope)):
            key, known, asked = question
            answer: Answer | None = self.kept.get(key)
            age = abs(time() - answer.since(known)) if answer else KEPT
            if age >= FRESH and key not in self.making:
                self.making[key] = create_task(self._next(key, known, asked, answer), context=Context())
            if age >= KEPT:
                answer = await shield(self.making[key])
            if answer and answer.since(known) >= answer.seen:  # else it is for those who know something else
                await answer.give(known, send)
                return
        await self._in_turn(self.others if personal else self.strangers, scope, receive, send)

    async def _next(self, key: str, known: str, asked: Scope, kept: Answer | None) -> Answer | None:
        """None: each reader needs an answer of their own."""
        try:
            sent: Queue[Mapping[str, Any]] = Queue()
            request: Queue[Mapping[str, Any]] = Queue()
            request.put_nowait({"type": "http.request"})
            async with self.strangers:
                began = time()
                await self.portal(asked, request.get, sent.put)
            start = sent.get_nowait()
            headers = {name.lower(): value for name, value in start["headers"]}
            if b"set-cookie" in headers:
                return None
            if start["status"] == 204 and kept and known == kept.revision:  # its content is still what it was
                answer = kept._replace(seen=began)
            else:
                body = b"".join(sent.get_nowait().get("body", b"") for _ in range(sent.qsize()))
                answer = Answer(began, began, asked.get("revision", ""), start["status"], headers, body)
            if answer.status in (200, 204):
                answer.headers.update(KEPT_BY_PROXIES)
                self.kept.set(key, answer)
            return answer
        finally:
            del self.making[key]

    async def _in_turn(self, turns: Semaphore, scope: Scope, receive: Receive, send: Send) -> None:
        """From when the request has arrived until its answer begins: what comes or goes slowly takes no turn."""
        async with AsyncExitStack() as turn:

            async def received() -> Mapping[str, Any]:
                message = await receive()
                if message["type"] == "http.request" and not message.get("more_body"):
                    await turn.enter_async_context(turns)
                return message

            async def sent(message: Mapping[str, Any]) -> None:
                await turn.aclose()
                await send(message)

            await self.portal(scope, received, sent)


def question_of(scope: Scope) -> tuple[str, str, Scope] | None:
    """The key, the revision that a poll knows, and how the portal is asked: with nothing that the key does not hold."""
    told, query = dict(scope["headers"]), QUERY.fullmatch(scope["query_string"])
    if scope["method"] != "GET" or not query or not PAGES.fullmatch(scope["path"]):
        return None
    headers = [(name, told[name]) for name in (b"host", b"x-forwarded-proto") if name in told]
    headers += [(b"accept-encoding", b"gzip")] if b"gzip" in told.get(b"accept-encoding", b"") else []
    live = told.get(b"hx-request") == b"true"
    headers += [(b"hx-request", b"true")] if live else []
    known = (query[1] or b"").decode() if live else ""
    question = (scope["scheme"], scope["path"], query[2] if known else query[0], headers)
    return hashlib.blake2b(repr(question).encode()).hexdigest(), known, scope | {"headers": headers}


def _number(revision: str) -> int:
    return int(re.sub(r"\D.*", "", revision) or 0)


def middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """What of it must be within Django: the revision of an answer, and streams that are made as they are sent."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(request, ASGIRequest):
            cast("Scope", request.scope)["revision"] = revision_of(request)
            if isinstance(response, StreamingHttpResponse) and not response.is_async:
                response.streaming_content = flowing(filter(None, cast("Iterator[bytes]", response.streaming_content)))
        return response

    return answer


async def flowing(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """A stream whose pieces are made in a thread one by one, as they are sent."""
    while piece := await sync_to_async(lambda: next(pieces, b""))():
        yield piece
