"""A seat at a table in a browser: the real web server, the real casual server, and people who play with mouse, keys and
fingers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from contest.models import User
from tests.contest.server import served
from tests.looks import each_look
from tests.tournaments.casual import parlour
from tests.waiting import wait_for
from tournaments.casual.limits import Who
from tournaments.models import CasualGame

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = "localStorage.setItem('kibitz.seat', JSON.stringify({pace: 'none', deals: 'go'}))"
FINGER = 44  # pixels


class Place:
    """The web server and the casual server."""

    def __init__(self, environment: dict[str, str], log: Path, web: served.Server) -> None:
        self.environment, self.log, self.web = environment, log, web
        self.tables = parlour.ServerProcess(environment, log)

    def url(self, path: str) -> str:
        return f"http://localhost:{self.web.port}{path}"

    def restart(self) -> None:
        self.tables.stop()
        self.tables = parlour.ServerProcess(self.environment, self.log)

    def sit(self, page: Page, user: User, table: CasualGame) -> None:
        """Open a game in progress in the browser of somebody who sits there."""
        self.go(page, user, table)
        page.wait_for_selector("#seat.ready")

    def go(self, page: Page, user: User, table: CasualGame) -> None:
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": self.url("/")}])
        page.add_init_script(AT_ONCE)
        page.goto(self.url(table.get_absolute_url()))


@pytest.fixture
def place(portal_env: dict[str, str], tmp_path: Path) -> Iterator[Place]:
    environment = portal_env | {"DEBUG": "1"}
    with served.started(tmp_path / "web.log", "-w", "1", environment=environment) as web:
        found = Place(portal_env, tmp_path / "tables.log", web)
        yield found
        found.tables.kill()


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password="x")


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """Failed scripts and violations of the content security policy. A refused card is an answer, not a failure."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on(
        "console",
        lambda told: found.append(told.text) if told.type == "error" and "409" not in told.text else None,
    )
    return found


def table_for(user: User, game: str, people: tuple[int, ...] = (0,), **values: Any) -> CasualGame:
    table, _ = parlour.table(game, Who(user), people=people, **values)
    return table


def is_over(page: Page) -> bool:
    return page.locator("section#result").count() > 0


def wait_turn(page: Page) -> bool:
    """Wait until something is asked. False: the game is over."""
    wait_for(
        lambda: page.locator("#seat.mine").count() > 0 or is_over(page),
        lambda: page.locator("#seat").inner_text(),
    )
    return not is_over(page)


def row(page: Page) -> Locator:
    return page.locator("#offer" if page.locator("#seat.offered").count() else "#hand")


def decide_by_mouse(page: Page, press: Callable[[Locator], None] = Locator.click) -> None:
    legal = row(page).locator(".legal")
    if page.locator("#confirm").is_visible():
        for place in range(3):
            press(legal.nth(place))
        press(page.locator("#confirm"))
    elif legal.count():
        press(legal.first)
    else:
        press(page.locator("#answers button").first)


def decide_by_keys(page: Page) -> None:
    if page.locator("#confirm").is_visible():
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.keyboard.press("3")
        page.keyboard.press("c")
    else:
        page.keyboard.press("1")


def play_on(page: Page, decide: Callable[[Page], None], until: Callable[[], bool] = lambda: False) -> None:
    while wait_turn(page) and not until():
        decide_once(page, decide)


def decide_once(page: Page, decide: Callable[[Page], None]) -> None:
    asked = page.locator("#seat").get_attribute("data-asked")
    decide(page)
    wait_for(
        lambda: page.locator("#seat").get_attribute("data-asked") != asked or is_over(page),
        lambda: page.locator("#seat").inner_text(),
    )


def test_the_time_left_goes_by_the_clock_of_the_server(page: Page, place: Place, anna: User) -> None:
    page.add_init_script("window.real = Date.now; window.wrong = 180_000; Date.now = () => real() + wrong")
    place.sit(page, anna, table_for(anna, "intensity"))
    ask = "import('/static/js/countdown.js').then((it) => it.leftUntil(real() + 60_000))"
    for minutes in (3, 7, -7):  # as it is from the start, and set while the page is open
        page.evaluate("(minutes) => { window.wrong = minutes * 60_000 }", minutes)
        wait_for(lambda: 50_000 < page.evaluate(ask) < 61_000)
    hidden = """async () => {
        const { Decision } = await import("/static/js/seat_decision.js");
        const decision = new Decision(document.querySelector("#seat"), {}, { story: { decided: () => 0, speak() {} } });
        return [-1000, 50_000].map((left) => {
            decision.ask({ number: 999, kind: "play", limit_ms: 60_000, due_ms: real() + left });
            return document.querySelector("#clock").hidden;
        });
    }"""
    assert page.evaluate(hidden) == [True, False], "the portal started anew, and gives more time for the same question"


