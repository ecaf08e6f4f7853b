"""The replay in a browser: keys, mouse, links, playback, without scripts; and axe finds nothing."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect

from contest.models import Contest, User
from contest.replay import Replay
from contest.replay.films import FOLDER
from games.engine import Fault, FaultKind
from tests.cast import Cast, make_cast
from tests.looks import each_look
from tests.tournaments import scenes
from tests.tournaments.records import Scripted
from tests.waiting import wait_for
from tournaments.models import Match, MatchSeat, Record

pytestmark = pytest.mark.django_db(transaction=True)


FILMS = re.compile("film=")


def bots(seat: MatchSeat) -> Scripted:
    fault = Fault(FaultKind.GARBLED, "answered with something that is not a card", b"<h9>")
    return Scripted(fault, at=30, says="clubs think") if seat.name == "Clubs" else Scripted()


@pytest.fixture
def cast() -> Cast:
    return make_cast(options={"target": 60})


@pytest.fixture
def match(cast: Cast) -> Match:
    scenes.arm(cast.aces, cast.clubs)
    return scenes.play_match(scenes.stage_of(cast.contest, "Cup").matches.get(), bots)


@pytest.fixture
def url(live_server: Any, match: Match) -> str:
    return f"{live_server.url}{reverse('replay', args=[match.pk, 1])}"


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """The browser's complaints: failed scripts and violations of the content security policy."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    return found


def ply(page: Page) -> int:
    return int(page.locator("#replay").get_attribute("data-ply") or -1)


