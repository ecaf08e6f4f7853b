"""The portal's pages as the web server gives them to strangers (contest/strangers.py), with time standing still."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Coroutine, Iterator
from contextvars import Context
from io import BytesIO
from itertools import count
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote, urlsplit

from django.core.cache.backends.locmem import LocMemCache
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from contest import strangers


class Answer:
    def __init__(self, response: Any) -> None:
        self.status, self.headers, self.body = response.status_code, response.headers, b""
        if not response.streaming:
            self.body = response.content
        if self.headers.get("Content-Encoding") == "gzip":
            self.body = gzip.decompress(self.body)
        self.cookies = response.cookies

    @property
    def text(self) -> str:
        return self.body.decode()


NUMBERS = count(1)


class Copies:
    """A process of the web server. The portal answers in the test's own thread, so it sees the test's transaction."""

    def __init__(self) -> None:
        self.handler = BaseHandler()
        self.handler.load_middleware()
        self.strangers = strangers.Strangers(self._made)
        self.strangers.kept = LocMemCache(f"copies {next(NUMBERS)}", {})
        self.asked = 0  # requests that the portal has answered
        self.now = 1e9
        self.tasks: list[Task] = []
        self.meanwhile: Callable[[], object] = lambda: None  # what happens while a page is made

    async def _made(self, request: HttpRequest) -> HttpResponseBase:
        self.asked += 1
        response = self.handler.get_response(request)
        vars(response)["close"] = lambda: None  # it would close the test's connection to the database
        self.meanwhile()
        return response

    def ask(self, address: str, **headers: str) -> Answer:
        with patch.multiple(
            strangers,
            sync_to_async=at_once,
            create_task=self._begin,
            shield=lambda task: task,
            time=lambda: self.now,
        ):
            return Answer(self.result_of(self.strangers(request_of(address, **headers))))

    def look(self) -> None:
        """So much time passes that what was made before is given once more, and made anew."""
        self.now += strangers.FRESH

    def later(self) -> None:
        """So much time passes that nothing is good any more."""
        self.now += strangers.KEPT

    def may_copy(self, address: str) -> bool:
        return strangers.is_stranger(request_of(address))

    def _begin(self, coroutine: Coroutine[Any, Any, Any], context: Context) -> Task:
        self.tasks.append(Task(coroutine))
        return self.tasks[-1]

    def result_of(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Of one that waits for tasks only. It needs no loop: a browser of another test may have one in this thread."""
        while True:
            try:
                coroutine.send(None)
            except StopIteration as done:
                self._work()
                return done.value
            self._work()

    def _work(self) -> None:
        """Let each task go on to its end."""
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


def at_once(call: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
    """In place of a thread."""

    async def called(*args: Any) -> Any:
        return call(*args)

    return called


def request_of(address: str, **headers: str) -> ASGIRequest:
    parts = urlsplit(address)
    told = {"host": "testserver", **{name.replace("_", "-").lower(): value for name, value in headers.items()}}
    scope = {
        "type": "http", "method": "GET", "scheme": "http", "server": ("testserver", 80), "client": ("127.0.0.1", 1),
        "path": unquote(parts.path), "query_string": parts.query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in told.items()],
    }  # fmt: skip
    return ASGIRequest(scope, BytesIO())
