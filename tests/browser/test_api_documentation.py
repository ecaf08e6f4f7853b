"""The page on which the API is read and tried, under our content security policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from contest.models import User
from tests.cast import make_cast

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_address_is_listed_and_one_is_tried(
    page: Page, live_server: Any, log_in: Callable[[Page, User], None]
) -> None:
    cast = make_cast()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    log_in(page, cast.alice)
    page.goto(f"{live_server.url}/api/v1/")
    expect(page.locator(".opblock-tag").nth(15)).to_be_visible()
    page.locator("#operations-tag-me").click()
    who = page.locator("#operations-me-me_retrieve")
    who.click()
    who.get_by_role("button", name="Try it out").click()
    who.get_by_role("button", name="Execute").click()
    expect(who.locator(".live-responses-table .response-col_status").last).to_contain_text("200")
    expect(who.locator(".live-responses-table")).to_contain_text("alice")
    assert said == []
