"""The portal's pages as the web server gives them to strangers: from copies, with the real plan, cache and states.

The event loop has a thread of its own. The application and the looks at states run in the test's, which waits for the
answer meanwhile: so they see the test's transaction."""

from __future__ import annotations

import asyncio
import gzip
import io
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import brotli
from django.conf import settings
from django.db import connection
from django.test.client import ClientHandler

from contest import changes, shared_pages, waiting
from contest.server.web.asgi import Receive, Scope, Send
from contest.server.web.shared import Shared
from contest.server.web.store import Store
from contest.server.web.threads import environ_of


class OfTheTest(Executor):
    """Runs everything in the thread that calls `until`."""

    def __init__(self) -> None:
        self.given: SimpleQueue[Callable[[], None] | None] = SimpleQueue()

    def submit(self, call: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        found: Future[Any] = Future()

        def run() -> None:
            if not found.set_running_or_notify_cancel():
                return
            try:
                found.set_result(call(*args, **named))
            except Exception as error:
                found.set_exception(error)

        self.given.put(run)
        return found

    def until(self, done: Future[Any]) -> Any:
        done.add_done_callback(lambda _: self.given.put(None))
        while (run := self.given.get(timeout=120)) is not None:
            run()
        return done.result()


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Copies:
    """A process of the web server. `exact`: a copy that is not right any more is never sent."""

    def __init__(self, *, exact: bool = True, url: str = "") -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.test = OfTheTest()
        self.handler = ClientHandler(enforce_csrf_checks=False)
        self.asked = 0  # requests that the application has answered
        store = Store(url or settings.CACHE_URL, "tests")
        self.shared = Shared(self._app, shared_pages.plan, waiting._read, store, shared_pages.reader)
        self.shared._thread = self.test  # type: ignore[assignment]
        if exact:
            self.shared.pace.stretch = 0.0
            self.shared.pace.tick = lambda lag=0.0: None  # type: ignore[method-assign]

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        answered = self.loop.run_in_executor(self.test, self._answered, environ_of(scope, io.BytesIO(), 0))
        status, headers, body = await answered
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _answered(self, environ: dict[str, Any]) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        response = self.handler(environ)
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in response.items()]
        headers += [(b"set-cookie", morsel.OutputString().encode()) for morsel in response.cookies.values()]
        return response.status_code, headers, b"".join(response)

    def _run(self, what: Coroutine[Any, Any, Any]) -> None:
        self.test.until(asyncio.run_coroutine_threadsafe(what, self.loop))

    def ask(self, address: str, method: str = "GET", **headers: str) -> Answer:
        parts = urlsplit(address)
        told = {"host": "testserver", **{name.replace("_", "-").lower(): value for name, value in headers.items()}}
        scope: Scope = {
            "type": "http", "method": method, "scheme": "http", "http_version": "1.1", "server": ("testserver", 80),
            "client": ("127.0.0.1", 1), "path": parts.path, "raw_path": parts.path.encode("latin-1"),
            "query_string": parts.query.encode("latin-1"),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in told.items()],
        }  # fmt: skip
        answer = Answer(0, {}, b"")

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {name.decode(): value.decode("latin-1") for name, value in message["headers"]}
            else:
                answer.body += message.get("body", b"")

        self._run(self._answer(scope, send))
        match answer.headers.get("content-encoding") if method != "HEAD" else None:
            case "br":
                answer.body = brotli.decompress(answer.body)
            case "gzip":
                answer.body = gzip.decompress(answer.body)
        return answer

    async def _answer(self, scope: Scope, send: Send) -> None:
        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        await self.shared(scope, receive, send)

    def commit(self) -> None:
        """What would follow, for copies, if the test's transaction ended here."""
        noted = connection.run_on_commit
        if any(entry[1] is changes.told for entry in noted):
            changes.told()
        noted[:] = [entry for entry in noted if entry[1] is not changes.told]

    def look(self) -> None:
        """What the server does four times a second."""
        self._run(self.shared.look_once())

    def may_copy(self, address: str) -> bool:
        parts = urlsplit(address)
        target = {"raw_path": parts.path.encode(), "query_string": parts.query.encode()}
        scope = {"method": "GET", "scheme": "http", "headers": [(b"host", b"testserver")], **target}
        return shared_pages.plan(scope) is not None

    def close(self) -> None:
        self._run(self._gone())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def _gone(self) -> None:
        self.shared.asked_at = 0.0  # nobody asks any more
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        if self.shared.store._client is not None:
            await self.shared.store._client.aclose()
