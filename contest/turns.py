"""How many requests are worked on at once, each in a thread. `Strangers` says which `turn` one waits for."""

from __future__ import annotations

from asyncio import Semaphore, create_task, shield, wait
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from time import time
from typing import Any, Literal, cast

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import async_only_middleware

from contest.permissions import revision_of


class Turns(Semaphore):
    """Two at once."""

    def __init__(self) -> None:
        super().__init__(2)
        self.waiting = 0

    async def acquire(self) -> Literal[True]:
        self.waiting += 1
        try:
            return await super().acquire()
        finally:
            self.waiting -= 1


@async_only_middleware
def middleware(get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> Any:
    """A request has its turn from when it has arrived until its answer begins: slow connections take none, and hold no
    connection to the database."""

    async def answer(request: HttpRequest) -> HttpResponseBase:
        scope: dict[str, Any] = getattr(request, "scope", {})  # runserver's have none
        turn: Semaphore = scope.get("turn") or Semaphore()
        await turn.acquire()
        making = create_task(make(request, scope))
        making.add_done_callback(lambda _: turn.release())
        try:
            return await shield(making)
        finally:  # its thread is never left alone, even if nobody waits for the answer
            await wait([making])

    async def make(request: HttpRequest, scope: dict[str, Any]) -> HttpResponseBase:
        scope["began"] = time()
        try:
            response = await get_response(request)
        finally:
            await sync_to_async(close_old_connections)()
        scope["revision"] = revision_of(request)
        if request.method == "HEAD" and isinstance(response, HttpResponse):
            response.content = b""  # else the web server warns that it sends none
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = flowing(filter(None, cast("Iterator[bytes]", response.streaming_content)))
        return response

    return answer


async def flowing(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """A stream whose pieces are made in a thread one by one, as they are sent."""
    while piece := await sync_to_async(lambda: next(pieces, b""))():
        yield piece
