"""The portal's pages as the web server gives them to strangers (contest/strangers.py), with time standing still."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Coroutine, Iterator
from io import BytesIO
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from django.core.cache.backends.locmem import LocMemCache
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.utils.datastructures import CaseInsensitiveMapping

from contest import strangers
from contest.permissions import revision_of


class Answer:
    def __init__(self, start: dict[str, Any], *pieces: dict[str, Any]) -> None:
        told = [(name.decode(), value.decode("latin-1")) for name, value in start["headers"]]
        self.status, self.headers = start["status"], CaseInsensitiveMapping(told)
        self.body = b"".join(piece.get("body", b"") for piece in pieces)
        if self.headers.get("Content-Encoding") == "gzip":
            self.body = gzip.decompress(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Copies:
    """A process of the web server. The portal answers in the test's own thread, so it sees the test's transaction."""

    def __init__(self) -> None:
        self.handler = ASGIHandler()
        self.handler.load_middleware()
        self.strangers = strangers.Strangers(self._portal)
        self.strangers.kept = LocMemCache(f"copies {uuid4()}", {})
        self.asked = 0  # requests that the portal has answered
        self.told: dict[bytes, bytes] = {}  # headers of the last one
        self.now = 1e9
        self.tasks: list[Task] = []
        self.meanwhile: Callable[[], object] = lambda: None  # what happens while a page is made

    async def _portal(self, scope: strangers.Scope, receive: strangers.Receive, send: strangers.Send) -> None:
        self.asked += 1
        self.told = dict(scope["headers"])
        await receive()
        scope["began"] = self.now
        request = ASGIRequest(scope, BytesIO())
        response = self.handler.get_response(request)
        self.meanwhile()
        scope |= {"revision": revision_of(request)}
        await self.handler.send_response(response, send)

    def ask(self, address: str, **headers: str) -> Answer:
        messages = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            messages.append(message)

        with patch.multiple(strangers, create_task=self._begin, shield=lambda task: task, time=lambda: self.now):
            self._run(self.strangers(scope_of(address, **headers), receive, send))
        return Answer(*messages)

    def look(self) -> None:
        """So much time passes that what was made before is given once more."""
        self.now += strangers.KEPT / 2

    def later(self) -> None:
        """So much time passes that nothing is good any more."""
        self.now += strangers.KEPT

    def may_copy(self, address: str) -> bool:
        return strangers.question_of(scope_of(address)) is not None

    def _begin(self, coroutine: Coroutine[Any, Any, Any]) -> Task:
        self.tasks.append(Task(coroutine))
        return self.tasks[-1]

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """One that waits for tasks only. It needs no loop: a browser of another test may have one in this thread."""
        asked = self._begin(coroutine)
        while not asked.is_done:
            for task in [*self.tasks]:
                try:
                    task.coroutine.send(None)
                except StopIteration as done:
                    task.result, task.is_done = done.value, True
                    self.tasks.remove(task)


class Task:
    """In place of a loop's."""

    is_done = False
    result: Any = None

    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self.coroutine = coroutine

    def __await__(self) -> Iterator[None]:
        while not self.is_done:
            yield
        return self.result


def scope_of(address: str, **headers: str) -> strangers.Scope:
    parts = urlsplit(address)
    told = {"host": "testserver", **{name.replace("_", "-").lower(): value for name, value in headers.items()}}
    return {
        "type": "http", "method": "GET", "scheme": "http", "server": ("testserver", 80), "client": ("127.0.0.1", 1),
        "path": unquote(parts.path), "query_string": parts.query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in told.items()],
    }  # fmt: skip
