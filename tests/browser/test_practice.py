"""Practice in a browser: order with the form, watch the page while games are played, open a replay; on a phone too."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.looks import each_look
from tests.tournaments.practice.gym import gym, play_with_house, with_version
from tournaments.models import PracticeOrder

pytestmark = pytest.mark.django_db(transaction=True)


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_from_the_form_to_a_replay(page: Page, live_server: Any, log_in: Any, axe: Any) -> None:
    contest, (team, _) = gym()
    with_version(team, 2)
    log_in(page, team.people()[0].user)
    page.goto(f"{live_server.url}/c/{contest.slug}/my/")
    page.get_by_role("link", name="Practice", exact=True).click()
    axe(page)
    page.get_by_label("Opponent 1").select_option("Clubs")
    page.get_by_label("Opponent 2").select_option("Version 1")
    page.get_by_role("spinbutton", name="Games").fill("6")
    page.get_by_role("button", name="Start games").click()
    expect(page.get_by_text("0 of 6 games played")).to_be_visible()
    placed = PracticeOrder.objects.get()
    play_with_house(placed)
    expect(page.get_by_text("Finished")).to_be_visible()  # without loading the page again
    expect(page.get_by_role("row", name="Against Clubs")).to_be_visible()
    axe(page)
    for _, width in each_look(page):
        assert fits(page), width
        axe(page)
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{live_server.url}/c/{contest.slug}/practice/")
    assert fits(page)
    page.set_viewport_size({"width": 1200, "height": 900})
    page.goto(f"{live_server.url}{placed.get_absolute_url()}")
    page.get_by_role("link", name="Replay of game 3").click()
    expect(page.get_by_role("heading", name="Practice 1, game 3")).to_be_visible()
    axe(page)
    page.get_by_role("link", name="Game 4").click()
    expect(page.get_by_role("heading", name="Practice 1, game 4")).to_be_visible()
