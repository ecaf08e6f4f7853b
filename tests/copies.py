"""The portal's pages as the web server gives them to strangers (contest/strangers.py), with time standing still."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Coroutine
from io import BytesIO
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote, urlsplit

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


class Copies:
    """A process of the web server. The portal answers in the test's own thread, so it sees the test's transaction."""

    def __init__(self) -> None:
        self.handler = BaseHandler()
        self.handler.load_middleware()
        self.strangers = strangers.Strangers(self._made)
        self.asked = 0  # requests that the portal has answered
        self.later()

    async def _made(self, request: HttpRequest) -> HttpResponseBase:
        self.asked += 1
        return self.handler.get_response(request)

    def ask(self, address: str, **headers: str) -> Answer:
        with patch.object(strangers, "KEPT", 3600), patch.object(strangers, "sync_to_async", at_once):
            return Answer(result(self.strangers(request_of(address, **headers))))

    def look(self) -> None:
        """The revision is looked at again, as twice a second."""
        self.strangers.read_at = 0.0

    def later(self) -> None:
        """So much time passes that nothing is good any more."""
        self.strangers.cache.clear()
        self.look()

    def may_copy(self, address: str) -> bool:
        return strangers.is_stranger(request_of(address))


def at_once(call: Callable[[], Any]) -> Callable[[], Coroutine[Any, Any, Any]]:
    """In place of a thread."""

    async def called() -> Any:
        return call()

    return called


def result(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Of one that waits for nothing. It needs no loop: a browser of another test may have one in this thread."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits for something")


def request_of(address: str, **headers: str) -> ASGIRequest:
    parts = urlsplit(address)
    told = {"host": "testserver", **{name.replace("_", "-").lower(): value for name, value in headers.items()}}
    scope = {
        "type": "http", "method": "GET", "scheme": "http", "server": ("testserver", 80), "client": ("127.0.0.1", 1),
        "path": unquote(parts.path), "query_string": parts.query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in told.items()],
    }  # fmt: skip
    return ASGIRequest(scope, BytesIO())
