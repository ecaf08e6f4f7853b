"""Somebody can step through a replay before all of its page has come."""

from __future__ import annotations

import re
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.cast import make_cast
from tests.tournaments import scenes

pytestmark = pytest.mark.django_db(transaction=True)

STARTS = '<script type="module" async src="/static/js/replay.js"></script>'
LATER = re.compile(r"/static/(css/(below|charts)\.css|js/(page|take|replay_more)\.js)")


class Slow(ThreadingHTTPServer):
    """Passes requests on to the portal, and keeps back what a reader can step without until it is let go."""

    daemon_threads = True

    def __init__(self, portal: str) -> None:
        super().__init__(("127.0.0.1", 0), Passing)
        self.portal, self.go_on, self.asked = portal, threading.Event(), set[str]()


class Passing(BaseHTTPRequestHandler):
    server: Slow

    def do_GET(self) -> None:
        self.server.asked.add(self.path)
        if LATER.match(self.path):
            self.server.go_on.wait(60)
        request = urllib.request.Request(self.server.portal + self.path)
        with urllib.request.urlopen(request) as answer:
            body: bytes = answer.read()
            self.send_response(answer.status)
            for name in ("Content-Type", "Content-Security-Policy"):
                if value := answer.headers.get(name):
                    self.send_header(name, value)
            self.end_headers()
        first, cut, rest = body.partition(STARTS.encode())
        self.wfile.write(first + cut)
        self.wfile.flush()
        if cut:
            self.server.go_on.wait(60)
            self.wfile.write(rest)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def slow(live_server: Any) -> Iterator[Slow]:
    server = Slow(live_server.url)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.go_on.set()
    server.shutdown()
    server.server_close()


def test_stepping_needs_no_more_than_the_page_up_to_the_moves(page: Page, slow: Slow) -> None:
    cast = make_cast(options={"target": 60})
    scenes.arm(cast.aces, cast.clubs)
    match = scenes.play_match(scenes.stage_of(cast.contest, "Cup").matches.get())
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    replay = page.locator("#replay")
    address = f"http://127.0.0.1:{slow.server_port}{reverse('replay', args=[match.pk, 1])}"
    page.goto(address, wait_until="commit")
    expect(replay).to_have_class(re.compile(r"\bready\b"))
    page.keyboard.press("ArrowRight")
    expect(replay).to_have_attribute("data-ply", "1")
    page.keyboard.press("1")
    expect(replay).to_have_attribute("data-view", "0")
    expect(page.locator("#moves a[data-ply]").first).to_be_visible()
    assert page.locator("#help, .rounds, .thinking, footer").count() == 0
    page.keyboard.press("?")  # not there yet
    table = page.locator(".felt").bounding_box()

    slow.go_on.set()
    expect(page.locator(".chart .cursor")).to_be_attached()
    expect(page.locator(".scores a[data-ply]").last).to_have_attribute("href", re.compile(r"view=0"))
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    assert page.locator(".felt").bounding_box() == table, "nothing moves when the rest comes"
    assert not complaints
    assert {name for path in slow.asked if (found := LATER.match(path)) for name in found.groups()} > {"below", "page"}
