"""A refused form says so where readers look, and links to the fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from tests.cast import PASSWORD, make_cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("javascript", "width"), [(True, 1280), (False, 320)])
def test_a_refused_form_puts_the_reader_before_what_is_wrong(
    browser: Browser,
    live_server: Any,
    log_in: Callable[[Page, Any], None],
    axe: Callable[[Page], None],
    javascript: bool,
    width: int,
) -> None:
    context = browser.new_context(java_script_enabled=javascript, viewport={"width": width, "height": 700})
    page = context.new_page()
    log_in(page, make_cast().root)
    page.goto(f"{live_server.url}{reverse('contest-new')}?preset=tricky_eights:utah-1998")
    page.get_by_label("Name").fill("Autumn Cup")
    page.get_by_label("Python").check()
    page.get_by_role("button", name="Create the contest").click()
    summary = page.get_by_role("alert")
    expect(summary).to_contain_text("Nothing has changed yet")
    expect(summary).to_be_focused()
    expect(summary).to_be_in_viewport(ratio=1)
    top = summary.evaluate("it => { it.blur(); scrollTo(0, 0); return it.getBoundingClientRect().top; }")
    page.set_viewport_size({"width": width, "height": int(top) + 90})  # its first line stands on the screen
    summary.evaluate("it => it.focus()")
    bar, box = page.locator(".sticky-actions").bounding_box(), summary.bounding_box()
    assert bar
    assert box
    assert box["y"] + box["height"] <= bar["y"], "the button covers what is wrong"
    if javascript:
        axe(page)
    summary.get_by_role("link", name="Memory per bot, in MB").click()
    memory = page.get_by_label("Memory per bot, in MB")
    expect(memory).to_be_in_viewport()
    expect(memory).to_be_focused()
    context.close()


@pytest.mark.parametrize("why", ["logged out", "logged in elsewhere"])
def test_what_was_typed_is_in_the_form_again_after_the_log_in(
    page: Page, live_server: Any, log_in: Callable[[Page, Any], None], why: str
) -> None:
    cast = make_cast()
    log_in(page, cast.olga)
    address = f"{live_server.url}{reverse('desk-announcements', args=[cast.contest.slug])}"
    page.goto(address)
    page.get_by_label("Title").fill("Doors open at nine")
    page.get_by_label("Text").fill("Bring a cable.\nAnd a bot.")
    if why == "logged out":
        page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    else:
        page.context.clear_cookies(name=settings.CSRF_COOKIE_NAME)
        page.context.new_page().goto(f"{live_server.url}{reverse('account')}")  # sets another token
    page.get_by_role("button", name="Announce").click()
    expect(page.get_by_role("heading", name="Nothing was done")).to_be_visible()
    page.locator("main .button").click()
    if why == "logged out":
        page.get_by_label("Username or email").fill("olga")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
    expect(page.get_by_label("Title")).to_have_value("Doors open at nine")
    expect(page.get_by_label("Text")).to_have_value("Bring a cable.\nAnd a bot.")
    long = "Bring a cable. " * 5000  # more than the portal reads from those who are logged out
    page.get_by_label("Text").fill(long)
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.get_by_role("button", name="Announce").click()
    expect(page.get_by_role("alert")).to_contain_text("nothing was sent")
    expect(page.get_by_label("Text")).to_have_value(long)
    log_in(page.context.new_page(), cast.olga)
    page.get_by_role("button", name="Announce").click()
    expect(page.get_by_label("Text")).to_have_value("")
    assert cast.contest.announcements.count() == 1


def test_a_guest_who_clicks_twice_signs_up_once(page: Page, live_server: Any) -> None:
    sent: list[str] = []
    page.on("request", lambda it: sent.append(it.url) if it.method == "POST" else None)
    page.goto(live_server.url + reverse("account_signup"))
    for name, typed in {"username": "nora", "email": "n@x.org", "password1": PASSWORD, "password2": PASSWORD}.items():
        page.fill(f"main [name={name}]", typed)
    page.locator("main button[type=submit]").dblclick(no_wait_after=True)
    expect(page.locator("header summary")).to_have_text("nora")
    assert len(sent) == 1
