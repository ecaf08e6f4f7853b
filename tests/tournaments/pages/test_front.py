"""The front page: champions, what is played, the position of the day; and nothing that is not public."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest
from tests.tournaments import scenes
from tests.tournaments.pages.test_pages import text_of
from tournaments.models import Match, Stage
from tournaments.view_models import front as fronts
from tournaments.view_models.front import front_of

pytestmark = pytest.mark.django_db

HOME = reverse("home")


def home(client: Client) -> str:
    return text_of(client.get(HOME).text)


def running(stage: Stage) -> Match:
    match = stage.matches.filter(state="queued").first()
    Match.objects.filter(pk=match.pk).update(state="running", started_at=timezone.now())
    stage.contest.touch()
    return match


def test_it_tells_what_was_decided_and_what_is_played(client: Client) -> None:
    cup = scenes.small_contest(name="Autumn Cup")
    scenes.enter(cup, 5)
    stage = scenes.play_all(scenes.stage_of(cup, advance=1))
    league = scenes.small_contest(cup.roles.get().user, name="Winter League")
    scenes.enter(league, 8)
    ladder = scenes.stage_of(league)
    match = running(ladder)

    html = client.get(HOME).text
    final = stage.matches.order_by("table__round", "pk").last()
    assert f'href="{reverse("replay", args=[final.pk, 1])}"' in html
    assert f'href="{match.get_absolute_url()}"' in html
    found = front_of(timezone.now()).position
    assert found is not None
    assert found.legal >= 3
    assert sum(seat.is_turn for seat in found.seats) == 1
    assert client.get(found.url).status_code == 200
    scenes.play_match(ladder.matches.filter(state="queued").first())
    assert front_of(timezone.now()).position == found, "the same all day, however few results there are"

    with CaptureQueriesContext(connection) as warm:
        client.get(HOME)
    fronts.CACHE.clear()
    with CaptureQueriesContext(connection) as cold:
        client.get(HOME)
    assert len(warm) <= 10
    assert len(cold) <= 60

    Contest.objects.update(visibility=Contest.Visibility.UNLISTED)
    assert "Autumn Cup" not in home(client)


def test_what_is_played_now_keeps_itself_up_to_date(client: Client) -> None:
    league = scenes.small_contest(name="Winter League")
    scenes.enter(league, 8)
    stage = scenes.stage_of(league)
    scenes.play_match(stage.matches.filter(state="queued").first())
    rev = client.get(HOME).context["front"].revision
    assert client.get(HOME, {"now": rev}).status_code == 204
    league.teams.update(name="Renamed")
    league.touch()
    assert "Renamed" in client.get(HOME, {"now": rev}).text
    match = running(stage)
    news = client.get(HOME, {"now": rev})
    assert match.get_absolute_url() in news.text
    assert "<html" not in news.text
