"""Alarms: raised by real conditions, sent once, over when they are over, and shown to those whom they concern."""

import json
import re
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.core import mail
from django.db import DatabaseError
from django.urls import reverse
from django.utils import timezone

from contest import counting
from contest.models import Alarm
from contest.server import figures, health, workers
from contest.server.figures import Figure
from contest.server.health import Finding
from contest.watching import watchman
from contest.watching.rules import RULES, Sight
from contest.watching.watchman import Watchman
from tests.cast import make_cast

pytestmark = pytest.mark.long("more")

ALL_QUEUES = ("matches", "builds", "portal", "webhooks")


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


def test_what_could_not_be_told_is_told_later(clock, receiver, monkeypatch):
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    receiver.status = 503
    clock.look()
    assert clock.look(2) == clock.look(1) == []
    receiver.status = 204
    assert clock.look(1) == [("disk", "raised")]
    assert clock.look(1) == []
    assert len(receiver.said) == 3


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


# Real conditions ------------------------------------------------------------------------------------------------------


def rule(key):
    return next(it for it in RULES if it.key == key)


def sight(**values):
    return Sight(0.0, [], [Figure(name, "", value) for name, value in values.items()], {})


# Pages ----------------------------------------------------------------------------------------------------------------


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
