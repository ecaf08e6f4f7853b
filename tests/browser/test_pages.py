"""Brackets, standings, matches and teams in a browser: they update by themselves, and axe finds nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from contest.models import Contest
from games.engine import Fault, FaultKind
from tests.looks import each_look
from tests.tournaments import scenes
from tests.tournaments.records import Scripted
from tournaments.models import Match, MatchSeat, Stage
from tournaments.organising import stages

pytestmark = pytest.mark.django_db(transaction=True)

LONG = (
    "The Quick Brown Fox Jumps Over The Lazy Dog, Team of Ogden 7",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
)


def bots(seat: MatchSeat) -> Scripted:
    fault = Fault(FaultKind.VIOLATION, "openat /etc/passwd")
    return Scripted(fault, at=20) if seat.name == "Team 003" else Scripted()


@pytest.fixture
def contest() -> Contest:
    contest = scenes.small_contest(name="Autumn Cup")
    scenes.enter(contest, 11, LONG)
    return contest


@pytest.fixture
def stage(contest: Contest) -> Stage:
    return scenes.stage_of(contest, advance=2)


@pytest.fixture
def finished(stage: Stage) -> Stage:
    """Played to the end, with a match that was voided and played again."""
    scenes.play_all(stage, bots)
    owner = stage.contest.roles.get().user
    stages.void(stage.matches.order_by("-id").first(), owner, "The hall lost its power")
    return scenes.play_all(stage, bots)


class TestLiveBracket:
    @pytest.fixture
    def url(self, live_server: Any, stage: Stage) -> str:
        return f"{live_server.url}{stage.get_absolute_url()}"

    def test_a_team_is_followed_through_updates(self, page: Page, url: str, stage: Stage) -> None:
        page.goto(url)
        page.locator("#find-team").select_option(label=f"1. {LONG[0]}")
        expect(page.locator(".box li.mine")).to_have_count(1)
        expect(page).to_have_url(re.compile("team="))
        scenes.play_all(stage, lambda seat: Scripted())
        expect(page.locator(".champion")).to_be_visible()
        assert page.locator(".box li.mine").count() >= 1

    def test_it_can_be_read_and_followed_without_a_script(self, browser: Any, url: str, stage: Stage) -> None:
        scenes.play_match(stage.matches.first())
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(url)
        page.locator("#find-team").select_option(index=2)
        page.locator("button", has_text="Show").click()
        expect(page.locator(".box li.mine")).not_to_have_count(0)
        page.locator(".box h3 a").first.click()
        expect(page.locator("h1")).to_contain_text("Round 1, table 1 (match ")
        context.close()


def test_a_match_shows_its_result_as_soon_as_there_is_one(page: Page, live_server: Any, stage: Stage) -> None:
    match = stage.matches.first()
    page.goto(f"{live_server.url}{match.get_absolute_url()}")
    expect(page.locator("#match")).to_contain_text("in the queue")
    scenes.play_match(match)
    page.get_by_role("link", name="Watch the replay").click()
    expect(page.locator("#replay")).to_be_visible()


def test_paper_gets_all_teams_with_the_heads_on_every_page(page: Page, live_server: Any) -> None:
    contest = scenes.small_contest(name="Autumn Cup")
    stage = scenes.many(contest, 200, 400)
    page.goto(f"{live_server.url}{reverse('standings', args=[contest.slug])}?stage=rating")
    expect(page.locator("tbody tr")).to_have_count(50)
    page.get_by_role("link", name="All 200 teams on one page, to print").click()
    expect(page.locator("tbody tr")).to_have_count(200)
    assert 3 <= pages_of(page.pdf(format="A4")) <= 8
    page.emulate_media(media="print")
    assert page.locator("thead").evaluate("it => getComputedStyle(it).display") == "table-header-group"
    page.set_viewport_size({"width": 703, "height": 1000})  # A4 between its margins
    for address in (page.url, stage.matches.first().get_absolute_url(), reverse("rules", args=[contest.slug])):
        page.goto(page.url if address == page.url else f"{live_server.url}{address}")
        wide = "[...document.querySelectorAll('main *')].filter(it => it.getBoundingClientRect().right > 704).length"
        assert page.evaluate(wide) == 0, address


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf))


def test_brackets_and_matches_in_every_state_fit_with_all_names(
    page: Page, live_server: Any, finished: Stage, axe: Callable[[Page], None]
) -> None:
    contest = finished.contest
    fresh = scenes.stage_of(contest, "Second chance", started=False)
    running = scenes.stage_of(contest, "Third chance")
    Match.objects.filter(pk=running.matches.first().pk).update(state="running", started_at=contest.opens_at)
    faulty = MatchSeat.objects.filter(faults__gt=0).first()
    void = finished.matches.filter(state="void").first()
    team = contest.teams.get(name=LONG[0])
    addresses = [
        finished.get_absolute_url() + f"?team={team.pk}",
        fresh.get_absolute_url(),
        running.get_absolute_url(),
        faulty.match.get_absolute_url(),
        void.get_absolute_url(),
    ]
    for address in addresses:
        page.goto(f"{live_server.url}{address}")
        for _, width in each_look(page):
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), address
            if width == 320:
                names = "[...document.querySelectorAll('.box .name')]"
                cut = f"{names}.filter(name => name.scrollWidth > name.clientWidth).length"
                assert page.evaluate(cut) == 0, address
            axe(page)
