"""Uploading in a real browser: drag and drop, the keyboard, live updates, and the same without JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from submissions import intake
from submissions.models import Submission
from submissions.process import process
from tests.cast import Cast, make_team
from tests.looks import each_look
from tests.submissions import bots

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SOURCE = bots.kit("random.cpp")
DROP = """([files, selector]) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    const zone = document.querySelector(selector);
    for (const kind of ["dragover", "drop"]) {
        zone.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
}"""


@pytest.fixture
def home(cast: Cast, live_server: Any) -> str:
    return str(live_server.url + reverse("my-team", args=[cast.contest.slug]))


@pytest.fixture
def team_page(page: Page, cast: Cast, home: str, log_in: Callable[[Page, Any], None]) -> Iterator[Page]:
    """Alice on her team's page; any script error on the page fails the test."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda it: complaints.append(it.text) if "Content Security Policy" in it.text else None)
    log_in(page, cast.alice)
    page.goto(home)
    yield page
    assert not complaints


def drop(page: Page, *files: tuple[str, str]) -> None:
    page.evaluate(DROP, [list(files), "[data-dropzone]"])


def test_a_source_and_its_strategy_are_dropped_together(team_page: Page, cast: Cast) -> None:
    drop(team_page, ("shark.cpp", SOURCE.decode()), ("plan.txt", "Eights first."))
    expect(team_page.locator("[data-chosen]")).to_contain_text("shark.cpp (")
    expect(team_page.locator("[data-chosen]")).to_contain_text("plan.txt (strategy, 13 bytes)")
    team_page.get_by_role("button", name="Upload").click()
    expect(team_page.locator(".messages")).to_contain_text("Version 1")
    version = cast.aces.submissions.get()
    assert (bytes(version.source), version.strategy) == (SOURCE, "Eights first.")


def test_a_dropped_file_that_cannot_be_right_is_named_at_once(team_page: Page) -> None:
    drop(team_page, ("big.cpp", "x" * 300_000))
    expect(team_page.locator("[data-chosen]")).to_contain_text("too large: at most 256.0 KB")
    drop(team_page, ("nothing.cpp", ""))
    expect(team_page.locator("[data-chosen]")).to_contain_text("nothing.cpp (0 bytes, empty)")


def test_a_file_dropped_beside_the_zone_does_not_replace_the_page(team_page: Page, home: str) -> None:
    team_page.evaluate(DROP, [[["shark.cpp", "x"]], "h1"])
    assert team_page.url == home


@pytest.mark.sandbox
def test_the_news_of_a_version_comes_by_itself(team_page: Page, home: str, upload: Callable[..., Submission]) -> None:
    version = upload(SOURCE, "shark.cpp")
    team_page.goto(home)
    row = team_page.get_by_role("row", name="Version 1")
    expect(row).to_contain_text("Queued")
    team_page.evaluate("document.title = 'not reloaded'")
    process(version.pk)
    expect(row).to_contain_text("Ready Active")
    expect(team_page.get_by_role("status").filter(has_text="Your bot is ready and active.")).to_be_visible()
    assert team_page.title() == "not reloaded"
    assert team_page.locator("#versions").get_attribute("hx-trigger") is None, "a finished list polls no more"


def test_all_of_it_by_the_keyboard(team_page: Page, cast: Cast) -> None:
    """Paste a source, choose its language and send it without touching the mouse."""
    team_page.locator("summary", has_text="Paste the source").focus()
    team_page.keyboard.press("Enter")
    team_page.keyboard.press("Tab")
    team_page.keyboard.insert_text("print('hello')\n")
    team_page.keyboard.press("Tab")
    team_page.keyboard.type("hello")
    team_page.keyboard.press("Tab")
    team_page.keyboard.type("Py")
    for _ in range(3):
        team_page.keyboard.press("Tab")
    assert team_page.evaluate("document.activeElement.textContent") == "Upload"
    team_page.keyboard.press("Enter")
    expect(team_page.locator(".messages")).to_contain_text("Version 1")
    version = cast.aces.submissions.get()
    assert (version.filename, version.language, bytes(version.source)) == ("hello.py", "python", b"print('hello')\n")


def test_without_javascript(
    browser: Browser, cast: Cast, home: str, log_in: Callable[[Page, Any], None], tmp_path: Path
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, cast.alice)
    page.goto(home)
    wrong = tmp_path / "shark.xyz"
    wrong.write_bytes(SOURCE)
    page.get_by_label("Source file").set_input_files(wrong)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("No language uses the extension “.xyz”")).to_be_visible()
    expect(page.get_by_label("paste the source")).to_have_value(SOURCE.decode())
    page.get_by_label("File name").fill("shark.cpp")
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("row", name="Version 1")).to_contain_text("Queued")
    assert cast.aces.submissions.get().filename == "shark.cpp"
    page.get_by_role("link", name="Version 1").click()
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible()
    page.get_by_role("link", name="Source").click()
    expect(page.locator("#L5")).to_be_attached()
    page.context.close()


@pytest.mark.sandbox
def test_every_page_is_accessible_and_fits_a_phone(
    page: Page,
    cast: Cast,
    home: str,
    live_server: Any,
    upload: Callable[..., Submission],
    axe: Callable[[Page], None],
    log_in: Callable[[Page, Any], None],
) -> None:
    def look(address: str) -> None:
        page.goto(address)
        for _, width in each_look(page):
            overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert overflow <= 0, f"{address} is {overflow} px too wide at {width}"
            axe(page)

    log_in(page, cast.alice)
    look(home)
    plan = intake.Upload("plan.txt", b"Eights first.")
    long_name = "a_name_that_goes_on_and_on_" * 3 + ".py"
    for source, name in ((bots.TALKS, "talker.py"), (bots.DOES_NOT_COMPILE, "shark.cpp"), (bots.CHEATS, long_name)):
        process(upload(source, name, strategy=plan).pk)
    upload(b"print()\n", "last.py")
    look(home)
    for number in (1, 2, 3, 4):
        look(f"{home}{number}/")
    look(f"{home}3/source/")
    look(f"{home}3/diff/?against=1")
    team = make_team(cast.contest, name="A team with a name as long as the portal lets it be, or so")
    upload(b"x = 1\n", team=team, user=team.memberships.get().user)
    log_in(page, cast.olga)
    look(live_server.url + reverse("desk-versions", args=[cast.contest.slug]))
    look(live_server.url + reverse("version", args=[cast.contest.slug, cast.aces.pk, 3]))
