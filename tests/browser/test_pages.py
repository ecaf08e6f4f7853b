"""Brackets, standings, matches and teams in a browser: they update by themselves, and axe finds nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from contest.models import Contest
from tests.tournaments import scenes
from tournaments.models import Stage

pytestmark = pytest.mark.django_db(transaction=True)

LONG = (
    "The Quick Brown Fox Jumps Over The Lazy Dog, Team of Ogden 7",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
)


@pytest.fixture
def contest() -> Contest:
    contest = scenes.small_contest(name="Autumn Cup")
    scenes.enter(contest, 11, LONG)
    return contest


@pytest.fixture
def stage(contest: Contest) -> Stage:
    return scenes.stage_of(contest, advance=2)


class TestLiveBracket:
    @pytest.fixture
    def url(self, live_server: Any, stage: Stage) -> str:
        return f"{live_server.url}{stage.get_absolute_url()}"

    def test_it_can_be_read_and_followed_without_a_script(self, browser: Any, url: str, stage: Stage) -> None:
        scenes.play_match(stage.matches.first())
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(url)
        page.locator("#find-team").select_option(index=2)
        page.locator("button", has_text="Show").click()
        expect(page.locator(".box li.mine")).not_to_have_count(0)
        page.locator(".box h3 a").first.click()
        expect(page.locator("h1")).to_contain_text("Round 1, table 1 (match ")
        context.close()


def test_paper_gets_all_teams_with_the_heads_on_every_page(page: Page, live_server: Any) -> None:
    contest = scenes.small_contest(name="Autumn Cup")
    stage = scenes.many(contest, 200, 400)
    page.goto(f"{live_server.url}{reverse('standings', args=[contest.slug])}?stage=rating")
    expect(page.locator("tbody tr")).to_have_count(50)
    page.get_by_role("link", name="All 200 teams on one page, to print").click()
    expect(page.locator("tbody tr")).to_have_count(200)
    assert 3 <= pages_of(page.pdf(format="A4")) <= 8
    page.emulate_media(media="print")
    assert page.locator("thead").evaluate("it => getComputedStyle(it).display") == "table-header-group"
    page.set_viewport_size({"width": 703, "height": 1000})  # A4 between its margins
    for address in (page.url, stage.matches.first().get_absolute_url(), reverse("rules", args=[contest.slug])):
        page.goto(page.url if address == page.url else f"{live_server.url}{address}")
        wide = "[...document.querySelectorAll('main *')].filter(it => it.getBoundingClientRect().right > 704).length"
        assert page.evaluate(wide) == 0, address


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf))
