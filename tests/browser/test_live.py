"""A running match followed in a browser, at the real web server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.contest.server import served
from tests.tournaments import scenes
from tests.tournaments.live_table import LiveTable
from tournaments.models import Match
from tournaments.organising import releases
from tournaments.playing import play

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(portal_env: dict[str, str], tmp_path: Path) -> Iterator[served.Server]:
    with served.started(tmp_path / "log", "-w", "1", environment=portal_env | {"DEBUG": "1"}) as server:
        yield server


@pytest.fixture
def match() -> Match:
    contest = scenes.small_contest(name="Autumn Cup", target=60)
    scenes.enter(contest, 4, ("Aces", "Clubs", "Diamonds with a name that is long", "Hearts"))
    return scenes.stage_of(contest).matches.get()


def address(server: served.Server, match: Match, query: str = "") -> str:
    return f"http://localhost:{server.port}{reverse('replay', args=[match.pk, 1])}{query}"


def drawn(page: Page, ply: int) -> None:
    expect(page.locator(f'#replay[data-ply="{ply}"]')).to_be_attached()


def at(page: Page, ply: int) -> None:
    """Wait until the page shows a position, and its script answers: the server draws the first one before that."""
    expect(page.locator(f'#replay.ready[data-ply="{ply}"]')).to_be_attached()


def test_card_by_card_back_and_live_and_to_the_replay(page: Page, server: served.Server, match: Match) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    with LiveTable(match) as table:
        shown = table.let(3)
        page.goto(address(server, match))
        at(page, shown - 1)
        live = page.get_by_role("button", name="Live")
        expect(live).to_have_attribute("aria-pressed", "true")
        for decisions in (1, 2, 5):
            at(page, table.let(decisions) - 1)
        page.keyboard.press("ArrowLeft")
        here = table.arrived() - 2
        at(page, here)
        expect(live).to_have_attribute("aria-pressed", "false")
        newest = table.let(3) - 1
        expect(live).to_contain_text(f"{newest - here} ahead")
        at(page, here)
        page.keyboard.press("v")
        at(page, newest)
        at(page, table.let(2) - 1)
        assert page.url.endswith("/1/")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        place = int(page.locator("#replay").get_attribute("data-ply") or -1)
        table.play_on()
        expect(page.locator("#live-bar")).to_have_count(0)
        at(page, place)
        expect(page.get_by_role("heading", name="Thinking time", exact=True)).to_be_visible()
        page.keyboard.press("End")
        at(page, len(table.events) - 1)
    assert complaints == []


def test_a_freeze_ends_it(page: Page, server: served.Server, match: Match) -> None:
    with LiveTable(match) as table:
        page.goto(address(server, match))
        at(page, table.let(4) - 1)
        releases.freeze(match.contest, None)
        expect(page.locator("#replay")).to_have_count(0)
        table.let(3)
        page.goto(address(server, match))
        expect(page.locator("#replay")).to_have_count(0)


def test_a_worker_that_is_killed(page: Page, server: served.Server, match: Match) -> None:
    """The match is played again: another attempt, and everybody begins anew."""
    with LiveTable(match) as table:
        page.goto(address(server, match))
        at(page, table.let(5) - 1)
        expect(page.get_by_text("is being played again")).to_have_count(0)
        table.die()
        assert play.put_back(table.match, "the worker was killed")
    expect(page.get_by_text("waiting in the queue")).to_be_visible()
    Match.objects.update(due_at=match.created_at)
    with LiveTable(match) as table:
        shown = table.let(2)
        at(page, shown - 1)
        expect(page.locator("#live-said")).to_contain_text("This match is being played again from its beginning")


def test_a_lost_connection_is_made_again(page: Page, server: served.Server, match: Match, tmp_path: Path) -> None:
    with LiveTable(match) as table:
        page.goto(address(server, match))
        at(page, table.let(3) - 1)
        server.stop()
        expect(page.get_by_text("The connection is lost")).to_be_visible()
        table.let(3)
        server.start()
        at(page, table.let(1) - 1)
        expect(page.get_by_text("The connection is lost")).to_have_count(0)


def test_games_follow_one_another_and_hands_stay_hidden(
    page: Page, server: served.Server, axe: Callable[[Page], None]
) -> None:
    contest = scenes.small_contest(name="Autumn Cup", target=10)
    scenes.enter(contest, 4)
    stage = scenes.stage_of(contest, games=2)
    match = stage.matches.get()
    Match.objects.update(openings=[{"deal": 1}, {"deal": 2}])
    with LiveTable(match) as table:
        page.goto(address(server, match, "?view=table"))
        at(page, table.let(4) - 1)
        expect(page.locator("#replay")).to_have_attribute("data-view", "hidden")
        expect(page.get_by_text("Hands stay hidden")).to_be_visible()
        axe(page)
        page.evaluate("window.loadedOnce = true")
        page.keyboard.press("o")
        at(page, table.let(1) - 1)
        assert page.evaluate("window.loadedOnce"), "the key for all hands does nothing here"
        while not any(event["event"] == "result" for event in table.events):
            table.let(20)
        page.wait_for_url("**/2/")
        first = next(number for number, event in enumerate(table.events, 1) if event["event"] == "result")
        at(page, table.let(3) - first - 1)
        expect(page.get_by_role("link", name="Game 1")).to_be_visible()
        table.play_on()
        expect(page.locator("#live-bar")).to_have_count(0)
        at(page, len(table.events) - first - 1)
        expect(page.get_by_role("link", name="All hands")).to_be_visible()


def test_without_scripts_and_at_320_px(browser, server: served.Server, match: Match) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 320, "height": 640})
    page = context.new_page()
    with LiveTable(match) as table:
        shown = table.let(9)
        page.goto(address(server, match))
        drawn(page, shown - 1)
        shown = table.let(2)
        page.get_by_role("link", name="Newest move").click()
        drawn(page, shown - 1)
        page.goto(address(server, match, "?ply=4"))
        drawn(page, 4)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 320
        assert re.search("Hands stay hidden", page.content()) is None
    context.close()
