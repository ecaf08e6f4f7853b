"""A game on paper: every deal of every game fits one page, A4 or Letter, and reads as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

import games
from games.engine import Game
from tests.looks import each_look
from tests.tournaments import scenes
from tests.tournaments.stagecraft import any_match
from tournaments.models import Match

pytestmark = pytest.mark.django_db(transaction=True)

EVERY = [pytest.param(game, id=game.slug) for game in games.GAMES.values()]


@pytest.fixture
def match(game: Game) -> Match:
    return any_match(game)


def printed_pages(page: Page, format: str) -> int:
    pdf = page.pdf(format=format, prefer_css_page_size=False, print_background=False)
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize("game", EVERY)
def test_every_deal_fits_a_page(page: Page, live_server: Any, match: Match) -> None:
    page.goto(f"{live_server.url}{reverse('replay', args=[match.pk, 1])}")
    page.get_by_role("link", name="Print", exact=True).click()
    page.goto(re.sub(r"sheets=\d+", "sheets=all", page.url))
    expect(page.locator("#print")).to_be_visible()
    sheets = page.locator(".paper").count()
    assert sheets
    for _, width in each_look(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 800})
    for format in ("A4", "Letter"):
        found = printed_pages(page, format)
        if page.locator(".paper.short").count() == sheets:
            assert found <= sheets
        else:
            assert found == sheets


@pytest.mark.parametrize("game", EVERY[:1])
def test_sheets_and_transcript_are_for_everybody(
    page: Page, live_server: Any, match: Match, axe: Callable[[Page], None]
) -> None:
    replay = f"{live_server.url}{reverse('replay', args=[match.pk, 1])}"
    page.goto(replay)
    page.wait_for_selector("#replay.ready")
    page.keyboard.press("]")
    expect(page.locator("#where")).to_contain_text("round 2")
    page.keyboard.press("1")
    expect(page.locator("#replay")).to_have_attribute("data-view", "0")
    page.keyboard.press("p")
    page.wait_for_url("**sheets=2&view=0")
    expect(page.locator(".paper")).to_have_count(1)
    expect(page.locator(".unseen")).to_have_count(3)
    for address in (page.url, f"{replay}?transcript=1"):
        page.goto(address)
        for _, width in each_look(page):
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            axe(page)
    page.get_by_role("link", name="Sheets to print").click()
    page.get_by_label(re.compile("Rounds")).fill("1-2, 4")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".paper")).to_have_count(3)


def test_standings_and_replays_print_without_what_only_works_on_a_screen(page: Page, live_server: Any) -> None:
    match = any_match(games.GAMES["hearts"])
    page.emulate_media(media="print")
    page.goto(f"{live_server.url}{reverse('standings', args=[match.contest.slug])}")
    assert page.locator(".contest-name .badge").count()
    expect(page.locator(".contest-name .badge:visible")).to_have_count(0)
    page.goto(f"{live_server.url}{reverse('replay', args=[match.pk, 1])}")
    expect(page.locator(".actions:visible")).to_have_count(0)


def test_paper_gets_all_teams_with_the_heads_on_every_page(page: Page, live_server: Any) -> None:
    contest = scenes.small_contest(name="Autumn Cup")
    stage = scenes.many(contest, 200, 400)
    page.goto(f"{live_server.url}{reverse('standings', args=[contest.slug])}?stage=rating")
    expect(page.locator("tbody tr")).to_have_count(50)
    page.get_by_role("link", name="All 200 teams on one page, to print").click()
    expect(page.locator("tbody tr")).to_have_count(200)
    assert 3 <= printed_pages(page, "A4") <= 8
    page.emulate_media(media="print")
    assert page.locator("thead").evaluate("it => getComputedStyle(it).display") == "table-header-group"
    page.set_viewport_size({"width": 703, "height": 1000})  # A4 between its margins
    for address in (page.url, stage.matches.first().get_absolute_url(), reverse("rules", args=[contest.slug])):
        page.goto(page.url if address == page.url else f"{live_server.url}{address}")
        wide = "[...document.querySelectorAll('main *')].filter(it => it.getBoundingClientRect().right > 704).length"
        assert page.evaluate(wide) == 0, address