def test_whole_games_of_every_kind_by_mouse_keys_and_touch(
    page: Page, browser: Browser, place: Place, anna: User, complaints: list[str]
) -> None:
    touch = browser.new_context(has_touch=True, viewport={"width": 390, "height": 844})
    finger = touch.new_page()
    finger.on("pageerror", lambda error: complaints.append(str(error)))
    for game, window, decide in (
        ("even_steven", page, decide_by_mouse),
        ("barracuda", page, decide_by_keys),  # hearts and tricky_eights: see the next test
        ("intensity", finger, lambda it: decide_by_mouse(it, Locator.tap)),
    ):
        table = table_for(anna, game)
        place.sit(window, anna, table)
        play_on(window, decide)
        expect(window.locator("#result-title")).to_be_visible()
        table.refresh_from_db()
        assert table.state == CasualGame.State.OVER
        assert table.notes["house"] == {}, f"the house decided for anna in {game}"
        window.get_by_role("button", name="Play again").click()
        window.wait_for_selector("#seat.ready")
        assert wait_turn(window)
    touch.close()
    assert complaints == []


@pytest.mark.parametrize(("game", "decide"), [("hearts", decide_by_mouse), ("tricky_eights", decide_by_keys)])
def test_a_whole_game_with_reloads_and_a_lost_connection(
    page: Page, place: Place, anna: User, complaints: list[str], game: str, decide: Callable[[Page], None]
) -> None:
    """At every fifth turn of their own the page is loaded again, and once the connection is cut."""
    table = table_for(anna, game)
    place.sit(page, anna, table)
    turns = 0
    while wait_turn(page):
        turns += 1
        if turns % 5 == 0:
            page.reload()
            page.wait_for_selector("#seat.ready")
            assert wait_turn(page)
        if turns == 12:
            place.web.stop()
            expect(page.locator("#lost")).to_be_visible()
            place.web.start()
            expect(page.locator("#lost")).to_be_hidden()
            assert wait_turn(page)
        decide_once(page, decide)
    expect(page.locator("#result-title")).to_be_visible()
    table.refresh_from_db()
    assert table.notes["house"] == {}, "the house decided for anna"
    assert turns > 12, "else the connection was never lost"
    assert [told for told in complaints if "ERR_CONNECTION_REFUSED" not in told] == []


def test_a_refused_card_says_why_beside_it_and_aloud(page: Page, place: Place, anna: User) -> None:
    place.sit(page, anna, table_for(anna, "hearts"))
    play_on(page, decide_by_mouse, until=lambda: page.locator("#hand .dim").count() > 0)
    refused = page.locator("#hand .dim").first
    name = refused.get_attribute("aria-label")
    held = page.locator("#hand button").count()
    refused.click(force=True)  # aria-disabled: it explains itself
    why = page.locator("#why")
    expect(why).to_be_visible()
    expect(why).to_contain_text("You ")
    expect(page.locator("#warned")).to_have_text(why.inner_text())
    box, card = why.bounding_box(), refused.bounding_box()
    assert box is not None
    assert card is not None
    assert box["y"] + box["height"] <= card["y"], "the words stand over the card"
    assert box["x"] - 20 <= card["x"] + card["width"] / 2 <= box["x"] + box["width"] + 20
    assert page.locator("#hand button").count() == held, f"{name} was not played"
    page.keyboard.press("Escape")
    expect(why).to_be_hidden()


def test_a_lost_connection_and_a_new_server_are_shown_and_healed(
    page: Page, context: BrowserContext, place: Place, anna: User
) -> None:
    place.sit(page, anna, table_for(anna, "intensity"))
    assert wait_turn(page)
    decide_by_mouse(page)
    assert wait_turn(page)
    context.set_offline(True)
    before = page.locator("#hand button").count()
    page.locator("#hand .legal").first.click()
    expect(page.locator("#lost")).to_be_visible()
    assert page.locator("#hand button").count() == before, "what the server does not know has not happened"
    context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#hand button")).to_have_count(before - 1)
    place.restart()
    play_on(page, decide_by_mouse)


