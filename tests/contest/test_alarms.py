"""Alarms: raised by real conditions, sent once, over when they are over, and shown to those whom they concern."""

import json
import re
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.conf import settings as portal
from django.core import mail
from django.db import DatabaseError
from django.urls import reverse
from django.utils import timezone

from contest import counting
from contest.models import Alarm
from contest.server import disk, figures, health, workers
from contest.server.figures import Figure
from contest.server.health import Finding
from contest.server.workers import Confinement
from contest.watching import watchman
from contest.watching.rules import PARTS, RULES, Memory, Sight, rules
from contest.watching.watchman import Watchman, step
from submissions.models import Submission
from tests.cast import make_cast, make_user
from tests.tournaments.stagecraft import Hall
from tournaments.models import Match, Stage, Webhook

pytestmark = pytest.mark.long("more")

ALL_QUEUES = ("matches", "builds", "portal", "webhooks")
INCIDENTS = portal.BASE_DIR / "docs" / "operations" / "incidents"


@pytest.fixture(autouse=True)
def fresh(settings, monkeypatch):
    """A portal with all its workers, whose findings are those of each look."""
    settings.ALARM_MAIL = ["ops@example.org"]
    settings.MORE_CHECKS = []
    counting.forget()
    figures.forget()
    monkeypatch.setattr(watchman, "EVERY", 0.0)
    workers.sign_of_life("all@here", ALL_QUEUES)
    yield
    counting.forget()
    figures.forget()


class Clock:
    """Looks at a time of the test's choosing, each as if it were the first."""

    def __init__(self):
        self.now = datetime.now(UTC)
        self.watchman = Watchman()

    def look(self, minutes=0.0):
        self.now += timedelta(minutes=minutes)
        figures.forget()
        counting.deliver()
        return [(news.rule.key, news.state) for news in self.watchman.look(self.now)]


@pytest.fixture
def clock(db):
    return Clock()


def raised():
    return set(Alarm.objects.filter(raised_at__isnull=False).values_list("key", flat=True))


# Once, and once when it is over ---------------------------------------------------------------------------------------


def test_all_is_well(clock):
    assert clock.look() == clock.look(5) == clock.look(60) == []
    assert raised() == set()
    assert mail.outbox == []


def test_an_alarm_is_told_once_and_once_when_it_is_over(clock, monkeypatch):
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    assert clock.look() == [], "for a moment only"
    assert clock.look(1) == [("disk", "raised")]
    assert clock.look(1) == clock.look(60) == []
    (message,) = mail.outbox
    assert message.to == ["ops@example.org"]
    assert message.subject == "[Kibitz] Disk"
    assert "GB free" in message.body
    assert "docs/operations/incidents/disk.md" in message.body

    monkeypatch.setattr(health, "LEAST_DISK", 1)
    assert clock.look(1) == [], "not before it is calm"
    assert clock.look(2) == [("disk", "over")]
    assert clock.look(5) == []
    assert [it.subject for it in mail.outbox] == ["[Kibitz] Disk", "[Kibitz] Over: Disk"]
    assert raised() == set()


def test_what_comes_and_goes_makes_one_message(clock, monkeypatch):
    told = []
    for number in range(12):
        monkeypatch.setattr(health, "LEAST_DISK", 10**18 if number % 3 != 2 else 1)
        told += clock.look(1)
    assert told == [("disk", "raised")]


def test_another_process_does_not_tell_it_again(clock, monkeypatch):
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    other = Clock()
    clock.look()
    other.look()
    assert clock.look(2) == [("disk", "raised")]
    assert other.look(2) == []
    assert Clock().look(5) == [], "nor after a restart"
    assert len(mail.outbox) == 1


def test_a_silent_alarm_tells_nobody_until_the_silence_ends(clock, monkeypatch, client):
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    clock.look()
    client.force_login(make_user("root", is_superuser=True, is_staff=True))
    assert client.post(reverse("operators-silence", args=["disk"]), {"hours": "4"}).status_code == 302
    assert clock.look(2) == []
    assert raised() == {"disk"}, "the desk shows it"
    assert Alarm.objects.get(key="disk").silenced_by == "root"
    assert clock.look(3 * 60) == []
    assert clock.look(60) == [("disk", "raised")]


