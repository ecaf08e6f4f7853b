"""/metrics of a real portal, read by the parser of Prometheus and compared with the database."""

from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from contest import counting
from contest.server import disk, figures, workers
from contest.server.workers import Confinement
from submissions.models import Submission
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


@pytest.mark.django_db
def test_matches_that_are_not_due_yet_wait_for_nobody(client):
    Hall(teams=4).stage()
    Match.objects.update(due_at=timezone.now() + timedelta(minutes=5))
    found = scrape(client)
    assert found.of("matches_due") == found.of("match_due_oldest_seconds") == 0


@pytest.mark.django_db
def test_builds_and_late_stages(client):
    hall = Hall(teams=3)
    Submission.objects.filter(pk=Submission.objects.earliest("pk").pk).update(
        state="queued", is_active=False, due_at=timezone.now() - timedelta(minutes=3)
    )
    stage = hall.stage(start=False, publish=True)
    Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() - timedelta(seconds=30))
    found = scrape(client)
    assert found.of("builds_due") == 1
    assert found.of("build_due_oldest_seconds") >= 180
    assert found.of("stages_late") == 0, "the tick has a minute"
    Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() - timedelta(minutes=5))
    assert scrape(client).of("stages_late") == 1


@pytest.mark.django_db
def test_workers_by_queue_and_by_level_of_the_sandbox(client):
    workers.confines(Confinement("limits", "limits", True, ()))
    try:
        workers.sign_of_life("one@here", ("matches", "builds"))
        workers.sign_of_life("two@there", ("matches",))
    finally:
        workers.confines(None)
    workers.sign_of_life("portal@here", ("portal",))
    found = scrape(client)
    assert found.of("workers", queue="matches") == 2
    assert found.of("workers", queue="webhooks") == 0
    assert found.of("sandbox_workers", level="limits") == 2
    assert found.of("sandbox_workers", level="full") == 0


@pytest.mark.django_db
def test_scraping_often_asks_the_database_no_more_often(client):
    Hall(teams=8).stage()
    scrape(client)
    with CaptureQueriesContext(connection) as asked:
        client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert len(asked) == 0


@pytest.mark.django_db
def test_scraping_takes_few_queries_however_much_there_is(client):
    Hall(teams=16).stage()
    figures.forget()
    with CaptureQueriesContext(connection) as asked:
        client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert len(asked) <= 20


@pytest.mark.django_db
def test_what_cannot_be_measured_is_missing_and_the_rest_is_told(client, settings, tmp_path):
    scrape(client)
    settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
    found = scrape(client)
    assert found.of("part_ok", part="broker") == 0
    assert found.of("matches_due") == 0
    assert not [name for name, _ in found if name == "kibitz_workers"]


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


def test_who_begins_anew_leaves_no_thread_behind(monkeypatch):
    monkeypatch.setattr(counting, "EVERY", 0.01)
    counting.count("mail", outcome="sent")
    thread = counting._here["sums"].thread
    counting.forget()
    wait_for(lambda: not thread.is_alive())


def test_durations_are_counted_by_their_size(client, db):
    for seconds in (0.001, 0.02, 0.3, 99):
        counting.observe("task", seconds, task="of this test")
    found = scrape(client)
    counted = [
        found.of("task_seconds_bucket", task="of this test", le=edge) for edge in ("0.1", "1.0", "600.0", "+Inf")
    ]
    assert counted == [2, 3, 4, 4]
    assert found.of("task_seconds_sum", task="of this test") == pytest.approx(99.321)


@pytest.mark.django_db(transaction=True)
def test_waiting_for_a_lock_and_failing_statements_are_counted(client):
    before = scrape(client)
    with transaction.atomic():
        list(Stage.objects.select_for_update())
    with pytest.raises(OperationalError if connection.vendor == "sqlite" else Exception), connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")
    after = scrape(client)
    assert after.of("lock_wait_seconds_count") > before.get(("kibitz_lock_wait_seconds_count", ()), 0)
    assert after.of("database_errors_total") > before.of("database_errors_total")


# When the disk will be full -------------------------------------------------------------------------------------------

GB = 1e9


def test_the_disk_is_full_when_the_line_through_the_notes_says_so():
    notes = [(300.0 * n, 10 * GB - n * GB / 10) for n in range(13)]  # 1.2 GB an hour
    assert disk.forecast(notes, notes[-1][1]) == pytest.approx(8.8 / 1.2 * 3600)
    assert disk.forecast([(at, 5 * GB) for at, _ in notes], 5 * GB) is None
    assert disk.forecast([(at, 20 * GB - free) for at, free in notes], 5 * GB) is None, "it empties"
    assert disk.forecast(notes[:2], GB) is None, "two notes are no line"
    assert disk.forecast([(at / 100, free) for at, free in notes], GB) is None, "two minutes say nothing"


def test_a_quarter_of_an_hour_is_not_drawn_on_for_a_day():
    def after(minutes, hours_left):
        notes = [(300.0 * n, 10 * GB - n * 5 * GB / (hours_left * 60)) for n in range(minutes // 5 + 1)]
        return disk.forecast(notes, GB)

    assert after(15, 23) is None, "what a first start writes says little"
    assert after(115, 30) is None
    assert after(15, 2) == pytest.approx(2 * 3600), "but an hour from now is worth an alarm"
    assert after(120, 23) == pytest.approx(23 * 3600)
    assert after(120, 240) == pytest.approx(240 * 3600)


def test_notes_are_taken_every_five_minutes_and_few_are_kept():
    now = 1e9
    assert disk.note(now)
    assert not disk.note(now + 10)
    for number in range(1, 100):
        assert disk.note(now + number * disk.EVERY)
    with disk._store() as store:
        assert store.llen(disk.KEY) == disk.KEPT