LOOK_AWAY_AND_BACK = """() => {
    for (const hidden of [true, false]) {
        Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
        document.dispatchEvent(new Event("visibilitychange"));
    }
}"""


def test_whoever_looks_away_and_comes_back_is_still_asked(page: Page, place: Place, anna: User) -> None:
    place.sit(page, anna, table_for(anna, "intensity"))
    for _ in range(8):
        assert wait_turn(page)
        page.evaluate(LOOK_AWAY_AND_BACK)
        expect(page.locator("#seat.mine")).to_have_count(1)
        decide_by_mouse(page)


def test_a_small_phone_has_it_all_on_one_screen(
    page: Page, place: Place, anna: User, axe: Callable[[Page], None]
) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    place.sit(page, anna, table_for(anna, "hearts"))
    for size in ({"width": 320, "height": 568}, {"width": 568, "height": 320}):
        page.set_viewport_size(size)
        assert wait_turn(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        for part in (".felt", "#hand", "#confirm"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert 0 <= box["y"] <= size["height"] + 1 - box["height"], (part, size, box)
        small = page.evaluate(
            """least => [...document.querySelectorAll('#seat .stage button')].filter(it => it.offsetParent)
            .map(it => [it.textContent, it.getBoundingClientRect()])
            .filter(([, box]) => Math.min(box.width, box.height) < least - 0.5)
            .map(([text, box]) => `${text} ${box.width} × ${box.height}`)""",
            FINGER,
        )
        assert small == []
    for _ in each_look(page):
        axe(page)
    page.emulate_media(forced_colors="active")
    page.locator("#hand .legal").first.click()
    styles = page.locator("#hand .legal").evaluate_all("it => it.map(each => getComputedStyle(each).outlineStyle)")
    assert [styles[0], *set(styles[1:])] == ["double", "solid"], "chosen and legal cards differ by their frames"
    page.locator("#hand .chosen").click()
    play_on(page, decide_by_mouse, until=lambda: page.locator("#hand .dim").count() > 0)
    axe(page)


def test_without_scripts_a_form_plays_the_game_on_a_small_phone(browser: Browser, place: Place) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 320, "height": 568})
    page = context.new_page()
    page.goto(place.url("/play/"))
    page.get_by_role("button", name=re.compile("Play now.*Even Steven")).click()
    while not page.locator("#result-title").count():
        if page.locator("#plain input").count():
            looks_alive(page)
            expect(page.locator("#plain .advice .advice-now")).to_be_visible()
            page.locator("#plain input[type=radio]").first.check()
            page.locator("#plain button[type=submit]").first.click()
        else:
            page.goto(page.url)
    looks_alive(page)
    expect(page.locator(".advice .advice-title")).to_be_visible()
    context.close()


def looks_alive(page: Page) -> None:
    """Everything that is shown does something, and nothing is cut off."""
    page.wait_for_load_state()  # with its styles
    buttons = page.locator("#seat button:visible")
    for button in buttons.all():
        assert button.get_attribute("type") == "submit", button.inner_text()
    for part in (".tools", "#hand", "#clock", "#prompt", ".log"):
        expect(page.locator(part)).to_be_hidden()
    # Playwright runs this itself; the page's own scripts are off.
    wide, cut = page.evaluate(
        """() => [document.documentElement.scrollWidth, [...document.querySelectorAll('#plain, #plain *')]
        .filter(it => it.offsetParent && getComputedStyle(it).overflowY !== 'visible'
            && it.scrollHeight > it.clientHeight + 1).map(it => it.className)]"""
    )
    assert (wide <= 320, cut) == (True, [])


def test_where_people_choose_is_for_everybody(page: Page, place: Place, axe: Callable[[Page], None]) -> None:
    page.goto(place.url("/play/tricky_eights/"))
    page.get_by_label("I sit at East").check()
    expect(page.get_by_label("Who sits at East")).to_be_hidden()
    page.get_by_label("All opponents").select_option(label="Easy: random")
    page.get_by_label("Who sits at South").select_option(label="Open seat, for a friend")
    page.get_by_label("Show this table to everybody").check()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_label("Link to this table")).to_be_visible()
    axe(page)
    table = CasualGame.objects.get()
    assert [(seat.kind, seat.house if seat.kind == "house" else "") for seat in table.seats.all()] == [
        ("house", "random"), ("person", ""), ("person", ""), ("house", "random"),
    ]  # fmt: skip
    assert table.seats.get(index=1).is_here
    page.get_by_role("button", name="Start now").click()
    page.wait_for_selector("#seat.ready")
