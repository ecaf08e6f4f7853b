"""Pages for strangers, made once for all of them: what stands between the web server and Django.

A stranger has no session, no token and no message, and asks for one of `PAGES` with parameters that these know. The
portal is asked with nothing but what makes the key, so its answer holds nothing of anybody. It is good for `KEPT`
seconds from when it began to be made: that soon everything is right that becomes public or hidden. Each web process
keeps its own. The headers `Cache-Control` and `Vary` let a proxy in front keep it longer (docker/nginx.conf): it has
the next one made meanwhile, so nobody waits, and four seconds after a change all see it.

Polls of a live part share an answer, whatever they know (`?rev=`, or `?now=` at home): those who know its revision get
204, and those who know a later one never get it. Its `ETag` is its revision, as a proxy has one copy for all. While
members ask for more than the portal can do, their polls get 204, too, and come again; and so do their browsers once as
many wait as `LINE`.
"""

from __future__ import annotations

import hashlib
import re
from asyncio import Queue, Task, create_task, shield
from collections.abc import Awaitable, Callable, Mapping
from time import time
from typing import Any, NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.template.loader import get_template

from contest.permissions import SAFE_METHODS
from contest.turns import Turns

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

KEPT = 1.0  # seconds for which an answer is good
LINE = 100  # members who wait for a page; who comes then learns at once that it takes longer
DESK = re.compile(r"(/c|/api/v1/contests)/[-\w]+/desk/")
PAGES = re.compile(
    r"/|/c/[-\w]{1,80}/((standings|matches|teams|teams/\d{1,12}|bracket/\d{1,12}(/poster)?)/)?|/m/[\d/]{1,20}/"
)
QUERY = re.compile(  # what a poll knows, and the parameters of the pages
    rb"(?:(rev|now)=(\w{0,20})(?:&|\Z))?"
    rb"((?:(?:page|stage|round|team|state|faults|from|run|notes|view)=[^&=]{0,80}(?:&|\Z)){0,5})"
)
PERSONAL = (settings.SESSION_COOKIE_NAME.encode(), settings.MESSAGES_COOKIE_NAME.encode())
KEPT_BY_PROXIES = {
    b"cache-control": b"public, max-age=0, s-maxage=1, stale-while-revalidate=2",
    b"vary": b"Cookie, Authorization, HX-Request, Accept-Encoding",
}


class Answer(NamedTuple):
    began: float  # when it was right
    revision: str  # of the contest; the content is not older
    status: int
    headers: dict[bytes, bytes]
    body: bytes

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
        # Pages that strangers look at, what else strangers ask, what members look at, and what they and organisers do:
        # that must not wait for hundreds who look.
        self.for_all, self.for_strangers, self.for_members, self.for_acts = (Turns() for _ in range(4))
        self.for_monitors = Turns()  # they ask whether this process lives
        busy = get_template("503.html").render().encode()
        told = {b"content-type": b"text/html", b"content-length": b"%d" % len(busy), b"cache-control": b"no-store"}
        self.busy = Answer(0, "", 503, told | {b"retry-after": b"5", b"refresh": b"5"}, busy)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = dict(scope["headers"])
        personal = is_personal(told)
        turn = self.for_monitors if scope["path"] == "/healthz" and not personal else self.for_strangers
        if personal:
            looks = scope["method"] in SAFE_METHODS and not DESK.match(scope["path"])
            turn = self.for_members if looks else self.for_acts
            if looks and turn.locked() and polls(scope, told):
                await Answer(0, "", 204, {}, b"").give("", send)
                return
            if looks and turn.waiting >= LINE and told.get(b"sec-fetch-mode") == b"navigate":
                await self.busy.give("", send)
                return
        if not personal and (question := question_of(scope)):
            key, known, asked = question
            answer: Answer | None = self.kept.get(key)
            if not answer or abs(time() - answer.began) >= KEPT:
                if key not in self.making:
                    self.making[key] = create_task(self._next(key, asked, answer))
                answer = await shield(self.making[key])
            if answer and _number(known) <= _number(answer.revision):
                await answer.give(known, send)
                return
        await self.portal(scope | {"turn": turn}, receive, send)

    async def _next(self, key: str, asked: Scope, kept: Answer | None) -> Answer | None:
        """None: each reader needs an answer of their own."""
        try:
            asked["turn"] = self.for_all if kept else self.for_strangers
            if poll := asked["poll"]:  # for those who know nothing: some of what is shown moves no revision
                asked["query_string"] = (b"%s=0&%s" % (poll, asked["query_string"])).strip(b"&")
            request, sent = Queue[Mapping[str, Any]](), Queue[Mapping[str, Any]]()
            request.put_nowait({"type": "http.request"})
            await self.portal(asked, request.get, sent.put)
            start, *pieces = [sent.get_nowait() for _ in range(sent.qsize())]
            status, headers = start["status"], {name.lower(): value for name, value in start["headers"]}
            began, revision = asked.get("began", 0.0), asked.get("revision", "")
            if b"set-cookie" in headers:
                return None
            headers |= KEPT_BY_PROXIES if status in (200, 204) else {}
            headers |= {b"etag": b'"%s"' % revision.encode()} if poll and status == 200 else {}
            answer = Answer(began, revision, status, headers, b"".join(each.get("body", b"") for each in pieces))
            if status in (200, 204):
                self.kept.set(key, answer)
            return answer
        finally:
            del self.making[key]


def is_personal(headers: Mapping[bytes, bytes]) -> bool:
    """Whether it may be somebody's who is no stranger."""
    return b"authorization" in headers or any(name in headers.get(b"cookie", b"") for name in PERSONAL)


def polls(scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
    return b"hx-request" in headers and scope["query_string"].startswith((b"rev=", b"now="))


def question_of(scope: Scope) -> tuple[str, str, Scope] | None:
    """The key, the revision that a poll knows, and how the portal is asked: with nothing that the key does not hold."""
    told, query = dict(scope["headers"]), QUERY.fullmatch(scope["query_string"])
    if scope["method"] != "GET" or not query or not PAGES.fullmatch(scope["path"]):
        return None
    headers = {name: told[name] for name in (b"host", b"x-forwarded-proto") if name in told}
    headers |= {b"accept-encoding": b"gzip"} if b"gzip" in told.get(b"accept-encoding", b"") else {}
    headers |= {b"hx-request": b"true"} if told.get(b"hx-request") == b"true" else {}
    known = query[2] if b"hx-request" in headers else None
    name, rest = (query[1], query[3]) if known else (None, query[0])
    question = repr((scope["scheme"], scope["path"], name, rest, headers)).encode()
    asked = scope | {"headers": [*headers.items()], "poll": name, "query_string": rest}
    return hashlib.blake2b(question, digest_size=16).hexdigest(), (known or b"").decode(), asked


def _number(revision: str) -> int:
    return int(re.sub(r"\D.*", "", revision) or 0)
