"""The whole story in a real browser, with a real broker, worker and sandbox: from sign-up to a champion's replay."""

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from contest.models import Contest
from games import record as records
from tests.cast import PASSWORD, make_user
from tournaments.models import Match

pytestmark = pytest.mark.django_db(transaction=True)
LONG = 60_000
"""Milliseconds for pages, builds and matches; a bot is built in about a second."""


def person(browser: Browser, live_server: Any) -> Page:
    """A separate browser, at the front page."""
    page = browser.new_context(base_url=live_server.url, accept_downloads=True).new_page()
    page.set_default_timeout(LONG)
    page.goto("/")
    return page


def log_in_by_hand(page: Page, username: str) -> None:
    page.get_by_role("link", name="Log in").first.click()
    page.get_by_label("Username or email", exact=False).or_(page.locator("[name=login]")).first.fill(username)
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page).not_to_have_url(re.compile("/accounts/login/"))


def sign_up(page: Page, username: str) -> None:
    page.locator("[name=email]").fill(f"{username}@school.example")
    page.locator("[name=username]").fill(username)
    page.locator("[name=password1]").fill(PASSWORD)
    page.locator("[name=password2]").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()


def enter(page: Page, contest: Contest, username: str, team: str) -> None:
    page.get_by_role("link", name=contest.name).first.click()
    page.get_by_role("link", name=re.compile("Enter")).first.click()
    page.get_by_role("link", name="Sign up").last.click()
    sign_up(page, username)
    page.get_by_label("Team name").fill(team)
    page.get_by_label("School or company").fill(f"{team} High School")
    page.get_by_role("button", name="Enter the team").click()
    expect(page.locator("body")).to_contain_text(team)


def kit_file(page: Page, contest: Contest, name: str, folder: Path) -> Path:
    """Download the kit from the rules page, as a person does, and unpack one file of it."""
    page.goto(f"/c/{contest.slug}/rules/")
    with page.expect_download() as download:
        page.get_by_role("link", name="C++", exact=True).first.click()
    archive = zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes()))
    inside = next(it for it in archive.namelist() if it.endswith(f"/{name}") or it == name)
    file = folder / name
    file.write_bytes(archive.read(inside))
    return file


def upload(page: Page, contest: Contest, source: Path) -> None:
    page.goto(f"/c/{contest.slug}/my/")
    page.locator("input[name=source]").set_input_files(source)
    page.locator("textarea[name=strategy_text]").fill("It plays any legal card and hopes for the best.")
    page.get_by_role("button", name="Upload", exact=True).click()


def make_contest_by_hand(page: Page, name: str) -> Contest:
    page.goto("/c/new/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Points that end a game").fill("75")
    page.get_by_role("button", name="Create the contest").click()
    expect(page).to_have_url(re.compile("/desk/"))
    return Contest.objects.get(name=name)


def schedule_and_start(page: Page, contest: Contest) -> None:
    page.goto(f"/c/{contest.slug}/desk/stages/new/")
    page.get_by_label("Name").fill("The Cup")
    page.get_by_role("button", name="Create the stage").click()
    page.get_by_role("button", name="Publish", exact=True).click()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Start now").click()


def test_a_contest_from_signing_up_to_the_replay(
    browser: Browser, live_server: Any, celery_worker_process: Callable[..., Any], tmp_path: Path
) -> None:
    celery_worker_process(concurrency=2)
    make_user("ada", is_staff=True)

    organiser = person(browser, live_server)
    log_in_by_hand(organiser, "ada")
    contest = make_contest_by_hand(organiser, "Winter Cup")

    # A student signs up on the way to entering, and uploads the kit's random player unchanged.
    alice = person(browser, live_server)
    enter(alice, contest, "alice", "Aces of East High")
    source = kit_file(alice, contest, "random.cpp", tmp_path)
    upload(alice, contest, source)
    expect(alice.locator("main")).to_contain_text("Ready", timeout=LONG)  # without reloading the page

    # A second team first makes a mistake and is told what is wrong and where.
    bob = person(browser, live_server)
    enter(bob, contest, "bob", "Bees of West High")
    broken = tmp_path / "broken.cpp"
    broken.write_text('#include "acm98.h"\nint TakeCard() { return nothing_like_that; }\n', encoding="utf-8")
    upload(bob, contest, broken)
    expect(bob.locator("main")).to_contain_text("Rejected", timeout=LONG)
    bob.goto(f"/c/{contest.slug}/my/1/")
    expect(bob.locator("main")).to_contain_text("nothing_like_that")
    expect(bob.locator("main")).to_contain_text("broken.cpp:2")
    upload(bob, contest, source)
    expect(bob.locator("main")).to_contain_text("Ready", timeout=LONG)

    # The organiser draws the bracket and starts it; a spectator watches it fill in without touching the page.
    schedule_and_start(organiser, contest)
    stage = contest.stages.get(name="The Cup")
    spectator = person(browser, live_server)
    spectator.goto(f"/c/{contest.slug}/bracket/{stage.pk}/")
    expect(spectator.locator("main")).to_contain_text("Champion", timeout=LONG)
    for team in ("Aces of East High", "Bees of West High"):
        expect(spectator.locator("main")).to_contain_text(team)

    # From the bracket to the match, its game, a position, and back to the downloads.
    match = Match.objects.valid().filter(stage=stage).latest("pk")
    assert match.state == Match.State.DONE
    spectator.goto(match.get_absolute_url())
    spectator.locator(f"a[href^='/m/{match.pk}/1/']").first.click()
    expect(spectator).to_have_url(re.compile(rf"/m/{match.pk}/1/"))
    spectator.wait_for_selector("#replay.ready")  # the script that handles keys is loaded
    for ply in (1, 2):
        spectator.keyboard.press("ArrowRight")
        expect(spectator).to_have_url(re.compile(rf"ply={ply}$"))
    there = spectator.url
    spectator.reload()
    assert spectator.url == there

    answer = spectator.request.get(f"/m/{match.pk}/record.json")
    assert answer.ok
    record = records.loads(answer.text())
    assert records.verify(record) is None
    assert {seat["name"] for seat in record["seats"]} >= {"Aces of East High", "Bees of West High"}
    log = spectator.request.get(f"/m/{match.pk}/1/te.log")
    assert log.ok
    assert "starthand" in log.text()
