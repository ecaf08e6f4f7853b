"""/metrics: who may read it, and that it tells what waits, and nothing of hidden results."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from contest import workers
from contest.server import backups
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import TWOS, freeze, staged
from tests.tournaments.worlds import differing, in_both, play_on
from tournaments.models import Match
from tournaments.organising import stages

pytestmark = [pytest.mark.promise, pytest.mark.django_db]
TOKEN = "a-token-for-prometheus"


@pytest.fixture
def scrape(client, settings):
    """The samples by name and label, as Prometheus reads them."""
    settings.METRICS_TOKEN = TOKEN

    def read():
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        families = list(text_string_to_metric_families(answer.content.decode()))
        assert all(family.documentation for family in families)
        samples = [sample for family in families for sample in family.samples]
        return {" ".join((it.name, *it.labels.values())): it.value for it in samples}

    return read


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


def test_what_waits_is_told_as_it_is_in_the_database(scrape):
    hall = Hall(teams=8)
    stage = hall.stage()
    workers.sign_of_life("matches@here", ("matches",))
    Match.objects.update(due_at=timezone.now() - timedelta(minutes=5))
    Match.objects.filter(pk=Match.objects.earliest("pk").pk).update(due_at=timezone.now() - timedelta(minutes=9))
    found = scrape()
    assert found["kibitz_queue_waiting matches"] == found["kibitz_matches queued"] == Match.objects.count() > 0
    assert found["kibitz_queue_oldest_seconds matches"] >= 9 * 60
    assert (found["kibitz_matches running"], found["kibitz_queue_waiting builds"]) == (0, 0)
    assert (found["kibitz_workers matches"], found["kibitz_workers portal"]) == (1, 0)
    assert found["kibitz_disk_free_bytes"] > 0
    stages.pause(stage, hall.ada)
    assert scrape()["kibitz_queue_waiting matches"] == 0, "nobody is to play them now"


def test_the_rules_for_prometheus_know_these_names(scrape, monkeypatch):
    monkeypatch.setattr(backups, "newest", lambda: datetime.now(UTC))
    workers.sign_of_life("matches@here", ("matches",))
    rules = (settings.BASE_DIR / "docs" / "operations" / "alerts.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"kibitz_\w+", rules)) == {name.split()[0] for name in scrape()} - {"kibitz_queue_waiting"}


def test_hidden_results_leave_no_trace(scrape):
    hall = Hall(4)
    stage = staged(hall, options=TWOS)
    freeze(hall)

    def look():
        return {name: (200, str(value)) for name, value in scrape().items() if name != "kibitz_disk_free_bytes"}

    assert differing(in_both([lambda: play_on(stage), lambda: play_on(stage, weak=True)], look)) == []
