"""The first game that teaches, from the rules page to what comes next, with scripts and without."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from games import get
from games.coach import coach_of
from tests.browser.test_seat import AT_ONCE, Place, decide_by_mouse, place, play_on, wait_turn
from tests.cast import make_contest
from tests.looks import each_look

__all__ = ["place"]  # a fixture

pytestmark = pytest.mark.django_db(transaction=True)

# Between two questions of a server that is quick, the advice is hidden for less time than lies between two looks.
NOTE_WHEN_HIDDEN = """() => {
    window.wasHidden = false;
    const advice = document.querySelector("#advice");
    const look = () => { window.wasHidden ||= !advice.checkVisibility({visibilityProperty: true}); };
    new MutationObserver(look).observe(advice, {attributes: true});
}"""


def looks(page: Page, axe: Callable[[Page], None]) -> None:
    for _, width in each_look(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        axe(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light")


def test_a_guest_learns_the_game_from_the_rules_page(page: Page, place: Place, axe: Callable[[Page], None]) -> None:
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    game, coach = get("hearts"), coach_of(get("hearts"))
    assert coach is not None
    contest = make_contest(game=game.slug, preset="open", name="Hearts for all")
    page.add_init_script(AT_ONCE)
    page.goto(place.url(reverse("rules", args=[contest.slug])))
    page.get_by_role("button", name="Learn it in five minutes").click()
    page.wait_for_selector("#seat.ready")
    assert wait_turn(page)
    advice = page.locator("#advice")
    expect(advice.locator(".advice-welcome")).to_have_text(coach.lesson.welcome)
    expect(advice.locator(".advice-title")).to_have_text("Choose three cards to pass")
    expect(advice.locator(".advice-idea")).to_contain_text("Passing.")
    looks(page, axe)
    page.evaluate(NOTE_WHEN_HIDDEN)
    decide_by_mouse(page)
    assert wait_turn(page)
    expect(advice).to_be_visible()
    assert page.evaluate("window.wasHidden"), "what it says was about that question"
    black = page.locator("#hand .card.s, #hand .card.c").first
    ink = "card => getComputedStyle(card).color"
    at_rest = black.evaluate(ink)
    black.hover()
    assert black.evaluate("card => card.matches(':hover')")
    assert black.evaluate(ink) == at_rest, "white on white"
    page.mouse.move(0, 0)
    play_on(page, decide_by_mouse, until=lambda: advice.locator(".advice-refused").count() > 0)
    expect(advice.locator(".advice-news")).to_be_visible()
    advice.get_by_text("Why not the others?").click()
    expect(advice.locator(".advice-refused")).to_contain_text(re.compile("You have to follow suit|No point card"))
    advice.get_by_text("A hint").click()
    expect(advice.locator(".advice-hint")).to_be_visible()
    looks(page, axe)
    play_on(page, decide_by_mouse)
    expect(advice.locator(".advice-now")).to_contain_text(coach.lesson.closing)
    following = page.get_by_role("region", name="What next?")
    expect(following.get_by_role("link", name="Enter Hearts for all")).to_be_visible()
    looks(page, axe)
    following.get_by_role("link", name="Read the rules").click()
    expect(page.get_by_role("heading", name="Rules and limits")).to_be_visible()
    assert failed == []
