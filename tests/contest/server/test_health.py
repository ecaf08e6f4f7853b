"""/healthz and /readyz: what a load balancer asks, and the answer if a part is missing."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from contest.server import health, workers
from tournaments.models import Duty


def everybody(now=None):
    workers.sign_of_life("matches@here", ("matches",))
    workers.sign_of_life("builds@here", ("builds", "portal", "webhooks"))
    Duty.take("casualserver", "here", timezone.now(), timedelta(minutes=1))


@pytest.fixture(autouse=True)
def nothing_known():
    """Of what another test has found a moment ago."""
    health.forget()


def test_healthz_needs_nothing(client):
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response["Cache-Control"]
    assert reverse("healthz") == "/healthz"


@pytest.mark.django_db
def test_ready_when_everything_is_there(client):
    everybody()
    response = client.get("/readyz")
    assert response.json() == {
        "database": True,
        "broker": True,
        "workers": True,
        "disk": True,
        "parts": True,
        "casual": True,
    }
    assert response.status_code == 200


@pytest.mark.django_db
def test_not_ready_without_workers(client):
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["workers"] is False
    assert response.json()["database"] is True


@pytest.mark.django_db
def test_not_ready_without_a_broker(client, settings, tmp_path):
    settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "database": True,
        "broker": False,
        "workers": False,
        "disk": True,
        "parts": True,
        "casual": False,
    }
    assert "nobody.sock" not in response.content.decode(), "what is public tells nothing about the machine"


@pytest.mark.django_db
def test_not_ready_with_a_full_disk(monkeypatch):
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    assert not health.disk().ok


@pytest.mark.django_db(transaction=True)
def test_not_ready_before_the_migrations():
    with health.connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE kept AS SELECT * FROM django_migrations WHERE app = 'contest'")
        cursor.execute("DELETE FROM django_migrations WHERE app = 'contest'")
        try:
            finding = health.database()
        finally:
            cursor.execute("INSERT INTO django_migrations SELECT * FROM kept")
    assert not finding.ok
    assert "are not applied" in finding.detail
    assert health.database().ok


@pytest.fixture
def confined():
    """This process is a worker on a machine with this level."""
    yield lambda level, *reasons: workers.confines(
        workers.Confinement(level, f"the title of {level}", level != "none", reasons)
    )
    workers.confines(None)
