"""Stages of every format in a browser: wide and narrow, light and dark, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests.tournaments import scenes
from tournaments.models import Match, Stage

pytestmark = pytest.mark.django_db(transaction=True)

LONG = (
    "The Quick Brown Fox Jumps Over The Lazy Dog, Team of Ogden 7",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
)


def play(stage: Stage, most: int) -> None:
    for _ in range(most):
        match = stage.matches.filter(state=Match.State.QUEUED).order_by("priority", "id").first()
        if match is None:
            break
        scenes.play_match(match)


Options = dict[str, Any]
SCENES: dict[str, tuple[str, int, int, Options]] = {
    "swiss-fours": ("swiss", 13, 9, {"games": 2}),
    "round-robin": ("round_robin", 5, 26, {"games": 1, "duplicate": True}),
    "combinations": ("combinations", 6, 4, {}),
    "ladder": ("ladder", 9, 14, {"table_size": 2}),
}


@pytest.mark.parametrize(("scene", "scheme"), list(zip(SCENES, ("light", "dark", "dark", "light"), strict=True)))
def test_stages_are_readable(
    page: Page, live_server: Any, scene: str, scheme: Any, axe: Callable[[Page], None]
) -> None:
    format, teams, matches, options = SCENES[scene]
    contest = scenes.small_contest(name="Autumn Cup", target=10)
    entered = scenes.enter(contest, teams, LONG)
    stage = scenes.stage_of(contest, format=format, **options)
    play(stage, matches)
    if running := stage.matches.filter(state="queued").first():
        Match.objects.filter(pk=running.pk).update(state="running", started_at=timezone.now())
    standings = reverse("standings", args=[contest.slug])
    addresses = [
        f"{stage.get_absolute_url()}?team={entered[0].pk}",
        standings if format == "ladder" else f"{standings}?stage={stage.pk}",
    ]
    page.emulate_media(color_scheme=scheme)
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 800})
        for address in addresses:
            page.goto(f"{live_server.url}{address}")
            expect(page.locator("h1").first).to_be_visible()
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert beyond <= 0, f"{address} is {beyond} px wider than {width}"
            if width == 320:  # the same elements as on a wide screen, with less room
                axe(page)


def test_what_a_reader_has_opened_scrolled_and_reached_stays_when_results_come_in(page: Page, live_server: Any) -> None:
    contest = scenes.small_contest(name="Autumn Cup", target=10)
    scenes.enter(contest, 4, LONG)
    stage = scenes.stage_of(contest, format="round_robin", games=1, duplicate=True)
    play(stage, 1)
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(live_server.url + stage.get_absolute_url())
    page.locator("[data-live] progress[value='1']").wait_for()
    fold = page.locator("details.parts").nth(1)
    fold.locator("summary").click()
    table = page.locator("[aria-labelledby=ranking]")
    table.evaluate("box => { box.scrollLeft = 90 }")
    link = fold.get_by_role("link").nth(1)
    link.focus()
    page.evaluate("document.getElementById('rounds').dataset.old = 'yes'")
    play(stage, 1)
    expect(page.locator("[data-live] progress[value='2']")).to_be_visible()
    assert page.locator("#rounds").get_attribute("data-old") is None, "else nothing was sent anew"
    expect(fold).to_have_attribute("open", "")
    expect(link).to_be_focused()
    assert table.evaluate("box => box.scrollLeft") == 90
    fold.locator("summary").click()
    play(stage, 1)
    expect(page.locator("[data-live] progress[value='3']")).to_be_visible()
    expect(fold).not_to_have_attribute("open", "")


def test_what_a_proxy_has_changes_nothing_if_it_is_known_or_older(page: Page, live_server: Any) -> None:
    contest = scenes.small_contest()
    scenes.enter(contest, 4)
    stage = scenes.stage_of(contest, format="round_robin")
    contest.refresh_from_db()
    known, answers = contest.public_revision, [("", 304), ("older", 200), ("newer", 200)]
    asked = []

    def proxy(route: Route) -> None:
        text, status = answers[len(asked)]
        asked.append(route.request.headers["if-none-match"])
        told = {"ETag": f'"{known - 1 if text == "older" else known + 1}p"'}
        route.fulfill(status=status, headers=told, body=text and f'<p id="told">{text}</p>')

    page.route("**/bracket/*/?rev=*", proxy)
    page.goto(live_server.url + stage.get_absolute_url())
    expect(page.locator("#told")).to_have_text("newer")
    assert asked == [f'"{known}p"'] * 3
