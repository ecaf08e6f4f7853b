"""The pages of webhooks in a browser: light and dark, at 320 px, and a test whose result appears by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from contest import followers, teams
from contest.models import User
from tests.browser.test_games import keep
from tests.cast import Cast, make_cast
from tests.looks import each_look
from tests.tournaments.webhooks.receiver import Receiver
from tournaments.models import Webhook
from tournaments.webhooks import changes, sending

pytestmark = [pytest.mark.long("browser"), pytest.mark.django_db(transaction=True)]


def shown(page: Page, name: str) -> None:
    """Nothing sticks out of the page."""
    page.wait_for_load_state("load")  # before its style sheets have arrived, it has no look of ours
    width, seen = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    keep(page, f"webhooks-{name}-{seen}")
    assert width <= seen, name


def scene(receiver: Receiver) -> tuple[Cast, Webhook]:
    """A webhook of a team that fails, and one that is off."""
    cast = make_cast()
    hook = changes.create(cast.contest, cast.aces, cast.alice, f"{receiver.url}/{'long' * 20}", [])
    teams.withdraw(cast.clubs, cast.carl)
    followers.catch_up()
    sending.send_due()
    teams.reenter(cast.clubs, cast.carl)
    followers.catch_up()
    receiver.answers.append(500)
    sending.send_due()
    off = changes.create(cast.contest, cast.aces, cast.alice, "https://example.org/kibitz", ["match_result"])
    changes.off(off, cast.alice)
    return cast, hook


def test_every_page_in_every_look(
    page: Page,
    live_server: Any,
    receiver: Receiver,
    log_in: Callable[[Page, User], None],
    axe: Callable[[Page], None],
) -> None:
    cast, hook = scene(receiver)
    log_in(page, cast.alice)
    home = f"{live_server.url}/c/{cast.contest.slug}/my/webhooks/"
    places = {
        "list": home,
        "failing": f"{home}{hook.pk}/",
        "off": f"{home}{Webhook.objects.latest('pk').pk}/",
        "message": f"{home}{hook.pk}/deliveries/{hook.deliveries.earliest('pk').pk}/",
    }
    for name, address in places.items():
        page.goto(address)
        for _ in each_look(page):
            shown(page, name)
            axe(page)
    for name, user, address in of_others(cast):
        log_in(page, user)
        page.goto(f"{live_server.url}{address}")
        for _ in each_look(page):
            shown(page, name)


def of_others(cast: Cast) -> list[tuple[str, User, str]]:
    """Pages of the desk, and of somebody who follows."""
    of_follower = changes.create_for(cast.zoe, f"https://example.org/{'long' * 20}", [])
    home = reverse("following-webhooks")
    return [
        ("desk", cast.olga, reverse("desk-webhooks", args=[cast.contest.slug])),
        ("following-list", cast.zoe, home),
        ("following", cast.zoe, f"{home}{of_follower.pk}/"),
    ]


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
    shown(page, "new")
    page.get_by_role("button", name="Send a test").click()
    page.get_by_role("link", name="Test", exact=True).click()
    expect(page.locator("#delivery")).to_contain_text("Waiting")
    sending.send_due()
    expect(page.locator("#delivery")).to_contain_text("Delivered")
    expect(page.locator("#delivery")).to_contain_text("Status 204")
