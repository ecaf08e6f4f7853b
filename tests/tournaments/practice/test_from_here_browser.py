"""“Your bot from here” in a browser: from the position on the replay to the answer, which arrives by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from contest.models import User
from tests.looks import each_look
from tests.tournaments import scenes
from tests.tournaments.practice import gym
from tournaments.models import FromHere

pytestmark = [pytest.mark.long("browser"), pytest.mark.django_db(transaction=True)]


def test_a_version_is_asked_and_its_answer_arrives(
    page: Page,
    browser: Browser,
    live_server: Any,
    log_in: Callable[[Page, User], None],
    axe: Callable[[Page], None],
) -> None:
    contest, (team, _) = gym.gym()
    match = scenes.play_match(scenes.stage_of(contest, "Cup").matches.get())
    log_in(page, team.people()[0].user)
    page.goto(f"{live_server.url}{reverse('replay', args=[match.pk, 1])}?ply=7")
    page.wait_for_selector("#replay.ready")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay")).to_have_attribute("data-ply", "8")
    page.locator("#from-here summary").click()
    axe(page)
    page.get_by_role("button", name="Ask it").click()
    page.wait_for_url("**/practice/from/*/")
    assert FromHere.objects.get().ply == 8
    assert gym.play_all() == 1
    expect(page.get_by_text("In the record", exact=True)).to_be_visible()
    for _, width in each_look(page):
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width
        axe(page)
    page.get_by_role("link", name="Back to the position").click()
    page.wait_for_selector("#replay.ready")
    expect(page.locator("#from-here li")).to_have_count(1)

    plain = browser.new_context(java_script_enabled=False, storage_state=page.context.storage_state())
    second = plain.new_page()
    second.goto(f"{live_server.url}{reverse('replay', args=[match.pk, 1])}?ply=12")
    second.get_by_role("button", name="Ask it").click()
    second.wait_for_url("**/practice/from/*/")
    assert FromHere.objects.latest("pk").ply == 12
    plain.close()
