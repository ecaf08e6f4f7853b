"""What only a browser can show, once each: an upload, a bracket, a replay by its keys, a phone, axe, and no scripts.

All other tests in Chromium are in the part `browser`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from contest.models import User
from submissions.process import process
from tests.browser.test_replay import at, cast, complaints, match, ply, ready, table_and_steps_are_on_one_screen, url
from tests.cast import Cast, make_cast
from tests.looks import each_look
from tests.tournaments import scenes
from tournaments.models import Match

__all__ = ["cast", "complaints", "match", "url"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_program_is_uploaded_and_its_news_come_by_themselves(
    page: Page, live_server: Any, log_in: Callable[[Page, User], None], complaints: list[str]
) -> None:
    cast = make_cast(preset="open", options={"target": 30}, languages=["python"])
    log_in(page, cast.alice)
    page.goto(live_server.url + reverse("my-team", args=[cast.contest.slug]))
    source = (cast.contest.game.folder / "kit" / "random_player.py").read_bytes()
    page.get_by_label("Source file").set_input_files({"name": "shark.py", "mimeType": "", "buffer": source})
    page.get_by_role("button", name="Upload").click()
    row = page.get_by_role("row", name="Version 1")
    expect(row).to_contain_text("Queued")
    version = cast.aces.submissions.get()
    assert bytes(version.source) == source
    process(version.pk)
    expect(row).to_contain_text("Ready")
    assert complaints == []


def test_a_bracket_fills_in_while_one_watches(page: Page, live_server: Any, complaints: list[str]) -> None:
    contest = scenes.small_contest(name="Autumn Cup")
    scenes.enter(contest, 8)
    stage = scenes.stage_of(contest, advance=2)
    page.goto(f"{live_server.url}{stage.get_absolute_url()}")
    expect(page.locator(".box .badge", has_text="queued")).to_have_count(2)
    scenes.play_match(stage.matches.first())
    expect(page.locator(".box .badge", has_text="played")).to_have_count(1)
    scenes.play_all(stage)
    expect(page.locator(".champion")).to_contain_text("Champion:")
    assert page.locator("#bracket").get_attribute("hx-trigger") is None
    assert complaints == []


def test_a_replay_obeys_its_keys(page: Page, url: str, match: Match, complaints: list[str]) -> None:
    events = match.record.loaded()["events"]
    last = len(events) - 1
    tricks = [index for index, event in enumerate(events) if event["event"] == "trick"]
    deals = [index for index, event in enumerate(events) if event["event"] == "hand"]
    fault = next(index for index, event in enumerate(events) if event["event"] == "fault")
    won, names = events[-1]["winner"], [seat["name"] for seat in match.record.loaded()["seats"]]
    ready(page, url)
    expect(page.locator(".chart .name").first).to_be_visible()
    steps: list[tuple[str, int]] = [
        ("ArrowRight", 1), ("l", 2), ("ArrowLeft", 1), ("j", 0), ("ArrowLeft", 0), ("ArrowDown", tricks[0]),
        ("ArrowDown", tricks[1]), ("ArrowUp", tricks[0]), ("]", deals[1]), ("]", deals[2]), ("[", deals[1]),
        ("End", last), ("ArrowRight", last), ("Home", 0), ("e", fault), ("Home", 0),
    ]  # fmt: skip
    for key, expected in steps:
        page.keyboard.press(key)
        at(page, expected)
    swings = page.locator(".swings a").evaluate_all("found => found.map((it) => Number(it.dataset.ply))")
    assert 0 < len(swings) <= 5
    for swing in (each for each in swings if each):
        page.keyboard.press("s")
        at(page, swing)
    page.keyboard.press("Shift+L")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.press("s")  # in a field it is a letter
    at(page, swings[-1])
    page.locator("#search").fill("")
    page.locator("#search").blur()
    for key, view in (("1", "0"), ("4", "3"), ("x", "hidden"), ("o", "table")):
        page.keyboard.press(key)
        expect(page.locator("#replay")).to_have_attribute("data-view", view)
        expect(page.locator(f'.views [data-view="{view}"]')).to_have_attribute("aria-current", "true")
        over = names[int(view)] if view in set("0123") - {str(won)} else "the next"
        expect(page.locator("#swings-title")).to_contain_text(f"over {over}")
    page.keyboard.press("f")
    expect(page.locator("#replay")).to_have_attribute("data-rotate", "1")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    panel = page.locator("#help article")
    assert panel.evaluate("it => getComputedStyle(it).backgroundColor") == "rgb(255, 255, 255)"
    assert panel.evaluate("it => parseFloat(getComputedStyle(it).paddingLeft)") >= 16
    page.keyboard.press("ArrowRight")
    assert ply(page) == swings[-1]  # keys do nothing while the list is open
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    assert complaints == []


def test_on_a_phone_table_and_steps_are_on_one_screen(page: Page, url: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    ready(page, f"{url}?ply=20")
    table_and_steps_are_on_one_screen(page, 844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_axe_finds_nothing(page: Page, live_server: Any, cast: Cast, match: Match, axe: Callable[[Page], None]) -> None:
    for address in (
        cast.contest.get_absolute_url(),
        match.stage.get_absolute_url(),
        reverse("standings", args=[cast.contest.slug]),
        reverse("replay", args=[match.pk, 1]),
    ):
        page.goto(f"{live_server.url}{address}")
        for _, width in each_look(page):
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
            axe(page)


def test_without_a_script_a_replay_works_with_links(browser: Browser, url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(url)
    expect(page.locator('[data-act="play"]')).to_be_hidden()
    expect(page.locator(".scrub")).to_be_hidden()
    page.locator('[data-nav="next-card"]').click()
    expect(page).to_have_url(f"{url}?ply=1")
    page.locator('[data-nav="next-round"]').click()
    expect(page.locator("#where")).to_have_text("Round 2")
    page.locator(".views a", has_text="East").click()
    expect(page.locator(".views [aria-current]")).to_have_text("East")
    expect(page.locator(".felt .card.back")).to_have_count(30)
    page.locator('[data-nav="next-fault"]').click()
    expect(page.locator("#decision")).to_contain_text("Unreadable answer")
    page.locator('[data-nav="last"]').click()
    expect(page.locator("#caption")).to_contain_text("wins the game")
    context.close()
