"""A replay in a frame of another site: it fits, it may be framed, it listens to keys only when it has the focus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.cast import make_cast
from tests.looks import each_look
from tests.tournaments import scenes
from tests.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

AROUND = """<!doctype html><html lang="en"><title>A blog</title><button id="before">Before</button>
<iframe id="frame" src="{}" width="600" height="200" title="A game"></iframe><button id="after">After</button>
<script>
window.heights = [];
addEventListener("message", (event) => {{
  if (event.data?.kibitz !== "height") return;
  heights.push(event.data.height);
  document.querySelector("#frame").height = event.data.height;
}});
</script>"""


@pytest.fixture
def replay(live_server: Any) -> str:
    cast = make_cast(options={"target": 25})
    scenes.arm(cast.aces, cast.clubs)
    match = scenes.play_match(scenes.stage_of(cast.contest, "Cup").matches.get())
    return f"{live_server.url}{reverse('replay', args=[match.pk, 1])}"


@pytest.fixture
def blog(replay: str) -> Iterator[Callable[[str], str]]:
    """Serves a page of another site with an address in a frame: `blog(address)` is where it is."""
    pages: dict[str, str] = {}

    class Blog(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages["it"].encode())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Blog)
    Thread(target=server.serve_forever, daemon=True).start()

    def serve(address: str) -> str:
        pages["it"] = AROUND.format(address)
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    server.shutdown()
    server.server_close()


def test_it_fits_and_keeps_the_keys_to_itself(page: Page, replay: str, blog: Callable[[str], str]) -> None:
    page.goto(blog(f"{replay}embed/?ply=9"))
    frame = page.frame_locator("#frame")
    root = frame.locator("#replay")
    expect(root).to_have_class("replay ready")
    expect(root).to_have_attribute("data-ply", "9")
    page.wait_for_function("heights.length && heights.at(-1) > 300")
    inner = page.frames[1]  # of another site, so it has a process of its own and learns of its new size a moment later
    fits = "document.documentElement.scrollHeight - innerHeight <= 1"
    wait_for(lambda: inner.evaluate(fits), lambda: "something is cut off")
    page.locator("#frame").evaluate("it => (it.width = 320)")
    page.wait_for_function("new Set(heights).size > 1")
    wait_for(lambda: inner.evaluate("innerWidth") == 320)
    wait_for(lambda: inner.evaluate(fits), lambda: "something is cut off on a phone")
    assert inner.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#before").focus()
    page.keyboard.press("ArrowRight")
    expect(root).to_have_attribute("data-ply", "9")
    frame.locator('[data-nav="next-card"]').click()
    expect(root).to_have_attribute("data-ply", "10")
    page.keyboard.press("ArrowRight")
    expect(root).to_have_attribute("data-ply", "11")
    for _ in range(60):  # the focus is not caught
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "after":
            break
    assert page.evaluate("document.activeElement.id") == "after"
    assert inner.url.endswith("ply=11")
    link = frame.locator("h1 a")
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener")


def test_the_replay_offers_the_code_of_a_frame(page: Page, replay: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{replay}?ply=9&view=1")
    page.wait_for_selector("#replay.ready")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay")).to_have_attribute("data-ply", "10")
    page.get_by_role("button", name="Embed").click()
    expect(page.locator("#said")).to_contain_text("is copied")
    code = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")  # with a content security policy of its own, not the portal's
    page.set_content(code)
    frame = page.locator("iframe")
    assert frame.get_attribute("src") == f"{replay}embed/?ply=10&view=1"
    assert (frame.get_attribute("width"), frame.get_attribute("height")) == ("800", "880")


def test_only_the_page_for_frames_may_be_framed(page: Page, replay: str, blog: Callable[[str], str]) -> None:
    page.goto(blog(replay))
    page.wait_for_load_state("networkidle")
    assert page.frames[1].locator("#replay").count() == 0


def test_axe_finds_nothing(page: Page, replay: str, axe: Callable[[Page], None]) -> None:
    page.goto(f"{replay}embed/?ply=9")
    page.wait_for_selector("#replay.ready")
    for _ in each_look(page):
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        axe(page)
