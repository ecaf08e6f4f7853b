"""Every kind of page: axe finds nothing in it, light and 1280 px wide, and dark and 320 px wide. Nothing sticks out.

A kind of page is a template. All addresses of the portal are asked, by three readers, in a contest in which a little of
everything has happened; of each template the browser opens one page. A template that none of them reaches must be
looked at by another test, which the table below names. So a new page is found by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import reverse
from playwright.sync_api import Page

from contest.models import Team, User
from tests.cast import make_user
from tests.looks import each_look
from tests.pages.whole_portal import ERRORS, World, found, pages
from tests.tournaments import scenes
from tests.tournaments.practice.laboratory import asked, laboratory, played_out

pytestmark = pytest.mark.django_db(transaction=True)

ELSEWHERE = {
    "casual/table.html": "tests/browser/test_seat.py",
    "mfa/": "tests/browser/test_account.py",
    "replay/replay.html": "tests/browser/test_replay.py",
    "replay/running.html": "tests/browser/test_live.py",
    "replay/sheets.html": "tests/browser/test_paper.py",
    "replay/transcript.html": "tests/browser/test_paper.py",
    "submissions/check_game.html": "tests/submissions/test_browser.py",
    "submissions/diff.html": "tests/submissions/test_browser.py",
    "tournaments/rounds.html": "tests/browser/test_stages.py",
}
"""The beginnings of the names of templates, and the test that looks at them in every look."""


@pytest.fixture
def world() -> World:
    world = World()
    Team.objects.filter(pk=world.team.pk).update(name="The Quick Brown Fox Jumps Over The Lazy Dog, Team of Ogden 7")
    return world


def pages_of_a_trial() -> dict[str, tuple[User, str]]:
    contest, team = laboratory()
    trial = asked(team, cap=12)
    played_out(trial)
    reader = team.people()[0].user
    return {
        "tournaments/trial.html": (reader, reverse("trial", args=[contest.slug, trial.pk])),
        "tournaments/trial_pair.html": (reader, reverse("trial-pair", args=[contest.slug, trial.pk, 1])),
    }


def page_of_a_stage_in_progress() -> dict[str, tuple[User, str]]:
    owner = make_user()
    contest = scenes.small_contest(owner)
    scenes.enter(contest, 9)
    stage = scenes.stage_of(contest)
    return {
        "tournaments/desk/stage_timetable.html": (owner, reverse("desk-stage-timetable", args=[contest.slug, stage.pk]))
    }


def test_every_kind_of_page_in_every_look(
    page: Page, live_server: Any, log_in: Callable[[Page, Any], None], axe: Callable[[Page], None], world: World
) -> None:
    kinds, elsewhere = found(world) | pages_of_a_trial() | page_of_a_stage_in_progress(), tuple(ELSEWHERE)
    missed = sorted(name for name in set(pages()) - set(kinds) - set(ERRORS) if not name.startswith(elsewhere))
    assert not missed, f"no test looks at {', '.join(missed)}"
    for test in set(ELSEWHERE.values()):
        assert "axe" in (Path(settings.BASE_DIR) / test).read_text(), test

    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))

    def look(name: str, address: str) -> None:
        page.goto(live_server.url + address)
        for scheme, width in each_look(page):
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                wrong.append(f"{address} is {wide} px wide on a screen of {width}")
            try:
                axe(page)
            except AssertionError as error:
                wrong.append(f"{name}, {scheme} {width}: {error}")

    for name in ERRORS:
        body = render_to_string(name, request=request_of_nobody())
        page.route(f"**/{name}", lambda route, _, body=body: route.fulfill(body=body, content_type="text/html"))
        look(name, f"/{name}")
    last: User | None = None
    for name, (reader, address) in sorted(kinds.items(), key=lambda it: (it[1][0].pk if it[1][0] else 0, it[0])):
        if name.startswith(elsewhere):
            continue
        if reader is not last and reader is not None:
            log_in(page, reader)
            last = reader
        look(name, address)
    assert not wrong, "\n".join(wrong)


def request_of_nobody() -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    request.htmx = False  # type: ignore[attr-defined]
    return request
