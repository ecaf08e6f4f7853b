"""Streams of server-sent events: many who follow the same thing get the same bytes, and none of them costs a thread.

The application decides who may follow what. It is asked as if it answered a page, and names in a header what the client
is to be sent (`HEADER`): a *topic*, and the *audience* to which the client belongs, that is all who may follow it for
the same reason. From then on the event loop keeps the client. One thread asks `read` what is new of all topics that
anybody follows, and every message is made, and compressed, once.

The application is asked again for each audience, not for each client: when a subject that it named has another state
(as in waiting.py), when the time has come that it named, and every `RIGHTS` seconds. States are read after the messages
and before these are sent, so nobody is sent what came about after they had lost the right to see it.

One client of an audience answers for all of it, so one that lost the right for reasons of its own (it logged out, it
left its team) would follow on. Where not everybody may follow, the application therefore names a time after which each
connection ends. Browsers come back at once, are asked themselves, and miss nothing.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf
from random import uniform
from typing import Any, NamedTuple

from contest.server.web.asgi import ABORT, ENVIRON, App, Message, Receive, Scope, Send, answer_plainly
from contest.server.web.bodies import STALLED
from contest.server.web.waiting import Look, States

logger = logging.getLogger(__name__)

HEADER = b"kibitz-follows"
"""Of an answer that opens a stream: JSON with `topic`, `audience`, `subjects` (each with its state), and perhaps
`until`, the time at which the application must be asked again, `lasts`, the seconds after which the client must
come back, and `limits`, how many streams this process may have open for each of the names in it. It does not leave the
server."""
FOLLOWS = "kibitz.follows"
"""Key of the WSGI environment of a client that may follow: "first", or "again" when its right is looked at again."""

EVERY = 0.15  # seconds between two looks at what is new
RIGHTS = 10.0  # seconds after which the application is asked again in any case
HEARTBEAT = 15.0  # seconds of silence after which a client is sent a comment
BEHIND = 1 << 20  # bytes that may wait for a slow client; one that lags further is cut off, comes back and is told all
SMALL = 1 << 12  # bytes of a message
RETRY = 2000  # milliseconds after which a browser comes back
AT_ONCE = 200  # milliseconds, where only its time was up
GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # the header of a gzip stream
NOT_KEPT = frozenset(b"content-length content-encoding content-type cache-control etag vary".split()) | {HEADER}
COMMENT = b":\n\n"
TOO_MANY = "Too much is being followed from your network, or by your account. Close some windows."


class News(NamedTuple):
    """A message of a topic. `begins`: whoever comes later begins with it. `joins`: only they get it."""

    id: str
    name: str
    data: str
    begins: bool = False
    joins: bool = False


Read = Callable[[Collection[str]], Mapping[str, Sequence[News]]]
"""What is new of these topics, and of no others: a topic that is not named is no longer followed. None of a topic: it
is no more."""


def packed(text: bytes) -> bytes:
    """A piece of a gzip stream that refers to nothing before it, so it can stand anywhere."""
    small = len(text) < SMALL  # the memory for a large window takes longer to get than such a message to compress
    packer = zlib.compressobj(6, zlib.DEFLATED, -12 if small else -zlib.MAX_WBITS, 5 if small else 8)
    return packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)


PACKED_COMMENT = packed(COMMENT)


class Sent(NamedTuple):
    """A message as it is sent."""

    id: str
    joins: bool
    plain: bytes
    packed: bytes


def as_sent(news: News) -> Sent:
    lines = "".join(f"data: {line}\n" for line in news.data.split("\n"))
    text = f"id: {news.id}\nevent: {news.name}\n{lines}\n".encode()
    return Sent(news.id, news.joins, text, packed(text))


LOST = as_sent(News("", "lost", "{}"))
"""The last message to those who may no longer follow."""


def _retry(milliseconds: int) -> bytes:
    return f"retry: {milliseconds}\n\n".encode()


@dataclass(eq=False)
class Topic:
    """What is followed, with what somebody who comes now has to be told."""

    name: str
    kept: list[Sent] = field(default_factory=list)

    def add(self, news: News, sent: Sent) -> None:
        if news.begins:
            self.kept = [sent]
        else:
            self.kept.append(sent)

    def since(self, last_id: str) -> Sequence[Sent]:
        """What a client has missed: everything, if it knows nothing that we know."""
        at = next((index for index, each in enumerate(self.kept) if each.id == last_id), -1)
        return [each for each in self.kept[at + 1 :] if not each.joins] if at >= 0 else self.kept


@dataclass(eq=False)
class Audience:
    """All who follow a topic for the same reason."""

    name: str
    topic: Topic
    subjects: States
    until: float
    asked: float
    followers: dict[Follower, None] = field(default_factory=dict)
    held: list[Sent] = field(default_factory=list)  # while the application is asked again
    asking: bool = False

    def may_go_on(self, states: States, now: float) -> bool:
        """Whether nothing has changed on which the right to follow depends."""
        return now < self.until and all(states.get(name, state) == state for name, state in self.subjects.items())

    def send(self) -> None:
        """Send what is held; to those who have just come, all that they need."""
        held, self.held = self.held, []
        for follower in self.followers:
            if follower.fresh and self.topic.kept:
                follower.fresh = False
                follower.put(self.topic.since(follower.last_id))
            elif held and not follower.fresh:
                follower.put(held)


class Follower:
    """A client. What it is to be sent waits until its connection takes it."""

    def __init__(self, scope: Scope, lasts: float | None = None) -> None:
        headers = dict(scope["headers"])
        self.scope = scope
        # Not all at the same moment, as they may have come when a match began.
        self.ends = time.monotonic() + lasts * uniform(0.7, 1) if lasts else inf
        self.packs = b"gzip" in headers.get(b"accept-encoding", b"")
        self.last_id = headers.get(b"last-event-id", b"").decode("latin-1")
        self.fresh = True  # nothing was sent yet
        self.waiting: list[bytes] = []
        self.size = 0
        self.ended = self.gone = False
        self.sent_at = self.busy_since = 0.0
        self._news: asyncio.Future[None] | None = None

    def put(self, messages: Sequence[Sent]) -> None:
        for each in messages:
            self.add(each.packed if self.packs else each.plain)

    def add(self, chunk: bytes) -> None:
        self.waiting.append(chunk)
        self.size += len(chunk)
        if self.size > BEHIND and self.busy_since:
            self.scope[ABORT]()
        self._wake()

    def end(self, *, gone: bool = False) -> None:
        self.ended, self.gone = True, gone or self.gone
        self._wake()

    def _wake(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def next(self) -> bytes:
        """What waits for it. Empty: it has ended."""
        while not self.waiting and not self.ended:
            self._news = asyncio.get_running_loop().create_future()
            await self._news
        chunk, self.waiting, self.size = b"".join(self.waiting), [], 0
        return chunk

    def look_after(self, clock: float) -> None:
        """Show that we are there; end a connection whose time is up, and give up one that takes nothing."""
        if clock > self.ends and not self.ended:
            self.add(self.as_taken(_retry(AT_ONCE)))
            self.end()
        elif self.busy_since and clock - self.busy_since > STALLED:
            self.scope[ABORT]()
        elif not self.busy_since and clock - self.sent_at > HEARTBEAT:
            self.add(PACKED_COMMENT if self.packs else COMMENT)

    def as_taken(self, text: bytes) -> bytes:
        return packed(text) if self.packs else text


class Streams:
    """An ASGI application around another one. `read` and `look` run in a thread of their own."""

    def __init__(self, app: App, read: Read, look: Look, most: int = 10_000) -> None:
        self.app, self.read, self.look = app, read, look
        self.own_most = most
        self.audiences: dict[tuple[str, str], Audience] = {}
        self.topics: dict[str, Topic] = {}
        self.stopping = False
        self._open: Counter[str] = Counter()  # streams, by the names that they count for
        self._thread = ThreadPoolExecutor(1, "follow")
        self._watch: asyncio.Task[None] | None = None
        self._asking: set[asyncio.Task[None]] = set()

    @property
    def most(self) -> int:
        return self.own_most

    @most.setter
    def most(self, most: int) -> None:
        self.own_most = most
        if hasattr(self.app, "most"):
            self.app.most = most

    @property
    def followers(self) -> int:
        return sum(len(each.followers) for each in self.audiences.values())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _wants_events(scope):
            await self.app(scope, receive, send)
            return
        if self.stopping or self.followers + len(getattr(self.app, "waiters", ())) >= self.most:
            await answer_plainly(send, 503, "Too many are following. Try again soon.", (b"retry-after", b"10"))
            return
        start, told = await self._ask(scope, "first", send)
        if told is None:
            return
        limits: Mapping[str, int] = told.get("limits", {})
        if any(self._open[name] >= most for name, most in limits.items()):
            await answer_plainly(send, 429, TOO_MANY, (b"retry-after", b"10"))
            return
        follower = Follower(scope, told.get("lasts"))
        self._open.update(limits.keys())
        gone = asyncio.ensure_future(_disconnected(receive))
        gone.add_done_callback(lambda _: follower.end(gone=True))
        try:
            await self._follow(send, start, told, follower)
        finally:
            gone.cancel()
            self._open -= Counter(limits.keys())

    def stop(self) -> None:
        """Let everybody go. Browsers come back by themselves, to the process that follows this one."""
        self.stopping = True
        for audience in self.audiences.values():
            for follower in audience.followers:
                follower.end()
        if hasattr(self.app, "stop"):
            self.app.stop()

    # One client -------------------------------------------------------------------------------------------------------

    async def _ask(self, scope: Scope, which: str, send: Send | None) -> tuple[Message, dict[str, Any] | None]:
        """Ask the application. What it may follow; None: nothing, and the answer went to `send`."""
        start: Message = {}
        told: dict[str, Any] | None = None

        async def take(message: Message) -> None:
            nonlocal start, told
            if message["type"] == "http.response.start":
                start = message
                found = next((value for name, value in message["headers"] if name == HEADER), None)
                told = None if found is None else json.loads(found)
            if told is None and send is not None:
                await send(message)

        await self.app({**scope, ENVIRON: {FOLLOWS: which}}, _nothing_more, take)
        return start, told

    async def _follow(self, send: Send, start: Message, told: dict[str, Any], follower: Follower) -> None:
        kept = [each for each in start["headers"] if each[0] not in NOT_KEPT]
        headers = [*kept, (b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]
        headers += [(b"x-accel-buffering", b"no"), (b"vary", b"Accept-Encoding, Cookie")]
        if follower.packs:
            headers.append((b"content-encoding", b"gzip"))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        follower.add((GZIP if follower.packs else b"") + follower.as_taken(_retry(RETRY)))
        audience = self._join(told, follower)
        try:
            while not follower.gone:
                chunk = await follower.next()
                last = follower.ended
                follower.busy_since = follower.sent_at = time.monotonic()
                await send({"type": "http.response.body", "body": chunk, "more_body": not last})
                follower.busy_since = 0.0
                if last:
                    return
        finally:
            self._leave(audience, follower)

    def _join(self, told: dict[str, Any], follower: Follower) -> Audience:
        key = (told["topic"], told["audience"])
        topic = self.topics.setdefault(told["topic"], Topic(told["topic"]))
        audience = self.audiences.get(key)
        if audience is None:
            audience = self.audiences[key] = Audience(told["audience"], topic, {}, 0.0, 0.0)
            self._know(audience, told)
        audience.followers[follower] = None
        if self._watch is None:
            self._watch = asyncio.create_task(self._look_on())
        return audience

    def _leave(self, audience: Audience, follower: Follower) -> None:
        audience.followers.pop(follower, None)
        if not audience.followers:
            self.audiences.pop((audience.topic.name, audience.name), None)

    @staticmethod
    def _know(audience: Audience, told: dict[str, Any]) -> None:
        audience.subjects, audience.until = told.get("subjects", {}), told.get("until") or float("inf")
        audience.asked = time.monotonic()

    # All of them ------------------------------------------------------------------------------------------------------

    async def _look_on(self) -> None:
        """Send what is new, for as long as anybody follows anything."""
        loop = asyncio.get_running_loop()
        failing = False
        try:
            while self.audiences and not self.stopping:
                began = loop.time()
                topics = {each.topic.name for each in self.audiences.values()}
                self.topics = {name: topic for name, topic in self.topics.items() if name in topics}
                names = {name for each in self.audiences.values() for name in each.subjects}
                try:
                    news, states = await loop.run_in_executor(self._thread, self._news, topics, names)
                    failing = False
                except Exception:
                    if not failing:
                        logger.exception("those who follow are told nothing")
                    failing, news, states = True, {}, {}
                self._deliver(news, states)
                await asyncio.sleep(max(0.02, EVERY - (loop.time() - began)))
            await loop.run_in_executor(self._thread, self._news, set(), set())
        finally:
            self._watch = None
            if self.audiences and not self.stopping:
                self._watch = asyncio.create_task(self._look_on())

    def _news(
        self, topics: Collection[str], names: Collection[str]
    ) -> tuple[dict[str, list[tuple[News, Sent]]], States]:
        """In the thread. The states are read last: whoever may still see what they stand for may see the news."""
        news = {name: [(each, as_sent(each)) for each in found] for name, found in self.read(topics).items()}
        return news, self.look(names) if names or not topics else {}

    def _deliver(self, news: Mapping[str, Sequence[tuple[News, Sent]]], states: States) -> None:
        for name, found in news.items():
            for each, sent in found:
                self.topics[name].add(each, sent)
        now, clock = time.time(), time.monotonic()
        for audience in list(self.audiences.values()):
            audience.held += [sent for _, sent in news.get(audience.topic.name, ()) if not sent.joins]
            as_before = audience.may_go_on(states, now)
            if not audience.asking and (not as_before or clock - audience.asked > RIGHTS):
                audience.asking = True
                task = asyncio.get_running_loop().create_task(self._ask_again(audience))
                self._asking.add(task)
                task.add_done_callback(self._asking.discard)
            if as_before:
                audience.send()
            for follower in audience.followers:
                follower.look_after(clock)

    async def _ask_again(self, audience: Audience) -> None:
        """Ask whether the audience may go on, as the one who came first and, if they may not, as the one who came
        last: whoever has logged out does not answer for the others."""
        for place in (0, -1):
            followers = [each for each in audience.followers if not each.ended]
            if followers and await self._may_still(followers[place], audience):
                audience.asking = False
                return  # what is held is sent with the next look
            for follower in followers[place:][:1]:
                self._lose(follower)
        audience.asking = False
        audience.held.clear()
        for follower in list(audience.followers):
            self._lose(follower)

    async def _may_still(self, follower: Follower, audience: Audience) -> bool:
        try:
            _, told = await self._ask(follower.scope, "again", None)
        except Exception:
            logger.exception("%s: whether it may still be followed is not known", audience.topic.name)
            return False
        if told is None or (told["topic"], told["audience"]) != (audience.topic.name, audience.name):
            return False
        self._know(audience, told)
        return True

    @staticmethod
    def _lose(follower: Follower) -> None:
        if not follower.ended:
            follower.put([LOST])
            follower.end()


def _wants_events(scope: Scope) -> bool:
    return scope["method"] == "GET" and any(
        name == b"accept" and value.startswith(b"text/event-stream") for name, value in scope["headers"]
    )


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
