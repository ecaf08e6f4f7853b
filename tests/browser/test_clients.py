"""The panel of a team's own program in a browser: for members and strangers, wide and narrow, while it changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from contest.models import Team, User
from tests.cast import make_cast
from tests.tournaments.playing.live.arena import refereed_live
from tournaments.models import Client, Duty, Match
from tournaments.organising import stages
from tournaments.seating import programs

pytestmark = pytest.mark.django_db(transaction=True)


def connect(*teams: Team) -> None:
    now = timezone.now()
    for team in teams:
        programs.of(team)
    Client.objects.filter(team__in=teams).update(
        connected_since=now - timedelta(minutes=3),
        connected_from="2001:db8:85a3:8d3:1319:8a2e:370:7348",
        seen_at=now + timedelta(hours=1),  # no contest server confirms it again while the browser looks
    )


def test_a_program_on_its_teams_page(
    page: Page, live_server: Any, log_in: Callable[[Page, User], None], axe: Callable[[Page], None]
) -> None:
    cast = make_cast(game="barracuda", preset="open", live=True, options={"games_to_win": 1, "target": 3})
    Duty.objects.create(name=programs.DUTY, worker="x", until=timezone.now() + timedelta(hours=1))
    Team.objects.filter(pk=cast.clubs.pk).update(name="Donaudampfschifffahrtselektrizitätenhauptbetriebswerk Nord")
    connect(cast.aces, cast.clubs)
    Client.objects.filter(team=cast.aces).update(error="sent something that is not JSON", error_at=timezone.now())
    stages.start(stages.create(cast.contest, None, stages.Wish("Ladder", "ladder")), None)
    for _ in range(3):
        refereed_live(Match.objects.claimable(timezone.now()).get())
    for who, scheme in ((None, "light"), (cast.alice, "dark")):
        if who:
            log_in(page, who)
        page.emulate_media(color_scheme=scheme)
        for width in (1280, 320):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(f"{live_server.url}{cast.aces.get_absolute_url()}")
            expect(page.locator("#program-now .badge-ok").first).to_have_text("Connected")
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert beyond <= 0, f"{beyond} px wider than {width}"
        axe(page)
    page.get_by_text("Show the token").click()
    expect(page.get_by_text(programs.of(cast.aces).token)).to_be_visible()
    Client.objects.filter(team=cast.aces).update(connected_since=None)
    cast.contest.touch()
    expect(page.locator("#program-now")).to_contain_text("Not connected")
    expect(page.get_by_text(programs.of(cast.aces).token)).to_be_visible()  # opened details stay open
