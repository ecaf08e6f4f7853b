"""The pages of webhooks in a browser: light and dark, at 320 px, and a test whose result appears by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from contest.models import User
from tests.cast import make_cast
from tests.tournaments.webhooks.receiver import Receiver
from tournaments.models import Webhook
from tournaments.webhooks import sending

pytestmark = [pytest.mark.long("browser"), pytest.mark.django_db(transaction=True)]


def test_a_test_is_sent_and_its_result_appears(
    page: Page, live_server: Any, receiver: Receiver, log_in: Callable[[Page, User], None]
) -> None:
    cast = make_cast()
    log_in(page, cast.alice)
    page.goto(f"{live_server.url}/c/{cast.contest.slug}/my/team/")
    page.get_by_role("link", name="Webhooks of your team").click()
    page.get_by_label("Address").fill(receiver.url)
    page.get_by_role("button", name="Create").click()
    secret = page.get_by_role("textbox", name="Secret").input_value()
    assert secret == Webhook.objects.get().secret
    page.get_by_role("button", name="Send a test").click()
    page.get_by_role("link", name="Test", exact=True).click()
    expect(page.locator("#delivery")).to_contain_text("Waiting")
    sending.send_due()
    expect(page.locator("#delivery")).to_contain_text("Delivered")
    expect(page.locator("#delivery")).to_contain_text("Status 204")
