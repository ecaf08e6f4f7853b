"""Answers from copies: what everybody without an account sees is made once, and sent from the event loop.

`plan` says which requests may get a copy, and `app` is asked for one with nothing of the client's but what the plan
lists: no cookies and no other headers. The application says in headers whether its answer may be shared, and names the
subjects on which it depends, with their states (contest/waiting.py).

A copy is *right* while all its subjects have the states that it was made from; one look every `EVERY` seconds answers
that for all copies together. One that is no longer right is sent for about a second longer (`Pace.bound`) while a new
one is made, by one process for all (`Store`). If more copies are asked for than the machine can make, that second is
stretched to ten at most, but never for what is not results (`HARD`): names, settings, what was hidden. No copy is
older than `LIFE` and the second in which it is renewed. So what a copy shows was public a moment ago, whatever
has happened since.

What may not be shared goes to the client who asked, and others ask for themselves. Of people who are logged in, the
application says whether they read a page as strangers do (`READS`). Then their live parts are copies as well, for a
minute or until the page is loaded again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode

from contest.server.web.asgi import ENVIRON, TURN, App, Message, Receive, Scope, Send, answer_full
from contest.server.web.clients import Clients, Full, Places
from contest.server.web.copies import VARY, Copy, Header, Shelf, copy_of, unpacked
from contest.server.web.pace import Pace
from contest.server.web.store import Store
from contest.server.web.waiting import AGAIN, HEADER

logger = logging.getLogger(__name__)

RENDERS = "kibitz.shared"
"""Key of the WSGI environment of a request whose answer everybody may get, with the seconds that it may be behind."""
STATES, REVISION, BEHIND = "Kibitz-Shared", "Kibitz-Revision", "Kibitz-Behind"
"""Headers of such an answer: its subjects with their states, the revision that a live part has, and the seconds by
which it was behind when it was asked for. They do not leave the server."""
READS = "Kibitz-Reads"
"""Key of the WSGI environment of a request with a session, with the seconds that its answer may be behind, and header
of the answer: the reader is told the same as strangers. It does not leave the server."""
BYSTANDER = 60.0  # seconds for which that is believed
MOST_BYSTANDERS = 20_000
HARD = "written:"
"""Subjects of this kind are not about results."""

EVERY = 0.25  # seconds between two looks
LIFE = 10.0  # seconds
IDLE = 5.0  # seconds without a question after which nobody looks any more
AT_ONCE = 2  # copies that this process makes at a time
OWN_AT_ONCE = 2  # pages that this process makes for one reader each; others are answered from copies meanwhile
ALONE = 10.0  # seconds for which it is remembered that an answer may not be shared
MOST_ALONE = 2000
ANOTHER = 0.25  # seconds for which a copy is waited for that another address has asked for, and that is not begun
OTHERS = 2.0  # seconds for which a copy of another process is waited for
MEMORY = 32 << 20
LARGEST = 4 << 20  # bytes of an answer that is kept


@dataclass(frozen=True, slots=True)
class Question:
    """`key` holds everything on which the answer depends. `revision` of a live part: what the client has."""

    key: bytes
    query: bytes
    headers: list[Header]
    revision: str | None


@dataclass(slots=True)
class Making:
    """A copy that is being made. `waits`: for the turn of the address that has asked for it."""

    address: str
    waits: bool = False
    task: asyncio.Task[Copy | None] = field(init=False)

    def is_stuck(self) -> bool:
        return self.waits or (self.task.done() and isinstance(self.task.exception(), Full))


Plan = Callable[[Scope], Question | None]
Reader = Callable[[Scope], bytes | None]
"""Names somebody with a session, and the page that they read. None: nobody has one, or no page has copies."""
Look = Callable[[Collection[str]], Mapping[str, str]]


class Shared:
    """An ASGI application around another one."""

    def __init__(
        self,
        app: App,
        plan: Plan,
        look: Look,
        store: Store,
        reader: Reader = lambda _: None,
        clients: Clients | None = None,
    ) -> None:
        self.app, self.plan, self.look, self.store, self.reader = app, plan, look, store, reader
        self.clients = clients or Clients()
        self._bystanders: dict[bytes, float] = {}
        self.pace = Pace()
        self.shelf = Shelf(MEMORY)
        self.states: dict[str, str] = {}
        self.looked_at = 0.0  # Unix time at which the latest look began
        self.asked_at = 0.0
        self._names: dict[str, float] = {}  # subjects, and when a copy that depends on them was asked for
        self._alone: dict[bytes, float] = {}
        self._making: dict[bytes, Making] = {}
        # Addresses take turns at both, and then none at the threads: whoever has many requests keeps nobody waiting.
        self._free = Places(AT_ONCE, most_of_one=AT_ONCE)
        self._own = Places(OWN_AT_ONCE, most_of_one=OWN_AT_ONCE)
        self._thread = ThreadPoolExecutor(1, "copies")
        self._watch: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._answer(scope, receive, send)
        except Full:
            await answer_full(send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        question = self.plan(scope)
        if question is None:
            reader = self.reader(scope)
            question = self._as_stranger(reader, scope) if reader is not None else None
        else:
            reader = None
        if question is None:
            await self._alone_for(reader, scope, receive, send)
            return
        if question.revision is not None:
            self.pace.polled()
        copy = await self._copy(question, scope)
        if copy is None or (not copy.shared and question.query != scope["query_string"]):  # links may hold the query
            await self.app(scope, receive, send)
        else:
            await self._give(copy, question, scope, send)

    # People who are logged in -----------------------------------------------------------------------------------------

    def _as_stranger(self, reader: bytes, scope: Scope) -> Question | None:
        """What a stranger would ask for in place of this reader, if it is a live part and they are told the same."""
        if self._bystanders.get(reader, 0.0) < time.time():
            return None
        headers = [each for each in scope["headers"] if each[0] != b"cookie"]
        question = self.plan({**scope, "headers": headers})
        return question if question is not None and question.revision is not None else None

    async def _alone_for(self, reader: bytes | None, scope: Scope, receive: Receive, send: Send) -> None:
        is_live, began = any(name == b"hx-request" for name, _ in scope["headers"]), time.monotonic()
        address = self.clients.address(scope)
        is_making = False

        async def learning(message: Message) -> None:
            nonlocal is_making
            if message["type"] == "http.response.start":
                if is_making:  # it is made, and how fast the client reads does not matter to others
                    is_making = False
                    self._own.give_back(address)
                headers = message["headers"]
                if reader is not None:
                    self._learn(reader, reads_as_strangers=any(name == READS_KEY for name, _ in headers))
                    headers = [each for each in headers if each[0] != READS_KEY]
                if is_live:
                    headers = [*headers, *self.pace.alone(time.monotonic() - began)]
                message = {**message, "headers": headers}
            await send(message)

        if reader is not None:
            scope = {**scope, ENVIRON: {**scope.get(ENVIRON, {}), READS: self.pace.fresh}, TURN: ""}
            await self._own.take(address)
            is_making = True
        try:
            await self.app(scope, receive, learning if is_live or reader is not None else send)
        finally:
            if is_making:
                self._own.give_back(address)

    def _learn(self, reader: bytes, *, reads_as_strangers: bool) -> None:
        if not reads_as_strangers:
            self._bystanders.pop(reader, None)
            return
        if len(self._bystanders) >= MOST_BYSTANDERS:
            self._bystanders.clear()
        self._bystanders[reader] = time.time() + BYSTANDER

    # Which copy -------------------------------------------------------------------------------------------------------

    async def _copy(self, question: Question, scope: Scope) -> Copy | None:
        """None: the answer is for this client alone."""
        now = self.asked_at = time.time()
        if self._watch is None:
            self._watch = asyncio.create_task(self._look_on())
        copy, again = self.shelf.get(question.key), scope.get(ENVIRON, {}).get(AGAIN) == "again"
        if copy is not None:
            self._follow(copy, now)
            if self._is_right(copy, now):
                return copy
            young = now - copy.right_at
            if young < self.pace.fresh and now - copy.born < LIFE and not self._is_hard(copy):
                if not again:
                    return copy
                await asyncio.sleep(self.pace.fresh - young)  # it has this one already
            if self._may_stay(copy, now) and not again:
                self._make(question, scope)
                return copy
        elif self._alone.get(question.key, 0.0) > now:
            return None
        making, address = self._make(question, scope), self.clients.address(scope)
        if making.address != address:
            await asyncio.wait({making.task}, timeout=ANOTHER)
            if making.is_stuck():  # behind much else that this address asks for
                making = self._make(question, scope, b"\n" + address.encode())
        return await asyncio.shield(making.task)

    def _is_right(self, copy: Copy, now: float) -> bool:
        if now - copy.born > LIFE:
            return False
        if self.looked_at < copy.born:
            return now - copy.born < EVERY
        if now - self.looked_at < 4 * EVERY and self._agrees(copy):
            copy.right_at = max(copy.right_at, self.looked_at)
            return True
        return False

    def _agrees(self, copy: Copy) -> bool:
        return all(self.states.get(name) == state for name, state in copy.states.items())

    def _is_hard(self, copy: Copy) -> bool:
        """Whether something else than results has changed."""
        return self.looked_at >= copy.born and any(
            name.startswith(HARD) and self.states.get(name, state) != state for name, state in copy.states.items()
        )

    def _may_stay(self, copy: Copy, now: float) -> bool:
        """Whether it may be sent once more although it is not right."""
        bound = min(1.0, self.pace.bound) if self._is_hard(copy) else self.pace.bound
        return now - copy.right_at < bound and now - copy.born < LIFE + bound

    def _follow(self, copy: Copy, now: float) -> None:
        for name in copy.states:
            self._names[name] = now

    # Making -----------------------------------------------------------------------------------------------------------

    def _make(self, question: Question, scope: Scope, own: bytes = b"") -> Making:
        """A new copy, made once for all who ask for it now. `own`: names an address that does not wait for others."""
        name = question.key + own
        making = self._making.get(name)
        if making is None:
            making = self._making[name] = Making(self.clients.address(scope))
            making.task = asyncio.create_task(self._made(question, scope, making, is_first=not own))
            making.task.add_done_callback(lambda done: self._forget(name, done))
        return making

    def _forget(self, key: bytes, done: asyncio.Task[Copy | None]) -> None:
        self._making.pop(key, None)
        if not done.cancelled() and (error := done.exception()) is not None and not isinstance(error, Full):
            logger.error("a copy of a page could not be made", exc_info=error)

    async def _made(self, question: Question, scope: Scope, making: Making, *, is_first: bool) -> Copy | None:
        asked = time.time()
        found, mine = await self.store.take(question.key) if is_first else (None, True)
        until = time.monotonic() + OTHERS
        while True:
            if (copy := self._usable(question.key, found)) is not None:
                if mine:
                    await self.store.put(question.key, None)
                return copy
            if mine or time.monotonic() > until:
                break
            await asyncio.sleep(0.03)
            found, mine = await self.store.take(question.key)
        copy = None
        try:
            copy = await self._in_turn(question, scope, making, asked)
        finally:
            shared = copy is not None and copy.shared
            await self.store.put(question.key, copy.packed() if copy is not None and shared else None)
        now = time.time()
        if copy is None or not shared:
            self.shelf.drop(question.key)
            if copy is None:
                self._leave_alone(question.key, now)
            return copy
        self._follow(copy, now)
        self.shelf.put(question.key, copy)
        return copy

    def _usable(self, key: bytes, data: bytes | None) -> Copy | None:
        """A copy of another process, if it is newer than ours and as far as we know right."""
        copy = unpacked(data) if data is not None else None
        now = time.time()
        if copy is None or not -LIFE < now - copy.born < LIFE:
            return None
        mine = self.shelf.get(key)
        if mine is not None and mine.born >= copy.born:
            return None
        known = all(name in self.states for name in copy.states)
        right = self.looked_at >= copy.born and known and self._agrees(copy)
        if not right and (now - copy.born > self.pace.fresh or self._is_hard(copy)):
            return None
        self._follow(copy, now)
        self.shelf.put(key, copy)
        return copy

    def _leave_alone(self, key: bytes, now: float) -> None:
        if len(self._alone) >= MOST_ALONE:
            self._alone.clear()
        self._alone[key] = now + ALONE

    async def _in_turn(self, question: Question, scope: Scope, making: Making, asked: float) -> Copy | None:
        """Ask the application when it is this address's turn, unless somebody else's came first."""
        making.waits = True
        await self._free.take(making.address)
        making.waits = False
        try:
            copy = self.shelf.get(question.key)
            return copy if copy is not None and copy.made >= asked else await self._ask(question, scope)
        finally:
            self._free.give_back(making.address)

    async def _ask(self, question: Question, scope: Scope) -> Copy | None:
        """Ask the application. None: it answers each client with something of their own."""
        asked = {
            **scope, "method": "GET", "query_string": question.query, "headers": question.headers,
            ENVIRON: {RENDERS: self.pace.fresh}, TURN: "",
        }  # fmt: skip
        start: Message = {}
        body = bytearray()

        async def take(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                body.extend(message.get("body", b""))

        born = time.time()
        await self.app(asked, _nothing_more, take)
        cost = time.time() - born
        self.pace.made(cost)
        if not start or any(name == b"set-cookie" for name, _ in start["headers"]):
            return None
        told = {name: value for name, value in start["headers"] if name in OURS}
        headers = [each for each in start["headers"] if each[0] not in OURS]
        behind = float(told.get(BEHIND_KEY, 0))
        states = dict(parse_qsl(told.get(STATES_KEY, b"").decode("latin-1")))
        revision = told.get(REVISION_KEY, b"").decode("latin-1")
        run = asyncio.get_running_loop().run_in_executor
        copy = await run(None, copy_of, start["status"], headers, bytes(body), states, revision, born - behind, cost)
        copy.made = born
        copy.shared = bool(states) and copy.size <= LARGEST
        return copy

    # Answering --------------------------------------------------------------------------------------------------------

    async def _give(self, copy: Copy, question: Question, scope: Scope, send: Send) -> None:
        if copy.shared and question.revision is not None and question.revision == copy.revision:
            await _send(send, 204, self._nothing_new(copy, scope))
            return
        encoding = copy.encoding(scope)
        headers = [*copy.headers, (b"vary", VARY)]
        if question.revision is not None:
            headers += self.pace.headers
        if copy.shared:
            headers += [(b"etag", copy.etag), (b"cache-control", b"no-cache")]
            sent = next((value for name, value in scope["headers"] if name == b"if-none-match"), b"")
            if sent and (sent.strip() == b"*" or copy.etag in [each.strip() for each in sent.split(b",")]):
                await _send(send, 304, [each for each in headers if each[0] != b"content-type"])
                return
        if encoding:
            headers.append((b"content-encoding", encoding))
        body = copy.body(encoding)
        headers.append((b"content-length", b"%d" % len(body)))
        await _send(send, copy.status, headers, b"" if scope["method"] == "HEAD" else body)

    def _nothing_new(self, copy: Copy, scope: Scope) -> list[Header]:
        headers = [*copy.headers, (b"vary", VARY), (b"cache-control", b"no-cache"), *self.pace.headers]
        if AGAIN in scope.get(ENVIRON, {}):
            results = {name: state for name, state in copy.states.items() if not name.startswith(HARD)}
            headers.append((HEADER, urlencode(results).encode()))
        return [each for each in headers if each[0] != b"content-type"]

    # Looking ----------------------------------------------------------------------------------------------------------

    async def _look_on(self) -> None:
        """Look at the subjects of copies that are asked for, for as long as anybody asks."""
        loop = asyncio.get_running_loop()
        failing = False
        try:
            while time.time() - self.asked_at < IDLE:
                try:
                    await self.look_once()
                    failing = False
                except Exception:
                    if not failing:
                        logger.exception("it is not known which copies of pages are right")
                    failing = True
                due = loop.time() + EVERY
                await asyncio.sleep(EVERY)
                self.pace.tick(loop.time() - due)
            await loop.run_in_executor(self._thread, self.look, ())
        finally:
            self._watch = None

    async def look_once(self) -> None:
        now = time.time()
        self._names = {name: at for name, at in self._names.items() if now - at < IDLE}
        found = await asyncio.get_running_loop().run_in_executor(self._thread, self.look, list(self._names))
        self.states, self.looked_at = dict(found), now


STATES_KEY, REVISION_KEY, BEHIND_KEY, READS_KEY = (name.lower().encode() for name in (STATES, REVISION, BEHIND, READS))
OURS = frozenset({STATES_KEY, REVISION_KEY, BEHIND_KEY})


async def _send(send: Send, status: int, headers: list[Header], body: bytes = b"") -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}
