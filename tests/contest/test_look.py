"""This app's pages in a real browser: light and dark, wide and 320 px, with the keyboard, with and without scripts."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from contest.models import Contest, User
from tests.cast import PASSWORD, Cast, make_cast

pytestmark = pytest.mark.long("browser")

LogIn = Callable[[Page, User], None]


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return make_cast()


def test_a_whole_entry_by_the_keyboard(cast: Cast, live_server: Any, page: Page) -> None:
    """From the first page to one's own team without a mouse."""
    page.goto(live_server.url + reverse("contest", args=[cast.contest.slug]))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Enter a team").focus()
    page.keyboard.press("Enter")
    page.get_by_role("main").get_by_role("link", name="Sign up").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Username").focus()
    for text in ("newbie", "Ned", "Newbury", "newbie@example.org", PASSWORD, PASSWORD):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_label("Team name").focus()
    page.keyboard.type("Night Owls")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("“Night Owls” has entered Spring Cup.")
    summary = page.locator("details.menu > summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    starts = page.locator("details.menu li").evaluate_all("items => items.map(item => item.getBoundingClientRect().x)")
    assert len(starts) > 1
    assert len(set(starts)) == 1, "one below the other, so they fit on a narrow screen"
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Log out")).to_be_hidden()
    expect(summary).to_be_focused()


def test_what_cannot_be_taken_back_asks_first(cast: Cast, live_server: Any, page: Page, log_in: LogIn) -> None:
    log_in(page, cast.alice)
    page.goto(live_server.url + reverse("team-edit", args=[cast.contest.slug]))
    questions: list[str] = []
    page.once("dialog", lambda dialog: (questions.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="Withdraw from the contest").click()
    assert questions == ["Withdraw “Aces” from the contest?"]
    cast.aces.refresh_from_db()
    assert cast.aces.state == "approved"
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Withdraw from the contest").click()
    expect(page.get_by_role("status")).to_contain_text("“Aces” has withdrawn from the contest.")


def test_readers_elsewhere_see_their_own_time(cast: Cast, live_server: Any, browser: Browser, log_in: LogIn) -> None:
    deadline = (cast.contest.entry_deadline + timedelta(days=1)).replace(month=7, day=1, hour=18, minute=0)
    Contest.objects.update(entry_deadline=deadline, upload_deadline=deadline)
    context = browser.new_context(timezone_id="America/Denver", locale="en-US")
    page = context.new_page()
    log_in(page, cast.ada)
    page.goto(live_server.url + reverse("contest", args=[cast.contest.slug]))
    closes = page.locator("aside time", has_text="1 Jul").first
    expect(closes).to_contain_text(", 12:00")
    assert ", 18:00\N{NO-BREAK SPACE}UTC" in (closes.get_attribute("title") or "")
    expect(page.locator("footer")).to_contain_text("Times are America/Denver.")
    page.goto(live_server.url + reverse("desk-settings", args=[cast.contest.slug]))
    expect(page.locator(".field", has=page.get_by_label("Entry closes"))).to_contain_text(
        "For you (America/Denver): 1 Jul 2026, 12:00"
    )
    context.close()


def test_on_a_phone_the_tabs_show_where_one_is_and_that_there_are_more(
    cast: Cast, live_server: Any, page: Page, log_in: LogIn
) -> None:
    log_in(page, cast.alice)
    page.set_viewport_size({"width": 320, "height": 700})
    strip = page.get_by_role("navigation", name="Contest")
    sides = {"contest": (False, True), "standings": (True, True), "team-edit": (True, False)}
    for name, (before, after) in sides.items():
        page.goto(live_server.url + reverse(name, args=[cast.contest.slug]))
        expect(strip.locator("[aria-current]")).to_be_in_viewport(ratio=0.9)
        for side, goes_on in (("before", before), ("after", after)):
            assert ("more-" + side in (strip.get_attribute("class") or "")) is goes_on, (name, side)
    strip.locator("ul").evaluate("(strip) => strip.scrollTo(0, 0)")
    expect(strip).to_have_class(re.compile("^tabs more-after$"))
    page.set_viewport_size({"width": 1280, "height": 700})
    expect(strip).to_have_class("tabs")
