"""Two games on the same deal in a browser: together to the first difference, then by trick; and without scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from games.engine import Fault, FaultKind
from tests.cast import make_cast
from tests.looks import each_look
from tests.tournaments import scenes
from tests.tournaments.records import Scripted
from tournaments.models import MatchSeat

pytestmark = pytest.mark.django_db(transaction=True)


def bots(seat: MatchSeat) -> Scripted:
    fault = Fault(FaultKind.GARBLED, "answered with something that is not a card", b"<h9>")
    return Scripted(fault, at=20) if seat.name == "Clubs" else Scripted()


@pytest.fixture
def url(live_server: Any) -> str:
    cast = make_cast(options={"target": 40})
    scenes.arm(cast.aces, cast.clubs)
    stage = scenes.stage_of(cast.contest, "Cup", duplicate=True)
    one, two, *_ = [scenes.play_match(it, bots, reconcile=False) for it in stage.matches.order_by("number")]
    here, there = (reverse("replay", args=[match.pk, 1]) for match in (one, two))
    return f"{live_server.url}{reverse('beside')}?one={here}&two={there}"


def at(page: Page, step: int) -> None:
    expect(page.locator("#beside")).to_have_attribute("data-step", f"{step}")


def test_both_step_together(page: Page, url: str, axe: Callable[[Page], None]) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(url)
    page.wait_for_selector("#beside.ready")
    root = page.locator("#beside")
    parting, last = (int(root.get_attribute(f"data-{name}") or -1) for name in ("parting", "last"))
    at(page, parting)
    expect(page.locator("#state")).to_have_text("The first difference.")
    page.keyboard.press("ArrowLeft")
    at(page, parting - 1)
    captions = page.locator(".caption").all_inner_texts()
    assert len(captions) == 2
    texts = [text.split(" (")[0] for text in captions]
    assert texts[0] == texts[1], "names differ where the players changed places, and nothing else"
    page.keyboard.press("d")
    at(page, parting)
    page.keyboard.press("ArrowRight")
    at(page, parting + 1)
    expect(page.locator("#state")).to_contain_text("by trick")
    for key, step in (("Home", 0), ("End", last), ("ArrowLeft", last - 1)):
        page.keyboard.press(key)
        at(page, step)
    page.locator('[data-nav="parting"]').click()
    at(page, parting)
    page.keyboard.press("2")
    expect(root).to_have_attribute("data-view", "1")
    assert complaints == []
    for _ in each_look(page):
        axe(page)
    # What the scripts show is what the server draws at that address.
    shown = page.locator(".position").all_inner_texts()
    page.reload()
    assert page.locator(".position").all_inner_texts() == shown


def test_without_scripts_every_control_is_a_link(browser: Browser, url: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 320, "height": 640})
    page = context.new_page()
    page.goto(url)
    parting = int(page.locator("#beside").get_attribute("data-parting") or -1)
    page.locator('[data-nav="next-card"]').click()
    at(page, parting + 1)
    page.locator('[data-nav="parting"]').click()
    at(page, parting)
    assert page.locator(".side").count() == 2
    page.wait_for_load_state()  # styles may come after the words
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()
