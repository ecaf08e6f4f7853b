"""Trials in a browser: they update by themselves, fit every look, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from contest.models import Team
from tests.looks import each_look
from tests.tournaments.practice.laboratory import asked, laboratory, played_out

pytestmark = [pytest.mark.long("browser"), pytest.mark.django_db(transaction=True)]


def test_the_pages_of_trials_in_every_look(
    page: Page, live_server: Any, log_in: Callable[[Page, Any], None], axe: Callable[[Page], None]
) -> None:
    contest, team = laboratory()
    empty, newcomers = laboratory()
    finished = asked(team)
    played_out(finished)
    waiting = asked(team, cap=13)
    pair = finished.pairs.filter(fork__isnull=False)[0].number
    trials = reverse("trials", args=[contest.slug])
    addresses: list[tuple[Team, str]] = [
        (newcomers, reverse("trials", args=[empty.slug])),
        (team, trials),
        (team, reverse("trial", args=[contest.slug, finished.pk])),
        (team, reverse("trial-pair", args=[contest.slug, finished.pk, pair])),
        (team, reverse("trial", args=[contest.slug, waiting.pk])),
    ]
    for reader, address in addresses:
        log_in(page, reader.people()[0].user)
        page.goto(f"{live_server.url}{address}")
        for _ in each_look(page):
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), address
            axe(page)
