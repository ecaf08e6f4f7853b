"""Pages of people and of what somebody follows: every look, long names, the keyboard."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from contest import contests, followers
from contest.models import Contest, Membership, User
from tests.cast import make_user
from tests.looks import each_look
from tests.tournaments import scenes
from tournaments.feeds import writing
from tournaments.models import FollowSettings

pytestmark = pytest.mark.django_db(transaction=True)
LONG = (
    "Aces",
    "The Quick Brown Fox Jumps Over The Lazy Dog, Team of Ogden 7",
    "Clubs",
    "Donaudampfschifffahrtselektrizitätenhauptbetr",
)
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SHOTS = os.environ.get("SHOTS", "")

Axe = Callable[[Page], None]
LogIn = Callable[[Page, Any], None]


def look(page: Page, axe: Axe, name: str) -> None:
    for scheme, width in each_look(page):
        axe(page)
        assert page.evaluate(WIDER) <= 0, (page.url, width)
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"{name}-{scheme}.png", full_page=True)


@pytest.fixture
def captain() -> User:
    """Captain of the second of two contests with long names."""
    people = [make_user(), make_user("the.captain-with-a-rather-long-username_of-60-characters")]
    for name in ("Winter Cup of the Upper Danube Steamship Company’s Electrical Works", "Summer Cup"):
        contest = scenes.small_contest(name=name)
        entered = scenes.enter(contest, 4, LONG)
        for user, team in zip(people, entered[1::2], strict=True):
            Membership.objects.create(team=team, contest=contest, user=user, is_captain=True)
        scenes.play_all(scenes.stage_of(contest, advance=1, table_size=2))
        contests.end(contest, contest.roles.get().user, "It is over.")
    followers.catch_up()
    return people[1]


def test_everybody_reads_them_in_every_look(page: Page, live_server: Any, captain: User, axe: Axe) -> None:
    here = live_server.url
    page.goto(f"{here}{reverse('person', args=[captain.username])}")
    expect(page.get_by_role("heading", name=captain.username)).to_be_visible()
    expect(page.locator("main")).to_contain_text("2nd of 4")
    look(page, axe, "person")


@pytest.mark.parametrize("javascript", [True, False])
def test_somebody_follows_a_team_and_reads_its_news(
    browser: Browser, live_server: Any, captain: User, log_in: LogIn, axe: Axe, settings: Any, javascript: bool
) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    context = browser.new_context(java_script_enabled=javascript)
    page = context.new_page()
    log_in(page, captain)
    page.goto(f"{live_server.url}{reverse('following')}")
    expect(page.locator("main")).to_contain_text("You follow nothing yet.")
    if javascript:
        look(page, axe, "following-empty")
    team = captain.memberships.order_by("pk").first().team
    page.goto(f"{live_server.url}{team.get_absolute_url()}")
    page.get_by_role("button", name="Follow", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Stop following")).to_be_visible()
    if javascript:
        look(page, axe, "team")
    page.goto(f"{live_server.url}{Contest.objects.latest('pk').get_absolute_url()}")
    page.get_by_role("button", name="Follow", exact=True).click()
    writing.tell_others(team.created_at)
    page.goto(f"{live_server.url}{reverse('following')}")
    expect(page.locator(".news li").first).to_be_visible()
    if javascript:
        look(page, axe, "following")
    page.get_by_label("Every Monday").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Saved.")
    assert FollowSettings.objects.get(user=captain).digest == "weekly"
    page.get_by_role("button", name="Stop following").first.click()
    expect(page.locator(".follows li")).to_have_count(1)
    context.close()
