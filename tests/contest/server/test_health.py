"""/healthz and /readyz: what a load balancer asks, and the answer if a part is missing."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.server import health, parts, workers
from tests.waiting import wait_for
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


def test_only_reading_is_possible(client):
    assert client.post("/healthz").status_code == 405
    assert client.post("/readyz").status_code == 405


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
def test_ready_while_nobody_plays_casual_games_but_it_is_said_unless_they_are_off(client, settings):
    everybody()
    Duty.give_back("casualserver", "here", timezone.now())
    response = client.get("/readyz")
    assert response.status_code == 200, "contests do not need it"
    assert [part for part, ok in response.json().items() if not ok] == ["casual"]
    settings.MORE_CHECKS = []  # as with CASUAL_GAMES=0
    health.forget()
    assert list(client.get("/readyz").json()) == ["database", "broker", "workers", "disk", "parts"]


@pytest.mark.django_db
def test_not_ready_without_workers(client):
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["workers"] is False
    assert response.json()["database"] is True


@pytest.mark.django_db
def test_it_is_named_which_queue_nobody_takes():
    workers.sign_of_life("matches@here", ("matches",))
    finding = health.workforce()
    assert not finding.ok
    assert finding.detail == "nobody takes builds, portal, webhooks; there are matches@here"


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


def test_the_broker_says_what_it_is():
    assert health.broker().detail.startswith(("Redis ", "Valkey "))


def test_a_worker_is_taken_for_gone_after_a_while(broker):
    workers.sign_of_life("matches@here", ("matches",))
    (worker,) = workers.alive()
    now = worker.seen_at
    assert (worker.name, worker.queues) == ("matches@here", ("matches",))
    assert workers.alive(now + workers.FRESH + 1) == []
    assert workers.alive(now) != [], "it may come back"
    workers.alive(now + 200 * workers.FRESH)
    assert workers.alive(now) == [], "in the end it is forgotten"


@pytest.fixture
def confined():
    """This process is a worker on a machine with this level."""
    yield lambda level, *reasons: workers.confines(
        workers.Confinement(level, f"the title of {level}", level != "none", reasons)
    )
    workers.confines(None)


def test_a_worker_says_how_it_confines_bots_and_since_when(broker, confined):
    confined("limits", "no control groups: not ours to write")
    workers.sign_of_life("matches@here", ("matches",))
    (worker,) = workers.known()
    assert worker.confinement == workers.Confinement(
        "limits", "the title of limits", True, ("no control groups: not ours to write",)
    )
    assert worker.is_alive()
    assert worker.started < worker.last_seen
    later = worker.seen_at + workers.FRESH + 1
    assert not worker.is_alive(later)
    assert workers.known(later) == [worker], "one that has gone is spoken of for a while"


def test_workers_that_may_run_no_bots_are_not_well(broker, confined):
    confined("full")
    workers.sign_of_life("builds@one", ("builds", "portal", "webhooks"))
    workers.sign_of_life("matches@one", ("matches",))
    assert health.workforce().detail == "builds@one (sandbox: full), matches@one (sandbox: full)"
    confined("none", "no Landlock", "no bubblewrap")
    workers.sign_of_life("matches@two", ("matches",))
    finding = health.workforce()
    assert not finding.ok
    assert finding.detail.startswith("no bot is run by matches@two: no Landlock; no bubblewrap; there are ")


def test_a_sign_of_life_does_not_trouble_the_worker_when_the_broker_is_away(settings, tmp_path):
    settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
    workers.sign_of_life("matches@here", ("matches",))


@pytest.mark.long("more")
def test_a_real_worker_gives_its_signs(celery_worker_process):
    worker = celery_worker_process(queues="builds,portal")
    found = wait_for(workers.alive, worker.output)
    assert found[0].pid == worker.pid
    assert found[0].queues == ("builds", "portal")


@pytest.mark.django_db
def test_findings_are_all_of_them_whatever_breaks(settings, monkeypatch):
    def torn():
        raise RuntimeError("it broke\nin two")

    monkeypatch.setattr(health, "CHECKS", (torn, health.disk))
    settings.MORE_CHECKS = ["contest.server.health.broker", "contest.no_such.check"]
    found = {finding.part: finding for finding in health.findings()}
    assert list(found) == ["torn", "disk", "parts", "broker", "contest.no_such.check"]
    assert [part for part, finding in found.items() if not finding.ok] == ["torn", "contest.no_such.check"]
    assert found["torn"].detail == "cannot be checked: RuntimeError: it broke in two"


def test_findings_can_be_of_a_moment_ago(settings, monkeypatch):
    asked = []

    def count():
        asked.append(1)
        return health.Finding("count", True, "")

    monkeypatch.setattr(health, "CHECKS", (count,))
    settings.MORE_CHECKS = []
    health.findings()
    health.findings(max_age=60)
    assert len(asked) == 1
    health.findings()
    assert len(asked) == 2


def test_many_who_ask_while_a_part_is_away_make_one_question(client, settings, monkeypatch):
    asked, asking, answer = [], threading.Event(), threading.Event()

    def slow():
        asked.append(1)
        asking.set()
        assert answer.wait(60)
        return health.Finding("slow", False, "does not answer")

    monkeypatch.setattr(health, "CHECKS", (slow,))
    monkeypatch.setattr(health, "FRESH", 60.0)
    settings.MORE_CHECKS = []
    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(lambda: Client().get("/readyz").status_code) for _ in range(8)]
        assert asking.wait(60)
        answer.set()
        assert {each.result(60) for each in answers} == {503}
    assert client.get("/readyz").json() == {"slow": False, "parts": True}
    assert len(asked) == 1


@pytest.mark.django_db
def test_the_migrations_are_those_that_django_loads():
    loader = MigrationLoader(connection)
    assert health.migrations() == set(loader.disk_migrations)


def test_a_folder_that_is_gone_is_a_finding(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "unmounted"
    assert not health.disk().ok


@pytest.mark.django_db
def test_a_process_that_dies_again_and_again_is_told_and_turns_nobody_away(client, settings, tmp_path):
    """The tables of people who play for themselves wait; contests go on."""
    settings.VAR_DIR = tmp_path
    (tmp_path / "run").mkdir()
    everybody()
    board = parts.Board(parts.link())
    board.write([parts.Trouble("casual", 7, "status 1", 1e9, 9e9, "ImportError: no module")])
    response = client.get("/readyz")
    assert response.status_code == 200
    assert [part for part, ok in response.json().items() if not ok] == ["parts"]
    told = r"casual has ended 7 times right after its start \(status 1\); next try in \d+ s: ImportError: no module"
    assert re.fullmatch(told, health.processes().detail)
    board.write([])
    assert health.processes().ok


def test_a_board_of_a_supervisor_that_is_gone_says_nothing(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "parts").symlink_to("/proc/4194305/fd/3")
    assert health.processes().ok
