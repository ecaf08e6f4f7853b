"""Uploading in a real browser: drag and drop, the keyboard, live updates, and the same without JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from submissions.models import Submission
from submissions.process import process
from tests.cast import Cast
from tests.looks import each_look
from tests.submissions import bots

pytestmark = [pytest.mark.long("browser"), pytest.mark.django_db(transaction=True)]

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


FOLDER = """([files, top]) => {
    // Entries as a browser makes them for a dropped folder, which scripts cannot make themselves.
    const tree = {};
    for (const [path, text] of files) {
        const parts = path.split("/");
        const name = parts.pop();
        let here = tree;
        for (const part of parts) here = here[part] ??= {};
        here[name] = new File([text], name);
    }
    const entryOf = (name, what) => what instanceof File
        ? { name, isFile: true, isDirectory: false, file: (done) => done(what) }
        : { name, isFile: false, isDirectory: true, createReader: () => {
              let rest = Object.entries(what).map(([name, what]) => entryOf(name, what));
              return { readEntries: (done) => { done(rest.splice(0, 2)); } };
          } };
    const drop = new DragEvent("drop", { bubbles: true, cancelable: true });
    const items = [{ webkitGetAsEntry: () => entryOf(top, tree) }];
    Object.defineProperty(drop, "dataTransfer", { value: { files: [], items, types: ["Files"] } });
    document.querySelector("[data-dropzone]").dispatchEvent(drop);
}"""
BOARD = [
    ("src/main.c", '#include "board.h"\nint main(void) { return board(); }\n'),
    ("src/board.c", "int board(void) { return 7; }\n"),
    ("src/other.c", "int main(void) { return 1; }\n"),
    ("include/board.h", "int board(void);\n"),
    (".git/config", "secret"),
]


def test_a_dropped_folder_is_understood_before_it_is_uploaded(team_page: Page, cast: Cast, home: str) -> None:
    team_page.evaluate(FOLDER, [BOARD, "shark"])
    shown = team_page.locator("[data-understood]")
    expect(shown).to_contain_text("A C program of 4 files")
    expect(shown).to_contain_text("It starts with src/main.c: it is called main.c.")
    expect(shown.locator(".tree li", has_text="board.h").last).to_contain_text("17 bytes")
    shown.get_by_label("Entry file").select_option("src/other.c")
    expect(shown).to_contain_text("It starts with src/other.c: you chose it.")
    team_page.get_by_role("button", name="Upload", exact=True).click()
    expect(team_page.locator(".messages")).to_contain_text("Version 1")
    version = cast.aces.submissions.get()
    assert (version.filename, set(version.all_files())) == ("src/other.c", {path for path, _ in BOARD[:4]})
    team_page.goto(f"{home}1/source/")
    tree = team_page.get_by_role("navigation", name="Files")
    expect(tree.locator("[aria-current=page]")).to_have_text("other.c")
    tree.get_by_role("link", name="board.c").click()
    expect(team_page.get_by_role("heading", name="src/board.c")).to_be_visible()
    expect(team_page.locator(".source")).to_contain_text("return 7;")
    team_page.goto(home)
    drop(team_page, ("a.c", "int main() {}"), ("b.c", "int main() { return 1; }"))
    expect(shown).to_contain_text("Several files could start the program: a.c or b.c.")
    drop(team_page, ("bot.py", "print()"))
    expect(shown).to_contain_text("bot.py is a Python program.")
    expect(shown.get_by_label("Entry file")).to_have_count(0)


def test_what_was_chosen_is_sent_though_it_was_saved_again(team_page: Page, cast: Cast, tmp_path: Path) -> None:
    """Chromium itself refuses to send a file that has changed since, and loses what was typed."""
    shark = tmp_path / "shark.cpp"
    shark.write_bytes(SOURCE)
    team_page.get_by_label("Source files").set_input_files(shark)
    expect(team_page.locator("[data-chosen]")).to_contain_text("shark.cpp (")
    shark.write_bytes(SOURCE + b"// saved again\n")
    team_page.locator("summary", has_text="Strategy text").click()
    team_page.get_by_label("Or write it here").fill("Eights first.")
    team_page.get_by_role("button", name="Upload", exact=True).click()
    expect(team_page.locator(".messages")).to_contain_text("Version 1")
    version = cast.aces.submissions.get()
    assert (bytes(version.source), version.strategy) == (SOURCE, "Eights first.")


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
    expect(page.locator("#id_language_error")).to_contain_text("No language uses the extension “.xyz”")
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


def test_a_check_game_and_what_changed_are_accessible_and_fit_a_phone(
    page: Page,
    cast: Cast,
    home: str,
    upload: Callable[..., Submission],
    axe: Callable[[Page], None],
    log_in: Callable[[Page, Any], None],
) -> None:
    long_name = "a_name_that_goes_on_and_on_" * 3 + ".py"
    for source, name in ((bots.DOES_NOT_COMPILE, "shark.cpp"), (bots.CHEATS, long_name)):
        process(upload(source, name).pk)
    log_in(page, cast.alice)
    for address in (f"{home}1/", f"{home}2/", f"{home}2/check/1/1/", f"{home}2/diff/?against=1"):
        page.goto(address)
        for _, width in each_look(page):
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
            axe(page)
