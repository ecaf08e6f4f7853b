"""/healthz and /readyz: what a load balancer asks, and the answer if a part is missing."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from contest.server import health

GOOD = {"database": "OK", "migrations": "OK", "broker": "OK"}


def ready(client, accept="*/*"):
    """In a thread of its own: the view is asynchronous, and a browser of another test may have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(client.get, "/readyz", headers={"Accept": accept}).result()


def test_healthz_needs_nothing(client):
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("accept", ["*/*", "text/html", "application/json"])
def test_ready_when_everything_is_there(client, accept):
    response = ready(client, accept)
    assert (response.status_code, response.json()) == (200, GOOD)
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_not_ready_without_a_broker(client, settings, tmp_path):
    settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
    response = ready(client)
    assert response.status_code == 503
    assert response.json().items() > {"database": "OK", "migrations": "OK"}.items()
    assert "Unavailable" in response.json()["broker"]
    assert "nobody.sock" not in response.content.decode(), "what is public tells nothing about the machine"


@pytest.mark.django_db(transaction=True)
def test_not_ready_before_the_migrations():
    with health.connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE kept AS SELECT * FROM django_migrations WHERE app = 'contest'")
        cursor.execute("DELETE FROM django_migrations WHERE app = 'contest'")
        try:
            finding = health.migrations()
        finally:
            cursor.execute("INSERT INTO django_migrations SELECT * FROM kept")
    assert not finding.ok
    assert health.migrations().ok