def test_who_was_told_of_nothing_is_not_told_that_it_is_over(clock, monkeypatch):
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    clock.look()
    Alarm.objects.update(silent_until=clock.now + timedelta(hours=4))
    clock.look(2)
    monkeypatch.setattr(health, "LEAST_DISK", 1)
    assert clock.look(2) == clock.look(3) == []
    assert mail.outbox == []


def test_a_clock_that_is_set_back_does_not_stop_the_alarm(clock, monkeypatch):
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    clock.look()
    assert clock.look(-60) == []
    assert clock.look(1.5) == [("disk", "raised")]


# By mail and by webhook -----------------------------------------------------------------------------------------------


class Receiver(HTTPServer):
    """Somebody's webhook."""

    def __init__(self):
        self.said, self.status, self.garbage = [], 200, b""
        super().__init__(("127.0.0.1", 0), Door)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/alarms"


class Door(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.said.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        if self.server.garbage:
            self.wfile.write(self.server.garbage)
            return
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def receiver(settings):
    server = Receiver()
    settings.ALARM_WEBHOOK, settings.ALARM_MAIL = server.address, []
    yield server
    server.shutdown()
    server.server_close()


def test_a_webhook_gets_both_messages(clock, receiver, monkeypatch, settings):
    settings.PORTAL_URL = "https://cards.example.org"
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    clock.look()
    clock.look(2)
    monkeypatch.setattr(health, "LEAST_DISK", 1)
    clock.look(1)
    clock.look(3)
    first, second = receiver.said
    assert (first["alarm"], first["state"], second["state"]) == ("disk", "raised", "over")
    assert first["text"].startswith("Disk: ")
    assert "https://cards.example.org/operators/incidents/disk/" in first["text"]
    assert first["page"] == "docs/operations/incidents/disk.md"
    assert datetime.fromisoformat(first["since"]).tzinfo is not None
    assert mail.outbox == []


def test_what_could_not_be_told_is_told_later(clock, receiver, monkeypatch):
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    receiver.status = 503
    clock.look()
    assert clock.look(2) == clock.look(1) == []
    receiver.status = 204
    assert clock.look(1) == [("disk", "raised")]
    assert clock.look(1) == []
    assert len(receiver.said) == 3


def test_a_receiver_that_does_not_speak_http_is_tried_again(clock, receiver, monkeypatch):
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    receiver.garbage = b"220 smtp.example.org ESMTP\r\n"
    clock.look()
    assert clock.look(2) == []
    receiver.garbage = b""
    assert clock.look(1) == [("disk", "raised")]


# Without the database, and without the broker -------------------------------------------------------------------------


def test_without_the_database_alarms_are_told_and_stored_later(clock, monkeypatch):
    def away(*_, **__):
        raise DatabaseError("the server closed the connection")

    gone = Finding("database", False, "the server closed the connection")
    with monkeypatch.context() as broken:
        broken.setattr(Alarm.objects, "all", away)
        broken.setattr(Alarm.objects, "update_or_create", away)
        broken.setattr(health, "CHECKS", (lambda: gone,))
        assert clock.look() == []
        assert clock.look(2) == [("database", "raised")]
        assert clock.look(2) == []
        assert not Alarm.objects.exists()
    clock.look(1)
    row = Alarm.objects.get(key="database")
    assert (row.is_raised, row.mailed) == (True, "raised")
    assert clock.look(3) == [("database", "over")]
    assert len(mail.outbox) == 2


def test_without_the_broker_it_says_so_and_ends_no_alarm(clock, settings, tmp_path):
    for _ in range(4):
        counting.count("leases_lost", kind="match")
    clock.look()
    for _ in range(4):
        counting.count("leases_lost", kind="match")
    assert ("leases-lost", "raised") in clock.look(1)
    settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
    told = clock.look(1) + clock.look(2) + clock.look(30)
    assert {("broker", "raised"), ("workers", "raised")} == set(told)
    assert "leases-lost" in raised(), "nobody knows whether it is over"


# Real conditions ------------------------------------------------------------------------------------------------------


def test_nothing_is_played_although_something_is_due(clock):
    hall = Hall(teams=4)
    stage = hall.stage()
    assert clock.look() == clock.look(2) == []
    Match.objects.update(due_at=timezone.now() - timedelta(minutes=6))
    clock.look(1)
    assert clock.look(1) == [("nothing-played", "raised")]
    assert "1 match is due, the oldest for 6 minutes" in mail.outbox[0].body
    Match.objects.update(state="running", stage=stage)
    clock.look(1)
    assert clock.look(2) == [("nothing-played", "over")]


def test_no_worker_for_a_queue(clock):
    with workers._store() as store:
        store.delete(workers.KEY)
    workers.sign_of_life("some@here", ("matches", "portal", "webhooks"))
    clock.look()
    assert clock.look(1) == [("workers", "raised")]
    assert "nobody takes builds; there are some@here" in mail.outbox[0].body


def test_builds_that_wait_and_stages_that_are_late(clock):
    hall = Hall(teams=3)
    late = timezone.now() - timedelta(minutes=20)
    Submission.objects.filter(pk=Submission.objects.earliest("pk").pk).update(
        state="queued", is_active=False, due_at=late
    )
    stage = hall.stage(start=False, publish=True)
    Stage.objects.filter(pk=stage.pk).update(starts_at=late)
    clock.look()
    assert set(clock.look(1)) == {("builds-wait", "raised")}
    assert clock.look(3) == [], "while bots are built, a stage waits for them"
    assert clock.look(1) == [("stages-late", "raised")]
    assert Alarm.objects.get(key="stages-late").message == "1 stage should have started"
    Submission.objects.filter(state="queued").update(due_at=timezone.now() - timedelta(minutes=10))
    clock.look(1)
    assert ("builds-wait", "over") not in clock.look(3), "still too long while it is raised"
    Submission.objects.filter(state="queued").update(due_at=timezone.now())
    clock.look(1)
    assert ("builds-wait", "over") in clock.look(3)


@pytest.mark.parametrize(
    ("name", "labels", "times", "key"),
    [
        ("leases_lost", {"kind": "match"}, 3, "leases-lost"),
        ("work_requeued", {"kind": "match"}, 3, "leases-lost"),
        ("machinery_failures", {"kind": "match"}, 5, "machinery"),
        ("answers", {"status": "500"}, 10, "pages-fail"),
        ("mail", {"outcome": "failed"}, 1, "mail"),
    ],
)
def test_what_happens_often_in_ten_minutes(clock, name, labels, times, key):
    counting.count(name, 1000, **labels)
    assert clock.look() == [], "long ago, for all we know"
    counting.count(name, times - 1, **labels)
    assert clock.look(1) == []
    counting.count(name, 1, **labels)
    assert clock.look(1) == [(key, "raised")]
    if key == "mail":
        counting.count("mail", outcome="sent")
    clock.look(11)
    assert clock.look(3) == [(key, "over")]


def test_mail_is_not_well_again_because_nobody_writes(clock):
    clock.look()
    counting.count("mail", outcome="failed")
    assert clock.look(1) == [("mail", "raised")]
    assert clock.look(30) == clock.look(30) == []
    assert raised() == {"mail"}


def test_webhooks_that_fail(clock):
    hall = Hall(teams=3)
    for number in range(3):
        Webhook.objects.create(contest=hall.contest, url=f"https://{number}.example.org", failing_since=timezone.now())
    clock.look()
    assert clock.look(2) == []
    assert clock.look(3) == [("webhooks", "raised")]
    Webhook.objects.update(failing_since=None)
    clock.look(1)
    assert clock.look(2) == [("webhooks", "over")]


def test_a_disk_that_fills(clock):
    now, free = clock.now.timestamp(), health.shutil.disk_usage(portal.VAR_DIR).free
    with disk._store() as store:
        for number in range(12):  # full in about five hours
            store.rpush(disk.KEY, json.dumps([now - 3600 + 300 * number, free + free / 5 * (1 - number / 12)]))
    clock.look()
    assert clock.look(6) == [("disk-fills", "raised")]
    assert re.search(r"used up in [45] hours", mail.outbox[0].body)


def test_clocks_that_differ():
    judged = rule("clocks")
    assert not judged.judge(sight(clock_skew_seconds=4), False, {})
    assert "7 s" in judged.judge(sight(clock_skew_seconds=7), False, {})
    assert judged.judge(sight(clock_skew_seconds=3), True, {})
    assert judged.judge(sight(), True, {}) is None


def test_locks_that_are_held():
    assert "20 s" in rule("locks").judge(sight(lock_waiting_seconds=20), False, {})
    assert not rule("locks").judge(sight(), False, {}), "SQLite cannot tell"


def test_a_sandbox_that_got_weaker(clock):
    def confined(level):
        workers.confines(Confinement(level, level, True, ()))
        workers.sign_of_life("all@here", ALL_QUEUES)
        workers.confines(None)

    confined("full")
    clock.look()
    confined("landlock")
    clock.look(1)
    assert clock.look(2) == [("sandbox", "raised")]
    assert "level landlock; the weakest was full before" in mail.outbox[0].body
    confined("full")
    clock.look(1)
    assert clock.look(2) == [("sandbox", "over")]


def rule(key):
    return next(it for it in RULES if it.key == key)


def sight(**values):
    return Sight(0.0, [], [Figure(name, "", value) for name, value in values.items()], {})


def test_a_broker_that_lost_its_counts_counts_from_nothing():
    memory, key = Memory(), ("leases_lost", (("kind", "match"),))
    assert memory.recent(0, {key: 50.0}) == {key: 0.0}
    assert memory.recent(60, {key: 53.0}) == {key: 3.0}
    assert memory.recent(120, {key: 2.0}) == {key: 2.0}
    assert memory.recent(180, None) is None


# Pages ----------------------------------------------------------------------------------------------------------------


def test_every_alarm_and_every_finding_has_its_page():
    for key in {it.key for it in RULES} | set(PARTS) | {it.part for it in health.findings()}:
        text = (INCIDENTS / f"{key}.md").read_text()
        headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert headings == ["What you see", "What it means", "What to do", "How to check that it is over"], key
    assert len({it.key for it in rules([], [])}) == len(rules([], []))


@pytest.fixture
def cast(db):
    return make_cast()


def test_operators_see_alarms_and_what_to_do(cast, client):
    Alarm.objects.create(key="disk", message="0.1 GB free", raised_at=timezone.now())
    Alarm.objects.create(key="mail", message="refused", over_at=timezone.now())
    client.force_login(cast.root)
    page = client.get(reverse("operators")).content.decode()
    assert "0.1 GB free" in page
    assert "refused" in page
    assert reverse("operators-incident", args=["disk"]) in page
    assert reverse("desk-workers", args=[cast.contest.slug]) in page
    assert "css/desk" in page, "the list of alarms looks as on the desk"
    assert re.search(r'numeric">[\d,.]+ [GM]B</td>\s*<td>\s*<strong>disk_free_bytes</strong>', page)
    incident = client.get(reverse("operators-incident", args=["disk"])).content.decode()
    assert "0.1 GB free" in incident
    assert "What to do" in incident
    fills = client.get(reverse("operators-incident", args=["disk-fills"])).content.decode()
    assert f'href="{reverse("operators-incident", args=["disk"])}"' in fills
    assert client.get(reverse("operators-incident", args=["nothing"])).status_code == 404


def test_silence_is_for_hours_that_are_offered(cast, client):
    Alarm.objects.create(key="disk", message="0.1 GB free", raised_at=timezone.now())
    client.force_login(cast.root)
    silence = reverse("operators-silence", args=["disk"])
    assert client.post(silence, {"hours": "1000"}).status_code == 404
    assert client.post(reverse("operators-silence", args=["nothing"]), {"hours": "4"}).status_code == 404
    assert client.get(silence).status_code == 405
    assert client.post(silence, {"hours": "4"}).status_code == 302
    assert b"Silent until" in client.get(reverse("operators")).content
    client.post(silence, {"hours": "0"})
    assert not Alarm.objects.get(key="disk").is_silent()


def test_alarms_of_a_step_do_not_mix():
    alarm, now = Alarm(key="clocks"), timezone.now()
    step(alarm, rule("clocks"), rule("clocks").verdict(sight(clock_skew_seconds=9), False, {}), now)
    assert (alarm.bad_since, alarm.raised_at) == (now, None)
    step(alarm, rule("clocks"), rule("clocks").verdict(sight(), False, {}), now + timedelta(hours=1))
    assert (alarm.bad_since, alarm.raised_at) == (now, None), "nobody can tell"
