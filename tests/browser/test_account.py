"""The pages of an account in a browser: with the keyboard, with a real authenticator's codes, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from contest.models import User
from tests.cast import PASSWORD, make_cast
from tests.contest.test_second_factor import code, same_code  # noqa: F401 - a fixture
from tests.looks import each_look

pytestmark = pytest.mark.django_db(transaction=True)
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

Axe = Callable[[Page], None]
LogIn = Callable[[Page, Any], None]


def look(page: Page, axe: Axe) -> None:
    for _, width in each_look(page):
        axe(page)
        assert page.evaluate(WIDER) <= 0, (page.url, width)


def send(page: Page, label: str, text: str) -> None:
    page.get_by_label(label).fill(text)
    page.keyboard.press("Enter")


def test_the_second_factor_from_setting_it_up_to_a_lost_phone(page: Page, live_server: Any, axe: Axe) -> None:
    make_cast()
    here = live_server.url

    def log_in() -> None:
        page.goto(f"{here}{reverse('account_login')}")
        page.get_by_label("Username or email").fill("zoe")
        send(page, "Password", PASSWORD)

    log_in()
    expect(page.locator("header summary")).to_contain_text("zoe")
    page.goto(f"{here}{reverse('account')}")
    look(page, axe)
    page.get_by_role("link", name="Set it up").click()
    look(page, axe)
    page.get_by_role("link", name="Set up an app").click()
    if page.get_by_role("heading", name="Confirm that it is you").count():
        look(page, axe)
        send(page, "Password", PASSWORD)
    secret = page.locator("code").inner_text()
    look(page, axe)
    send(page, "Code", "000000")
    expect(page.get_by_text("Incorrect code").first).to_be_visible()
    look(page, axe)
    secret = page.locator("code").inner_text()
    send(page, "Code", code(secret))
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    recovery = page.locator("main").inner_text()
    lost = next(word for word in recovery.split() if word.isdigit() and len(word) == 8)
    look(page, axe)
    page.goto(f"{here}{reverse('mfa_generate_recovery_codes')}")
    look(page, axe)

    page.context.clear_cookies()
    log_in()
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    look(page, axe)
    send(page, "Code", code(secret))
    expect(page.locator("header summary")).to_contain_text("zoe")

    page.context.clear_cookies()
    log_in()
    send(page, "Code", lost)
    expect(page.locator("header summary")).to_contain_text("zoe")
    page.goto(f"{here}{reverse('mfa_deactivate_totp')}")
    expect(page.get_by_role("heading", name="Confirm that it is you")).to_be_visible()
    look(page, axe)
    send(page, "Password", PASSWORD)
    expect(page.get_by_role("heading", name="Turn off the second factor")).to_be_visible()
    look(page, axe)
    page.get_by_role("button", name="Turn it off").click()
    expect(page.get_by_role("link", name="Set up an app")).to_be_visible()


def test_the_account_is_deleted_with_the_keyboard(page: Page, live_server: Any, log_in: LogIn, axe: Axe) -> None:
    cast = make_cast()
    log_in(page, cast.alice)
    for name in ("account_email", "account_change_password", "tokens", "account_logout"):
        page.goto(f"{live_server.url}{reverse(name)}")
        look(page, axe)
    page.goto(f"{live_server.url}{reverse('account-delete')}")
    look(page, axe)
    page.get_by_label("Password").focus()
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()
    look(page, axe)
    send(page, "Password", PASSWORD)
    expect(page.get_by_role("status")).to_contain_text("Your account has been deleted.")
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    assert not User.objects.filter(username="alice").exists()
