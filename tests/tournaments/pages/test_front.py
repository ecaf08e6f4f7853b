"""The front page: champions, what is played, the position of the day; and nothing that is not public."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

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
from tournaments.organising import releases
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


def test_an_empty_portal_has_a_face(client: Client) -> None:
    words = home(client)
    assert "Card games between programs" in words
    assert "Avoid the hearts" in words
    assert "Position of the day" not in words
    assert "Latest champion" not in words


def test_it_tells_what_was_decided_and_what_is_played(client: Client) -> None:
    cup = scenes.small_contest(name="Autumn Cup")
    scenes.enter(cup, 5)
    stage = scenes.play_all(scenes.stage_of(cup, advance=1))
    league = scenes.small_contest(cup.roles.get().user, name="Winter League")
    scenes.enter(league, 8)
    match = running(scenes.stage_of(league))

    html = client.get(HOME).text
    words = text_of(html)
    final = stage.matches.order_by("table__round", "pk").last()
    assert "Latest champion Autumn Cup" in words
    assert f'href="{reverse("replay", args=[final.pk, 1])}">Watch the final' in html
    assert "Finished" in words[words.index("Open now") :]
    assert f'href="{match.get_absolute_url()}"' in html[html.index("Playing now") :]
    assert "Winter League : entry and uploads close in" in words
    assert "Autumn Cup : entry" not in words
    found = front_of(timezone.now()).moment
    assert found is not None
    assert found.legal >= 3
    assert sum(seat.is_turn for seat in found.seats) == 1
    assert client.get(found.url).status_code == 200

    with CaptureQueriesContext(connection) as warm:
        client.get(HOME)
    fronts.CACHE.clear()
    with CaptureQueriesContext(connection) as cold:
        client.get(HOME)
    assert len(warm) <= 10
    assert len(cold) <= 60

    Contest.objects.update(visibility=Contest.Visibility.UNLISTED)
    words = home(client)
    assert "Autumn Cup" not in words
    assert "Position of the day" not in words


def test_the_position_stays_for_a_day() -> None:
    contest = scenes.small_contest(name="Autumn Cup")
    scenes.enter(contest, 20)
    stage = scenes.play_all(scenes.stage_of(contest))
    day = datetime(2030, 5, 4, tzinfo=UTC)  # after all of them
    urls = set()
    for hours in (0, 11, 23):
        fronts.CACHE.clear()
        urls.add(front_of(day + timedelta(hours=hours)).moment.url)
    assert len(urls) == 1
    urls |= {front_of(day + timedelta(days=days)).moment.url for days in range(1, 6)}
    assert len(urls) > 1
    assert stage.state == "done"


def test_nothing_hidden_shows(client: Client) -> None:
    contest = scenes.small_contest(name="Autumn Cup")
    scenes.enter(contest, 8)
    stage = scenes.stage_of(contest, advance=1)
    releases.freeze(contest, contest.roles.get().user)
    before = home(client)
    scenes.play_all(stage)
    fronts.CACHE.clear()
    assert home(client) == before
    assert "champion" not in before
    client.force_login(contest.roles.get().user)  # the front page is the same for everybody
    assert "champion" not in home(client)
