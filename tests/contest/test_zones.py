"""Times in the reader's zone, deadlines also in the official one, and how people choose."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from contest import zones
from contest.models import Contest, User
from tests.cast import make_contest, make_user

pytestmark = pytest.mark.django_db
NOON = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)


def choose(client: Client, zone: str, **more: str) -> Any:
    return client.post(reverse("zone"), {"time_zone": zone, **more})


@pytest.fixture
def page() -> str:
    contest = make_contest(upload_deadline=NOON, entry_deadline=NOON)
    Contest.objects.filter(pk=contest.pk).update(ended_at=datetime(2026, 7, 1, 12, 0, tzinfo=UTC))
    return contest.get_absolute_url()


def test_times_are_the_portals_until_somebody_chooses(page: str) -> None:
    text = Client().get(page).text
    assert "15 Jan 2030, 12:00\N{NO-BREAK SPACE}UTC" in text
    assert "for you" not in text
    assert "Times are UTC." in text


def test_a_choice_without_an_account_stays_in_the_browser(page: str) -> None:
    client = Client()
    assert choose(client, "Asia/Tokyo", next=page)["Location"] == page
    text = client.get(page).text
    assert "15 Jan 2030, 12:00\N{NO-BREAK SPACE}UTC" in text, "deadlines keep the official time"
    assert "(for you Tue 15 Jan 2030, 21:00\N{NO-BREAK SPACE}JST)" in text
    assert "1 Jul 2026, 21:00\N{NO-BREAK SPACE}JST" in text
    assert "Times are Asia/Tokyo (JST)." in text
    assert "Times are UTC." in Client().get(page).text, "nobody else is concerned"
    choose(client, "")
    assert "Times are UTC." in client.get(page).text


def test_with_an_account_it_holds_wherever_they_log_in(page: str) -> None:
    nora = make_user("nora")
    client, elsewhere = Client(), Client()
    client.force_login(nora)
    choose(client, "Europe/Berlin")
    elsewhere.force_login(nora)
    assert "Times are Europe/Berlin (C" in elsewhere.get(page).text
    assert "Europe/Berlin" in elsewhere.get(reverse("account")).text


def test_a_browser_may_propose_a_zone_but_changes_nothing(page: str) -> None:
    client = Client()
    client.force_login(make_user("nora"))
    assert '<option value="Asia/Tokyo" selected>' in client.get(reverse("zone"), {"zone": "Asia/Tokyo"}).text
    assert "Times are UTC." in client.get(page).text
    assert User.objects.get(username="nora").time_zone == ""


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "\0", "x" * 5000])
def test_nonsense_is_refused_and_a_forged_cookie_ignored(page: str, zone: str) -> None:
    assert choose(Client(), zone).status_code == 422
    client = Client()
    client.cookies[zones.COOKIE] = zone
    assert "Times are UTC." in client.get(page).text


@pytest.mark.parametrize("next", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_nobody_is_sent_elsewhere(next: str) -> None:
    assert choose(Client(), "UTC", next=next)["Location"] == reverse("zone")


def test_fields_of_forms_stay_in_the_official_zone() -> None:
    ada = make_user()
    contest = make_contest(ada, upload_deadline=NOON, entry_deadline=NOON)
    client = Client()
    client.force_login(ada)
    choose(client, "Asia/Tokyo")
    text = client.get(reverse("desk-settings", args=[contest.slug])).text
    assert 'value="2030-01-15T12:00"' in text
    assert 'data-zone="UTC"' in text
