"""Somebody follows a team and a contest with the keyboard, with scripts and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from contest import contests, followers
from contest.models import Contest, Membership, User
from tests.cast import make_user
from tests.tournaments import scenes
from tournaments.feeds import writing
from tournaments.models import FollowSettings

pytestmark = pytest.mark.django_db(transaction=True)
LogIn = Callable[[Page, Any], None]


@pytest.fixture
def captain() -> User:
    """Captain of a team in the second of two contests."""
    people = [make_user(), make_user()]
    for name in ("Winter Cup", "Summer Cup"):
        contest = scenes.small_contest(name=name)
        entered = scenes.enter(contest, 4)
        for user, team in zip(people, entered[1::2], strict=True):
            Membership.objects.create(team=team, contest=contest, user=user, is_captain=True)
        scenes.play_all(scenes.stage_of(contest, advance=1, table_size=2))
        contests.end(contest, contest.roles.get().user, "It is over.")
    followers.catch_up()
    return people[1]


@pytest.mark.parametrize("javascript", [True, False])
def test_somebody_follows_a_team_and_reads_its_news(
    browser: Browser, live_server: Any, captain: User, log_in: LogIn, settings: Any, javascript: bool
) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    context = browser.new_context(java_script_enabled=javascript)
    page = context.new_page()
    log_in(page, captain)
    page.goto(f"{live_server.url}{reverse('following')}")
    expect(page.locator("main")).to_contain_text("You follow nothing yet.")
    team = captain.memberships.order_by("pk").first().team
    page.goto(f"{live_server.url}{team.get_absolute_url()}")
    page.get_by_role("button", name="Follow", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Stop following")).to_be_visible()
    page.goto(f"{live_server.url}{Contest.objects.latest('pk').get_absolute_url()}")
    page.get_by_role("button", name="Follow", exact=True).click()
    writing.tell_others(team.created_at)
    page.goto(f"{live_server.url}{reverse('following')}")
    expect(page.locator(".news li").first).to_be_visible()
    page.get_by_label("Every Monday").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Saved.")
    assert FollowSettings.objects.get(user=captain).digest == "weekly"
    page.get_by_role("button", name="Stop following").first.click()
    expect(page.locator(".follows li")).to_have_count(1)
    context.close()
