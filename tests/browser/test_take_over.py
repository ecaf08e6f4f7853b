"""“Play from here” in a browser: the table begins at the position that is shown."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.tournaments.casual.parlour import finish, table
from tournaments.models import CasualGame

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_seat_is_taken_over_at_the_position_to_which_one_stepped(page: Page, live_server: Any, axe: Any) -> None:
    game, _ = table("hearts")
    finish(game)
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(live_server.url + reverse("casual-replay", args=[game.pk, 1]) + "?ply=10")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**?ply=13*")
    page.get_by_text("Play from here").click()
    page.get_by_label("Seat", exact=True).select_option("2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    axe(page)
    page.get_by_role("button", name="Take over this seat").click()
    page.wait_for_url("**/play/*/")
    found = CasualGame.objects.exclude(pk=game.pk).get()
    assert found.source["ply"] == 13
    assert [seat.is_person for seat in found.seats.all()] == [False, False, True, False]
    expect(page.get_by_role("main")).to_be_visible()
