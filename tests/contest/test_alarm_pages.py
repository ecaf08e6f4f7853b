"""Who sees the alarms of the portal."""

import pytest
from django.urls import reverse
from django.utils import timezone

from contest.models import Alarm
from tests.cast import make_cast

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


@pytest.fixture
def cast(db):
    return make_cast()


@pytest.mark.parametrize("who", ["ada", "olga", "alice", "zoe", ""])
def test_nobody_else_sees_the_operators_pages(cast, client, who):
    Alarm.objects.create(key="disk", message="0.1 GB free", raised_at=timezone.now())
    if who:
        client.force_login(getattr(cast, who))
    for address in (reverse("operators"), reverse("operators-incident", args=["disk"])):
        assert client.get(address).status_code == (404 if who else 302)
    silence = reverse("operators-silence", args=["disk"])
    assert client.post(silence, {"hours": "4"}).status_code == (404 if who else 302)
    assert Alarm.objects.get(key="disk").silent_until is None


def test_organisers_read_what_it_means_for_their_contest(cast, client):
    desk = reverse("desk", args=[cast.contest.slug])
    client.force_login(cast.ada)
    assert b"The portal</h2>" not in client.get(desk).content
    Alarm.objects.create(key="workers", message="matches@secret-host; nobody takes: builds", raised_at=timezone.now())
    Alarm.objects.create(key="casual", message="tables stand still", raised_at=timezone.now())
    page = client.get(desk).content.decode()
    assert "Some matches or builds wait because no worker takes them" in page
    assert "secret-host" not in page
    assert "tables stand still" not in page
    client.force_login(cast.root)
    assert "secret-host" in client.get(desk).content.decode()
