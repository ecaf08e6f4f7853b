"""The replay of every game in a browser: its own table, wide and narrow, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

import games
from games import record as records
from games.engine import Game
from games.format import loads
from tests.looks import each_look, misplaced_cards
from tests.tournaments.stagecraft import any_match
from tournaments.models import Match

pytestmark = pytest.mark.django_db(transaction=True)

EVERY = [pytest.param(game, id=game.slug) for game in games.GAMES.values()]
PASSING = [pytest.param(game, id=game.slug) for game in games.GAMES.values() if "pass" in game.simultaneous]
LONG = "Cardinal Sharks of the Eastern Division of Nowhere, Second"


@pytest.fixture
def match(game: Game) -> Match:
    return any_match(game)


@pytest.fixture
def url(live_server: Any, match: Match) -> str:
    return f"{live_server.url}{reverse('replay', args=[match.pk, 1])}"


@pytest.mark.parametrize("game", EVERY)
def test_every_table_can_be_stepped_through(page: Page, url: str, game: Game) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(url)
    page.wait_for_selector("#replay.ready")
    page.wait_for_load_state("networkidle")
    replay = page.locator("#replay")
    first, last = (int(replay.get_attribute(name) or 0) for name in ("data-ply", "data-last"))
    assert last - first >= 4
    for _ in range(min(6, last - first)):
        before = replay.get_attribute("data-ply")
        page.keyboard.press("ArrowRight")
        expect(replay).not_to_have_attribute("data-ply", before or "")
    page.keyboard.press("1")
    expect(page.locator("#replay")).to_have_attribute("data-view", "0")
    page.keyboard.press("End")
    expect(page.locator("#where")).not_to_be_empty()
    assert not complaints


@pytest.mark.parametrize("game", PASSING)
def test_a_passed_card_comes_into_the_list_when_its_seat_hears_of_it(page: Page, url: str, match: Match) -> None:
    events = records.game_events(loads(match.record.text()), 1)
    passes = [(ply, event) for ply, event in enumerate(events) if event["event"] == "pass"][:4]
    first, giver = passes[0]
    last, _ = passes[-1]
    page.goto(f"{url}?ply={first}&view={giver['to']}")
    page.wait_for_selector("#replay.ready")
    move = page.locator(f'#moves [data-ply="{first}"]')
    for ply in range(first, last + 1):
        expect(page.locator("#replay")).to_have_attribute("data-ply", str(ply))
        expect(move.locator(".card").first).to_be_visible(visible=ply == last)
        expect(move.locator(".untold")).to_be_visible(visible=ply < last)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(move.locator(".untold")).to_be_visible()
    page.get_by_label("show later moves").check()
    expect(move.locator(".card").first).to_be_visible()
    page.get_by_label("show later moves").uncheck()
    page.goto(url)  # the open table hides nothing
    page.wait_for_selector("#replay.ready")
    expect(move.locator(".card").first).to_be_visible()


@pytest.mark.parametrize("game", EVERY)
def test_every_table_is_readable(page: Page, url: str, match: Match, axe: Callable[[Page], None]) -> None:
    """At an event of each kind, and from a seat. axe looks at them by turns in one look and in the other."""
    events = records.game_events(loads(match.record.text()), 1)
    kinds = {event["event"]: ply for ply, event in enumerate(events)}
    places = [*(("table", ply) for ply in kinds.values()), ("0", 9), ("hidden", 6)]
    for place, (view, ply) in enumerate(places):
        page.goto(f"{url}?ply={ply}&view={view}")
        page.wait_for_selector("#replay.ready")
        for look, (_, width) in enumerate(each_look(page)):
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"step {ply}"
            assert misplaced_cards(page) == [], f"{width} px, step {ply}"
            if place % 2 == look:
                axe(page)