def ready(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_selector("#replay.ready")
    page.wait_for_load_state("networkidle")


def at(page: Page, number: int) -> None:
    expect(page.locator("#replay")).to_have_attribute("data-ply", str(number))


def hold_films(page: Page) -> Callable[[], None]:
    """Hold what the script fetches until the returned function is called."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    def let_go() -> None:
        for route in held:
            route.continue_()
        page.unroute(FILMS, hold)

    page.route(FILMS, hold)
    return let_go


class TestKeys:
    @pytest.mark.parametrize("quick", ["ArrowRight", "click"])
    def test_presses_while_the_film_is_loading_all_count(self, page: Page, url: str, quick: str) -> None:
        let_go = hold_films(page)
        page.goto(url)
        page.wait_for_selector("#replay.ready")
        for _ in range(3):
            if quick == "click":
                page.locator('.steps [data-nav="next-card"]').click()
            else:
                page.keyboard.press(quick)
        assert ply(page) == 0
        let_go()
        at(page, 3)

    def test_the_first_reader_waits_for_rounds_not_for_the_game(self, page: Page, url: str, match: Match) -> None:
        shutil.rmtree(settings.VAR_DIR / FOLDER, ignore_errors=True)
        asked: list[str] = []

        def answer(route: Route) -> None:
            asked.append(route.request.url)
            if "round=" in route.request.url:  # the film of the game never comes
                route.continue_()

        page.route(FILMS, answer)
        page.goto(url)
        page.wait_for_selector("#replay.ready")
        rounds = Replay(match.record.loaded(), 1, "table", "/").rounds
        for this in rounds[1:3]:
            page.keyboard.press("]")
            at(page, this.deal)
            page.keyboard.press("ArrowRight")
            at(page, this.deal + 1)
        page.keyboard.press("[")
        at(page, rounds[2].deal)
        assert [each.partition("round=")[2] for each in asked if "round=" in each] == ["1", "2", "3"]

    def test_keys_can_be_switched_off_and_leave_fields_alone(self, page: Page, url: str) -> None:
        ready(page, url)
        page.locator('[data-act="speed"]').focus()
        page.keyboard.press("e")
        assert ply(page) == 0
        page.locator('[data-act="help"]').click()
        page.locator('#help [data-act="keys"]').uncheck()
        page.locator('#help [data-act="close"]').click()
        page.keyboard.press("End")
        page.locator('[data-nav="next-card"]').click()
        at(page, 1)  # the card after the first one, not after the last
        ready(page, url)  # remembered
        page.locator("body").press("End")
        page.locator('[data-nav="next-card"]').click()
        at(page, 1)

    def test_the_whole_page_can_be_walked_with_the_tabulator(self, page: Page, url: str) -> None:
        ready(page, f"{url}?ply=20")
        seen: set[str] = set()
        for _ in range(140):
            page.keyboard.press("Tab")
            name = page.evaluate(
                "(document.activeElement.dataset.nav || document.activeElement.dataset.act"
                " || document.activeElement.dataset.view || document.activeElement.id || '')"
            )
            seen.add(name)
        assert {"prev-card", "play", "next-card", "last", "scrub", "table", "0", "hidden", "speed", "copy"} <= seen


class TestPointer:
    def test_buttons_moves_scores_and_the_scrubber(self, page: Page, url: str, complaints: list[str]) -> None:
        ready(page, url)
        page.locator('[data-nav="next-trick"]').click()
        expect(page.locator("#replay")).not_to_have_attribute("data-ply", "0")  # the film may still be on its way
        assert ply(page) > 12
        page.locator("#moves a.move").nth(3).click()
        at(page, 4)
        expect(page.locator('#moves [aria-current="step"]')).to_have_attribute("data-ply", "4")
        page.locator('.scores [data-round="2"]').click()
        expect(page.locator("#where")).to_have_text("Round 2")
        expect(page.locator("#moves .deal").first).to_have_text("Round 2 is dealt")
        scrub = page.locator("#scrub")
        scrub.fill("100")
        at(page, 100)
        assert scrub.get_attribute("aria-valuetext").startswith("Round 2, trick")
        expect(page).to_have_url(f"{url}?ply=100")
        assert complaints == []


class TestSearch:
    def test_moves_of_the_whole_game_are_found_by_words_seat_and_fault(
        self, page: Page, url: str, match: Match, complaints: list[str]
    ) -> None:
        ready(page, url)
        found = page.locator("#found li")
        page.locator("#search").fill("nobody says this")
        expect(found).to_have_text("No move found")
        page.locator("#search").fill("takes the trick QUEEN")
        expect(page.locator("#said")).to_have_text(f"{found.count()} moves found.")
        assert found.count() > 1
        assert all("takes the trick with the queen" in text for text in found.all_inner_texts())
        there = int(found.last.locator("a").get_attribute("data-ply") or 0)
        found.last.locator("a").click()
        at(page, there)
        page.locator("#by").select_option("fault")
        page.locator("#search").fill("")
        expect(found).to_have_count(1)
        page.locator("#by").select_option("seat2")
        assert all("South" in text for text in found.all_inner_texts())
        page.locator("#by").select_option("")
        expect(page.locator("#found")).to_be_hidden()
        expect(page.locator("#moves")).to_be_visible()
        assert complaints == []


def test_the_page_verifies_the_record(page: Page, url: str, match: Match) -> None:
    ready(page, url)
    page.locator('[data-act="verify"]').click()
    expect(page.locator("#verdict")).to_contain_text("Equal: all")
    record = match.record.loaded()
    at_ply = next(ply for ply, event in enumerate(record["events"]) if event["event"] == "trick")
    record["events"][at_ply]["points"] += 1
    Record.objects.filter(match=match).delete()
    Record.of(match, json.dumps(record)).save()
    ready(page, url)
    page.locator('[data-act="verify"]').click()
    expect(page.locator("#verdict")).to_contain_text(f"Different in game 1, event {at_ply}: ")
    page.locator("#verdict a").click()
    at(page, at_ply)


class TestForesight:
    @pytest.mark.parametrize("script", [True, False])
    def test_a_seats_view_keeps_what_is_to_come_until_it_is_asked_for(
        self, browser: Any, url: str, script: bool
    ) -> None:
        context = browser.new_context(java_script_enabled=script)
        page = context.new_page()
        page.goto(f"{url}?ply=20&view=1")
        moves = page.locator("#moves a.move")
        expect(moves.nth(11)).to_be_visible()
        expect(moves.nth(40)).to_be_hidden()
        page.locator('[data-nav="next-card"]').click()
        expect(page.locator('#moves [data-ply="21"]')).to_be_visible()
        expect(page.locator('#moves [data-ply="22"]')).to_be_hidden()
        page.get_by_label("show later moves").check()
        expect(moves.nth(40)).to_be_visible()
        page.locator('.views [data-view="table"]').click()
        expect(moves.nth(40)).to_be_visible()
        expect(page.get_by_label("show later moves")).to_be_hidden()
        context.close()


class TestPlaying:
    def test_it_plays_pauses_and_stops_at_a_fault(self, browser: Browser, url: str, match: Match) -> None:
        events = match.record.loaded()["events"]
        fault = next(index for index, event in enumerate(events) if event["event"] == "fault")
        context = browser.new_context()
        page = context.new_page()
        page.clock.install()
        ready(page, f"{url}?ply={fault - 4}")
        page.locator('[data-act="speed"]').select_option("16")
        play = page.locator('[data-act="play"]')
        play.click()
        expect(play).to_have_attribute("aria-label", "Play")
        at(page, fault)
        page.locator("body").press("k")
        expect(play).to_have_attribute("aria-label", "Pause")
        wait_for(lambda: ply(page) > fault + 2)
        page.locator("body").press(" ")
        expect(play).to_have_attribute("aria-label", "Play")
        here = ply(page)
        page.clock.run_for(60_000)
        assert ply(page) == here
        context.close()


DRAWN = """() => {
    const plain = (node) => node.nodeType === 3 ? node.data.replace(/\\s+/g, ' ')
        : `<${node.localName} ${[...node.attributes].map((it) => `${it.name}=${it.value.trim().replace(/\\s+/g, ' ')}`)
            .sort().join(' ')}>${node.matches('[data-asked]') ? '' : [...node.childNodes].map(plain).join('')}`;
    const parts = ['where', 'caption', 'position', 'decision', 'moves'].map((id) => document.getElementById(id));
    const inside = parts.map((part) => [...part.childNodes].map(plain).join('').trim());
    const steps = [...document.querySelectorAll('.steps a')].map((it) => it.dataset.nav + it.getAttribute('href'));
    return [...inside, steps.join(' '), document.querySelector('#replay').dataset.rotate];
}"""


class TestOneTruth:
    @pytest.mark.parametrize("view", ["table", "1"])
    def test_every_way_to_a_ply_shows_what_the_server_draws_at_its_address(
        self, page: Page, url: str, match: Match, view: str
    ) -> None:
        """Forwards, backwards and by jumps over rounds: to the node the page at that address without a script."""
        last = len(match.record.loaded()["events"]) - 1
        forwards, jumps = list(range(1, 30)), [last, 3, 120, 81, 80, 79, 200, 0, 33]
        ready(page, f"{url}?view={view}")
        shown: dict[int, set[str]] = {}

        def look(number: int) -> None:
            at(page, number)
            shown.setdefault(number, set()).add(json.dumps(page.evaluate(DRAWN)))

        for number in forwards:
            page.keyboard.press("ArrowRight")
            look(number)
        for number in reversed(forwards[:-1]):
            page.keyboard.press("ArrowLeft")
            look(number)
        for number in jumps:
            page.locator("#scrub").fill(str(number))
            look(number)
        assert {number for number, ways in shown.items() if len(ways) > 1} == set()
        plain = page.context.browser.new_context(java_script_enabled=True).new_page()
        plain.route("**/replay.js", lambda route: route.abort())
        for number in (*forwards[::5], *jumps):
            plain.goto(f"{url}?ply={number}&view={view}")
            assert shown[number] == {json.dumps(plain.evaluate(DRAWN))}, number
        plain.context.close()


class TestDebugOutput:
    def test_the_owner_reads_it_beside_the_decision(
        self, page: Page, url: str, cast: Cast, log_in: Callable[[Page, User], None]
    ) -> None:
        log_in(page, cast.carl)
        ready(page, url)
        page.keyboard.press("e")
        expect(page.locator("#decision")).to_contain_text("clubs think 30")
        expect(page.locator("#where")).to_have_text("Round 2, trick 11")


def test_a_note_is_written_with_the_keyboard_and_marked(
    page: Page, url: str, cast: Cast, log_in: Callable[[Page, User], None], axe: Callable[[Page], None]
) -> None:
    log_in(page, cast.carl)
    ready(page, f"{url}?ply=9")
    page.keyboard.press("ArrowRight")
    at(page, 10)
    page.keyboard.press("n")
    expect(page.locator("#note-text")).to_be_focused()
    page.keyboard.type("Why **not** the king?")
    at(page, 10)
    page.locator("#note button").click()
    page.wait_for_url("**/?ply=10#notes")
    page.wait_for_selector("#replay.ready")
    link = page.locator(".notes li a")
    page.keyboard.press("Home")
    at(page, 0)
    link.click()
    at(page, 10)
    expect(link).to_have_attribute("aria-current", "true")
    assert page.locator(".ticks .noted").get_attribute("d") == "M10 0v8"
    expect(page.locator(".notes strong")).to_have_text("not")
    page.locator(".notes summary").click()
    for _, width in each_look(page):
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width
        axe(page)
    page.locator(".notes .acts button").click()
    expect(page.locator(".notes li")).to_have_count(0)


def test_axe_and_no_overflow(page: Page, url: str, axe: Callable[[Page], None], cast: Cast) -> None:
    Contest.objects.filter(pk=cast.contest.pk).update(name="A contest with a rather long name, 2098 edition")

    def look(where: str) -> None:
        for _, width in each_look(page):
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (where, width)
            axe(page)

    for query in ("ply=45&view=2", "ply=99999"):  # tests/browser/test_games.py looks at events of each kind
        ready(page, f"{url}?{query}")
        look(query)
    page.keyboard.press("?")
    look("the list of keys")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.keyboard.press("Home")
    page.keyboard.press("e")
    look("the fault")


def table_and_steps_are_on_one_screen(page: Page, height: int) -> None:
    page.locator(".stage").evaluate("it => it.scrollIntoView({block: 'start'})")
    for part in (".felt", ".steps", ".scrub", ".seat.at-0 .hand", ".seat.at-2 .hand"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= -1, part
        assert box["y"] + box["height"] <= height + 1, part


def test_a_swipe_is_a_step(browser: Any, url: str) -> None:
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 800})
    page = context.new_page()
    ready(page, f"{url}?ply=20")
    swipe = """([from, to]) => {
        const felt = document.querySelector('.felt');
        const touch = (x) => new Touch({identifier: 1, target: felt, clientX: x, clientY: 300});
        const fire = (type, list, changed) => felt.dispatchEvent(
            new TouchEvent(type, {bubbles: true, touches: list, changedTouches: changed}));
        fire('touchstart', [touch(from)], [touch(from)]);
        fire('touchend', [], [touch(to)]);
    }"""
    page.evaluate(swipe, [300, 120])
    at(page, 21)
    page.evaluate(swipe, [120, 300])
    at(page, 20)
    page.evaluate(swipe, [120, 130])  # too short to be one
    page.evaluate(swipe, [300, 120])
    at(page, 21)
    context.close()
