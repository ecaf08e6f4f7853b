"""/metrics of a real portal, read by the parser of Prometheus and compared with the database."""

from datetime import timedelta

import pytest
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from contest import counting
from contest.server import figures
from tests.contest.server.served import Server
from tests.submissions import bots
from tests.tournaments.stagecraft import Hall
from tests.waiting import wait_for
from tournaments.models import Match, Stage
from tournaments.organising import stages

pytestmark = pytest.mark.long("more")

PLAYED = (("ended", "well"), ("task", "tournaments.tasks.play"))
TOKEN = "a-token-for-prometheus"


def parsed(text):
    """Samples by name and labels."""
    families = list(text_string_to_metric_families(text))
    assert all(family.documentation for family in families)
    return {(it.name, tuple(sorted(it.labels.items()))): it.value for family in families for it in family.samples}


def scrape(client):
    figures.forget()
    counting.deliver()
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200, answer
    return Samples(parsed(answer.content.decode()))


class Samples(dict):
    def of(self, name, **labels):
        """The sum of the samples of this name with these labels."""
        found = [
            value for (other, has), value in self.items() if other == f"kibitz_{name}" and labels.items() <= set(has)
        ]
        assert found, (name, labels, sorted(self))
        return sum(found)


@pytest.fixture(autouse=True)
def watched(settings):
    settings.METRICS_TOKEN = TOKEN
    figures.forget()
    counting.forget()
    yield
    figures.forget()


# A real portal --------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_scrape_of_a_real_portal_agrees_with_its_database(celery_worker_process, portal_env, tmp_path):
    """Both processes of the web server and a process of a worker count into the same sums."""
    hall = Hall(teams=4, source=bots.python_bot())
    stage = hall.stage()
    celery_worker_process(queues="portal,builds,matches", concurrency=1)
    environment = portal_env | {"METRICS_TOKEN": TOKEN, "LOG_FORMAT": "json", "LOG_LEVEL": "INFO"}
    server = Server(tmp_path / "log", environment=environment)
    try:
        wait_for(lambda: Stage.objects.get(pk=stage.pk).state == "done", Match.objects.values().all, 60)
        for _ in range(20):  # on connections of their own, so that both processes answer some
            assert server.get(f"/api/v1/contests/{hall.contest.slug}")[0] == 200
            assert server.get("/api/v1/nothing/")[0] == 404

        def told():
            status, _, body = server.get("/metrics", Authorization=f"Bearer {TOKEN}")
            assert status == 200
            found = Samples(parsed(body.decode()))
            pages = ("kibitz_request_seconds_count", (("view", "api-contest"),))
            told = {("kibitz_answers_total", (("status", "404"),)): 20, pages: 20, ("kibitz_tasks_total", PLAYED): 1}
            return found if all(found.get(key, 0) >= least for key, least in told.items()) else None

        found = wait_for(told, server.log.read_text, 60)
        assert found.of("results_per_minute") == Match.objects.filter(state="done").count() == 1
        assert found.of("matches_due") == 0
        assert found.of("request_seconds_count", view="api-contest") == 20
        assert found.of("request_seconds_bucket", view="api-contest", le="+Inf") == 20
        assert 0 < found.of("request_seconds_sum", view="api-contest") < 60
        assert found.of("lock_wait_seconds_count") >= 2, "the match is claimed and finished"
        assert found.of("workers", queue="matches") == 1
        assert found.of("database_bytes") > 100_000
        assert found.of("broker_memory_bytes") > 100_000
        assert found.of("part_ok", part="database") == 1
        assert sum(value for (name, _), value in found.items() if name == "kibitz_sandbox_workers") == 1
    finally:
        server.stop()


# Figures, compared with the database a second way --------------------------------------------------------------------


@pytest.mark.django_db
def test_what_waits_is_told_as_it_is_in_the_database(client):
    hall = Hall(teams=8)
    stage = hall.stage()
    now = timezone.now()
    Match.objects.update(due_at=now - timedelta(minutes=5))
    Match.objects.filter(pk=Match.objects.earliest("pk").pk).update(due_at=now - timedelta(minutes=9), failures=2)
    found = scrape(client)
    rows = list(Match.objects.all())
    assert found.of("matches_due") == sum(row.state == "queued" and row.due_at <= now for row in rows) == len(rows)
    assert found.of("match_due_oldest_seconds") >= 9 * 60
    assert found.of("matches_troubled") == 1

    stages.pause(stage, hall.ada)
    assert scrape(client).of("matches_due") == 0, "nobody is to play them now"


# Counting -------------------------------------------------------------------------------------------------------------


def test_counts_of_processes_add_up_and_a_broker_that_is_away_loses_none(settings, tmp_path):
    counting.deliver()
    before = counting.counted()
    address = settings.CACHE_URL
    settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
    counting.count("leases_lost", kind="match")
    assert not counting.deliver()
    settings.CACHE_URL = address
    counting.count("leases_lost", 2, kind="match")
    assert counting.deliver()
    key = ("leases_lost", (("kind", "match"),))
    assert counting.counted()[key] == before.get(key, 0) + 3


# When the disk will be full -------------------------------------------------------------------------------------------

GB = 1e9
