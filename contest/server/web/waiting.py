"""`?wait=25`: the answer comes when there is something new, or after 25 seconds as it is.

The application is asked as if nobody waited. If it has nothing new for the client, it says so with a header that names
what the answer depends on: subjects, each with the state that it was made from (contest/waiting.py). Then the client
waits here, without a thread, until a subject has another state, and the application is asked again.

All who wait for a subject share one look at it every `EVERY` seconds. Clients that ask again for the same thing with
the same rights share one request. A state depends only on what its reader may know, so neither the moment of an answer
nor the time that it takes tells anybody what is hidden from them.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import chain
from urllib.parse import parse_qs, parse_qsl

from contest.server.web.asgi import ENVIRON, App, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

PARAMETER = "wait"
LONGEST = 25  # seconds; browsers and proxies give up after 60, some after 30
AGAIN = "kibitz.wait"
"""Key of the WSGI environment of a client that may wait: "first", or "again" for a question that it asked before."""
HEADER = b"kibitz-waits-for"
"""Of an answer that is nothing new: `subject=state&subject=state`. It does not leave the server."""

EVERY = 0.5  # seconds between two looks at the subjects
AT_ONCE = 2  # questions that are asked again at a time, so that the threads stay free for pages
BLINDLY = 5  # how many clients ask again per look where only the answer itself tells whether it has changed …
BLIND = 2.0  # … each after as many seconds at the earliest
TOGETHER, APART = 40, 0.02  # clients that are woken at a time, and the seconds between two of these crowds
SHARED = 1 << 20  # bytes of an answer that may be kept for several clients
NOT_SHARED_BY = frozenset(
    b"user-agent referer connection keep-alive priority dnt sec-gpc cache-control pragma"
    b" x-forwarded-for x-real-ip forwarded x-request-id traceparent hx-current-url sec-ch-ua sec-ch-ua-mobile"
    b" sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site".split()
)
"""Headers on which no answer of the portal depends."""

States = Mapping[str, str]
Look = Callable[[Collection[str]], States]


@dataclass(frozen=True)
class Answer:
    """An answer that has been read to its end."""

    start: Message
    body: bytes
    subjects: States | None  # on which it depends, if it is nothing new
    may_be_shared: bool

    async def give(self, send: Send, held: float) -> None:
        """`held`: seconds for which the client waited because there was nothing new."""
        timing = (b"server-timing", b"held;dur=%.0f" % (1000 * held))
        await send({**self.start, "headers": [*self.start["headers"], timing]})
        await send({"type": "http.response.body", "body": self.body})


@dataclass(slots=True)
class Pause:
    seconds: float = 0.0


class Waiter:
    """A client that waits for another state of any of these subjects. Without subjects it asks again now and then."""

    def __init__(self, subjects: States) -> None:
        loop = asyncio.get_running_loop()
        self.subjects = subjects
        self.since = loop.time()
        self.news: asyncio.Future[None] = loop.create_future()

    def wake(self) -> None:
        if not self.news.done():
            self.news.set_result(None)

    def knows(self, states: States) -> bool:
        return all(states.get(name, state) == state for name, state in self.subjects.items())


class Turns:
    """Lets `AT_ONCE` at a time ask again, first those who ask for several."""

    def __init__(self) -> None:
        self.free = AT_ONCE
        self.for_several: dict[object, asyncio.Future[None]] = {}
        self.for_one: dict[object, asyncio.Future[None]] = {}

    @asynccontextmanager
    async def turn(self, key: object) -> AsyncIterator[None]:
        if self.free:
            self.free -= 1
        else:
            await self._queue(key)
        try:
            yield
        finally:
            self._pass_on()

    def join(self, key: object) -> None:
        """One more waits for this question."""
        if (turn := self.for_one.pop(key, None)) is not None:
            self.for_several[key] = turn

    async def _queue(self, key: object) -> None:
        turn = self.for_one[key] = asyncio.get_running_loop().create_future()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was our turn, and nobody takes it
                self._pass_on()
            raise
        finally:
            self.for_one.pop(key, None)
            self.for_several.pop(key, None)

    def _pass_on(self) -> None:
        for turn in chain(self.for_several.values(), self.for_one.values()):
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1


class Waiting:
    """An ASGI application around another one. `look` returns the states of some subjects; it runs in a thread, and
    with no subjects when nobody waits any more."""

    def __init__(self, app: App, look: Look, most: int = 10_000) -> None:
        self.app, self.look, self.most = app, look, most
        self.waiters: dict[Waiter, None] = {}  # in the order in which they came
        self.stopping = False
        self._coming = 0  # those who may become waiters
        self._asked: dict[tuple[object, ...], asyncio.Future[Answer | None]] = {}
        self._turns = Turns()
        self._thread = ThreadPoolExecutor(1, "look")
        self._watch: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        seconds = seconds_of(scope)
        if not seconds or self.stopping or len(self.waiters) + self._coming >= self.most:
            await self.app(scope, receive, send)
            return
        until = asyncio.get_running_loop().time() + seconds
        self._coming += 1
        try:
            found = await self._ask({**scope, ENVIRON: {AGAIN: "first"}}, send)
        finally:
            self._coming -= 1
        if found is None:
            return
        gone = asyncio.ensure_future(_disconnected(receive))
        held = Pause()
        try:
            found = await self._newer(scope, send, found, until, gone, held)
        finally:
            gone.cancel()
        if found is not None and not gone.done():
            await found.give(send, held.seconds)

    def stop(self) -> None:
        """Give everybody the answer that there is."""
        self.stopping = True
        for waiter in self.waiters:
            waiter.wake()

    # Asking -----------------------------------------------------------------------------------------------------------

    async def _newer(
        self, scope: Scope, send: Send, found: Answer, until: float, gone: asyncio.Future[None], held: Pause
    ) -> Answer | None:
        """Wait for an answer that is new, at most until then. None: it was sent already, or the client has gone."""
        again = {**scope, ENVIRON: {AGAIN: "again"}}
        while found.subjects is not None:
            began = time.monotonic()
            is_new = await self._news(found.subjects, until, gone)
            held.seconds += time.monotonic() - began
            if not is_new:
                break
            answer = await self._ask_together(again, send, gone)
            if answer is None:
                return None
            found = answer
        return found

    async def _ask(self, scope: Scope, send: Send, *, keep: bool = False) -> Answer | None:
        """Ask the application. None: the answer went to the client. Kept instead are answers that are nothing new, and
        with `keep` all that are not too long."""
        start: Message = {}
        subjects: States | None = None
        body = bytearray()
        passes = False

        async def take(message: Message) -> None:
            nonlocal start, subjects, passes
            if message["type"] == "http.response.start":
                start, subjects = _without_subjects(message)
                passes = subjects is None and not (keep and _length(start) <= SHARED)
                if passes:
                    await send(start)
            elif passes:
                await send(message)
            else:
                body.extend(message.get("body", b""))

        await self.app(scope, _nothing_more, take)
        may_be_shared = all(name != b"set-cookie" for name, _ in start.get("headers", ()))
        return None if passes or not start else Answer(start, bytes(body), subjects, may_be_shared)

    async def _ask_together(self, scope: Scope, send: Send, gone: asyncio.Future[None]) -> Answer | None:
        """Ask again, together with all who ask for the same. None: the answer went to the client, or that has gone."""
        key = _key(scope)
        while (asking := self._asked.get(key)) is not None:
            self._turns.join(key)
            if (shared := await asyncio.shield(asking)) is not None:
                return shared
        asking = self._asked[key] = asyncio.get_running_loop().create_future()
        answer: Answer | None = None
        try:
            async with self._turns.turn(key):
                if not gone.done():
                    answer = await self._ask(scope, send, keep=True)
        finally:
            del self._asked[key]
            asking.set_result(answer if answer is not None and answer.may_be_shared else None)
        return answer

    # Watching ---------------------------------------------------------------------------------------------------------

    async def _news(self, subjects: States, until: float, gone: asyncio.Future[None]) -> bool:
        """Wait for another state. False: the time is over, or the server stops, or the client has gone."""
        left = until - asyncio.get_running_loop().time()
        if left <= 0 or self.stopping:
            return False
        waiter = Waiter(subjects)
        self.waiters[waiter] = None
        if self._watch is None:
            self._watch = asyncio.create_task(self._look_on())
        try:
            await asyncio.wait((waiter.news, gone), timeout=left, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self.waiters[waiter]
        return waiter.news.done() and not gone.done() and not self.stopping

    async def _look_on(self) -> None:
        """Wake those whose subjects have another state, for as long as anybody waits."""
        loop = asyncio.get_running_loop()
        failing = False
        try:
            while self.waiters:
                names = {name for waiter in self.waiters for name in waiter.subjects}
                try:
                    states = await loop.run_in_executor(self._thread, self.look, names) if names else {}
                    failing = False
                except Exception:
                    if not failing:
                        logger.exception("clients that wait are not told of changes")
                    failing, states = True, {}
                await self._wake(states, loop.time())
                await asyncio.sleep(EVERY)
            await loop.run_in_executor(self._thread, self.look, ())
        finally:
            self._watch = None
            if self.waiters and not self.stopping:  # somebody came while the last look was under way
                self._watch = asyncio.create_task(self._look_on())

    async def _wake(self, states: States, now: float) -> None:
        """A few at a time: those who come meanwhile must not wait until thousands have their answer."""
        blind = woken = 0
        for waiter in list(self.waiters):
            if not waiter.subjects:
                blind += 1
                if blind <= BLINDLY and now - waiter.since >= BLIND:
                    waiter.wake()
            elif not waiter.knows(states):
                waiter.wake()
                woken += 1
                if woken % TOGETHER == 0:
                    await asyncio.sleep(APART)


def seconds_of(scope: Scope) -> int:
    """How long the client will wait. 0: not at all."""
    query: bytes = scope["query_string"]
    if b"wait=" not in query or scope["method"] != "GET":
        return 0
    asked = parse_qs(query.decode("latin-1")).get(PARAMETER, [""])[-1]
    return min(int(asked[:9]), LONGEST) if asked.isascii() and asked.isdigit() else 0


def _without_subjects(start: Message) -> tuple[Message, States | None]:
    for name, value in start["headers"]:
        if name == HEADER:
            headers = [each for each in start["headers"] if each[0] != HEADER]
            return {**start, "headers": headers}, dict(parse_qsl(value.decode("latin-1")))
    return start, None


def _length(start: Message) -> int:
    return next((int(value) for name, value in start["headers"] if name == b"content-length"), SHARED + 1)


def _key(scope: Scope) -> tuple[object, ...]:
    headers = frozenset(each for each in scope["headers"] if each[0] not in NOT_SHARED_BY)
    return (scope["scheme"], scope["raw_path"], scope["query_string"], headers)


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
