"""Streams of server-sent events: the same bytes for all, rights looked at again, and nobody waits for a slow one."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import pytest

from contest.server.web import streams
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


def test_who_comes_late_begins_with_the_film_and_who_comes_again_goes_on() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        first = Browser(app)
        portal.news = [film(0)]
        await until(lambda: first.names)
        portal.news = [piece(1), film(1, joins=True), piece(2)]
        await until(lambda: "a.2" in first.text)
        assert first.names == ["film", "piece", "piece"], "the second film is for those who come"
        late, again, lost = Browser(app), Browser(app, last_event_id="a.1"), Browser(app, last_event_id="b.1")
        await until(lambda: late.names and again.names and lost.names)
        assert (late.names, again.names, lost.names) == (["film", "piece"], ["piece"], ["film", "piece"])

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


def test_where_not_everybody_may_follow_each_must_come_back_and_misses_nothing() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        portal.lasts = 0.6
        gone, stays = Browser(app, cookie="aces gone"), Browser(app, cookie="aces stays", accept_encoding="gzip")
        portal.news = [film()]
        await until(lambda: gone.names and stays.names)
        portal.out.add("aces gone")  # logged out, in another window
        await until(lambda: gone.ended and stays.ended)
        assert gone.names == stays.names == ["film"], "their time was up, and nobody has asked for the others"
        assert gone.text.endswith("retry: 200\n\n")
        assert stays.text.endswith("retry: 200\n\n")
        refused = Browser(app, cookie="aces gone", last_event_id="a.0")
        await refused.task
        assert refused.start["status"] == 404
        portal.lasts = None
        back = Browser(app, cookie="aces stays")
        portal.news = [film(1)]
        await until(lambda: back.names)
        await asyncio.sleep(0.8)
        assert not back.ended

    run(story)


def test_who_has_logged_out_does_not_answer_for_the_others() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        first, second = Browser(app, cookie="aces first"), Browser(app, cookie="aces second")
        portal.news = [film()]
        await until(lambda: first.names and second.names)
        portal.out.add("aces first")
        portal.state = "2"
        await until(lambda: first.ended)
        portal.news = [piece(1)]
        await until(lambda: len(second.names) == 2)
        assert first.names == ["film", "lost"]
        portal.out.add("aces second")
        portal.state = "3"
        await until(lambda: second.ended)
        assert second.names == ["film", "piece", "lost"]

    run(story)


def test_a_right_that_ends_by_the_clock() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        portal.until = time.time() + 0.5
        browser = Browser(app)
        portal.news = [film()]
        await until(lambda: browser.names)
        portal.may = False
        await until(lambda: browser.ended)
        assert browser.names == ["film", "lost"]

    run(story)


def test_what_waits_while_the_right_is_looked_at_comes_once() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        browser = Browser(app)
        portal.news = [film()]
        await until(lambda: browser.names)
        portal.state = "2"
        portal.news = [piece(1)]
        late = Browser(app)
        await until(lambda: "a.1" in browser.text and "a.1" in late.text)
        assert browser.names == late.names == ["film", "piece"]

    run(story)


def test_a_slow_client_delays_nobody_and_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BEHIND", 2000)

    async def story(portal: Portal, app: Streams) -> None:
        slow, quick = Browser(app), Browser(app)
        portal.news = [film()]
        await until(lambda: slow.names and quick.names)
        slow.block = asyncio.Event()
        for number in range(1, 100):
            portal.news = [*portal.news, piece(number)]
        await until(lambda: "a.99" in quick.text)
        portal.news = [piece(number) for number in range(100, 200)]
        await until(lambda: slow.aborted)
        await until(lambda: "a.199" in quick.text)
        slow.block.set()

    run(story)


def test_one_that_reads_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "STALLED", 0.3)

    async def story(portal: Portal, app: Streams) -> None:
        stuck = Browser(app)
        await until(lambda: stuck.body)
        stuck.block = asyncio.Event()
        portal.news = [film()]
        await until(lambda: stuck.aborted)
        stuck.block.set()

    run(story)


def test_silence_is_broken_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 0.2)

    async def story(portal: Portal, app: Streams) -> None:
        browsers = Browser(app), Browser(app, accept_encoding="gzip")
        await until(lambda: all(each.text.count("\n:\n") >= 2 for each in browsers))

    run(story)


def test_there_is_a_limit_shared_with_those_who_wait() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        app.most = 2
        here = [Browser(app), Browser(app)]
        await until(lambda: app.followers == 2)
        third = Browser(app)
        await third.task
        assert third.start["status"] == 503
        here[0].leave()
        await until(lambda: app.followers == 1)
        portal.news = [film()]
        fourth = Browser(app)
        await until(lambda: fourth.names)

    run(story)


def test_a_network_and_an_account_have_limits_of_their_own() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        portal.limits = {"address 1": 3, "account 7": 2}
        own = [Browser(app), Browser(app)]
        await until(lambda: app.followers == 2)
        third = Browser(app)
        await third.task
        assert (third.start["status"], third.start["headers"][3]) == (429, (b"retry-after", b"10"))
        portal.limits = {"address 1": 3}
        guest = Browser(app)
        await until(lambda: app.followers == 3)
        refused = Browser(app)
        await refused.task
        assert refused.start["status"] == 429
        portal.limits = {"address 2": 3}
        elsewhere = Browser(app)
        await until(lambda: app.followers == 4)
        for each in (*own, guest, elsewhere):
            each.leave()
        await until(lambda: app.followers == 0)
        assert app._open == {}, "whoever leaves makes room"

    run(story)


def test_at_the_end_everybody_is_let_go() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        browsers = [Browser(app) for _ in range(3)]
        await until(lambda: all(each.body for each in browsers))
        app.stop()
        await until(lambda: all(each.ended for each in browsers))
        assert "retry: 2000" in browsers[0].text

    run(story)


def test_a_page_is_answered_as_ever() -> None:
    async def story(portal: Portal, app: Streams) -> None:
        portal.may = False
        browser = Browser(app, accept="text/html")
        browser.scope[ENVIRON] = {FOLLOWS: ""}
        await browser.task
        assert bytes(browser.body) == b"no"

    run(story)
