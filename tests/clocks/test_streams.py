"""Streams of server-sent events: the same bytes for all, rights looked at again, and nobody waits for a slow one."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from contest.server.web.asgi import ABORT, ENVIRON
from contest.server.web.streams import FOLLOWS, HEADER, News, Streams
from tests import loops


class Portal:
    """What stands behind the event loop: an application that decides, and what is new."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.may = True
        self.state = "1"
        self.news: list[News] = []
        self.until: float | None = None
        self.lasts: float | None = None
        self.limits: dict[str, int] = {}
        self.out: set[str] = set()  # who may not follow for reasons of their own

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        who = dict(scope["headers"]).get(b"cookie", b"anybody").decode()
        self.asked.append((scope[ENVIRON][FOLLOWS], who))
        headers = [(b"content-type", b"text/html"), (b"content-length", b"2")]
        if may := self.may and who not in self.out:
            subjects = {"public:1": self.state}
            told = {"topic": "t", "audience": who.partition(" ")[0], "subjects": subjects, "until": self.until}
            headers.append((HEADER, json.dumps(told | {"lasts": self.lasts, "limits": self.limits}).encode()))
        await send({"type": "http.response.start", "status": 200 if may else 404, "headers": headers})
        await send({"type": "http.response.body", "body": b"no"})

    def read(self, topics: Collection[str]) -> dict[str, list[News]]:
        news, self.news = self.news, []
        return {"t": news} if topics else {}

    def look(self, names: Collection[str]) -> dict[str, str]:
        return dict.fromkeys(names, self.state)


class Browser:
    """A client of the streams, at the level of ASGI."""

    def __init__(self, app: Streams, **headers: str) -> None:
        told = {"accept": "text/event-stream", **headers}
        self.aborted = False
        self.scope = {
            "method": "GET",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in told.items()],
            ABORT: self._abort,
        }
        self.start: dict[str, Any] = {}
        self.body = bytearray()
        self.ended = False
        self.left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.block: asyncio.Event | None = None
        self.task = asyncio.create_task(app(self.scope, self._receive, self._send))

    def _abort(self) -> None:
        self.aborted = True
        self.leave()

    def leave(self) -> None:
        if not self.left.done():
            self.left.set_result(None)

    async def _receive(self) -> dict[str, Any]:
        await self.left
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.start = message
            return
        if self.block is not None:
            await self.block.wait()
        self.body += message["body"]
        self.ended = not message.get("more_body", False)

    @property
    def text(self) -> str:
        packed = dict(self.start.get("headers", ())).get(b"content-encoding") == b"gzip"
        found = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(bytes(self.body)) if packed else bytes(self.body)
        return found.decode()

    @property
    def names(self) -> list[str]:
        return [line[7:] for line in self.text.splitlines() if line.startswith("event: ")]


async def until(condition: Callable[[], Any], seconds: float = 60) -> None:
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends
        await asyncio.sleep(0.01)


def run(story: Callable[[Portal, Streams], Awaitable[None]]) -> Portal:
    portal = Portal()

    async def tell() -> None:
        app = Streams(portal.app, portal.read, portal.look)
        await story(portal, app)
        app.stop()
        await asyncio.sleep(0.05)

    loops.run(tell())
    return portal


def film(number: int = 0, **more: bool) -> News:
    return News(f"a.{number}", "film", json.dumps({"ply": number}), begins=True, **more)


def piece(number: int) -> News:
    return News(f"a.{number}", "piece", json.dumps({"from": number}))


def test_all_get_the_same_and_the_application_is_asked_once_for_an_audience() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        crowd = [Browser(app, **({"accept_encoding": "gzip, br"} if number % 2 else {})) for number in range(40)]
        portal.news = [film()]
        await until(lambda: all(each.names for each in crowd))
        portal.news = [piece(1), piece(2)]
        await until(lambda: all(len(each.names) == 3 for each in crowd))
        assert len({each.text for each in crowd}) == 1
        portal.asked.clear()
        portal.state = "2"
        await until(lambda: portal.asked)
        portal.news = [piece(3)]
        await until(lambda: all(len(each.names) == 4 for each in crowd))
        assert portal.asked == [("again", "anybody")]
        headers = dict(crowd[1].start["headers"])
        assert headers[b"content-type"].startswith(b"text/event-stream")
        assert headers[b"cache-control"] == b"no-store"
        assert headers[b"x-accel-buffering"] == b"no"
        assert HEADER not in headers

    run(story)


def test_nothing_is_sent_that_came_after_the_right_was_lost() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        browser = Browser(app)
        portal.news = [film()]
        await until(lambda: browser.names)
        portal.may, portal.state = False, "2"
        portal.news = [piece(1)]
        await until(lambda: browser.ended)
        assert browser.names == ["film", "lost"]
        refused = Browser(app)
        await refused.task
        assert refused.start["status"] == 404

    run(story)
