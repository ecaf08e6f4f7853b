"""Who may read /metrics."""

import pytest

pytestmark = [pytest.mark.promise, pytest.mark.django_db]
TOKEN = "a-token-for-prometheus"


def test_nobody_reads_them_unasked(client, settings):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 404
    assert client.post("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code in (403, 405)
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]


def test_addresses_may_read_them_but_not_through_a_proxy(client, settings):
    settings.METRICS_ADDRESSES = ["10.1.0.0/16", "2001:db8::/32"]
    assert client.get("/metrics", REMOTE_ADDR="10.1.2.3").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="2001:db8::7").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="10.2.2.3").status_code == 404
    assert client.get("/metrics", REMOTE_ADDR="").status_code == 404
    asked = client.get("/metrics", REMOTE_ADDR="10.1.2.3", headers={"X-Forwarded-For": "10.1.2.3"})
    assert asked.status_code == 404
