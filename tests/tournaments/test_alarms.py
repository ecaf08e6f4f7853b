"""Alarms: noticed by the tick, told to each operator once, shown on a page that only operators see."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from contest import workers
from contest.models import Alarm, User
from contest.server import backups, health
from tests.cast import make_cast
from tests.tournaments.stagecraft import Hall
from tournaments.attention import alarms
from tournaments.attention.alarms import stuck
from tournaments.models import Match

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def everybody_works(db):
    workers.sign_of_life("all@here", workers.QUEUES)


@pytest.fixture
def look():
    """Let the tick look, so many minutes later."""
    now = [timezone.now()]

    def later(minutes=0):
        now[0] += timedelta(minutes=minutes)
        alarms.watch(now[0])
        return [(message.to, message.subject) for message in mail.outbox]

    return later


def operator(name, *, verified=True):
    user = User.objects.create_superuser(name, f"{name}@example.org", "a long word for tests")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=verified)
    return user


def test_each_operator_is_told_once_of_what_lasts(look, settings, monkeypatch):
    settings.EMAIL_URL = "smtp://localhost"
    operator("opa")
    operator("oma")
    operator("unconfirmed", verified=False)
    assert look() == []
    assert not Alarm.objects.exists()

    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    assert look() == look(1) == [], "it may be over soon"
    told = [(["opa@example.org"], "[Kibitz] disk"), (["oma@example.org"], "[Kibitz] disk")]
    assert look(1) == look(1) == look(600) == told
    assert "GB free" in mail.outbox[0].body
    assert reverse("operators") in mail.outbox[0].body

    monkeypatch.setattr(health, "LEAST_DISK", 1)
    look()
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    assert look(10) == told, "it comes and goes"
    monkeypatch.setattr(health, "LEAST_DISK", 1)
    look(), look(61)
    assert not Alarm.objects.exists()
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    look()
    assert look(2) == told * 2


def test_without_a_worker_or_a_backup(look, settings, monkeypatch):
    monkeypatch.setattr(workers, "alive", list)
    settings.BACKUP_EVERY = 1
    monkeypatch.setattr(backups, "newest", lambda: None)
    look(), look(3)
    assert [(it.key, it.raised_at is not None) for it in Alarm.objects.all()] == [("backup", True), ("workers", True)]


def test_a_queue_that_stands_still():
    Hall(teams=4).stage()
    now = timezone.now()
    Match.objects.update(due_at=now - timedelta(minutes=4))
    assert not stuck(now)
    Match.objects.update(due_at=now - timedelta(minutes=6))
    assert "matches are due, and none is played" in stuck(now)
    Match.objects.filter(pk=Match.objects.earliest("pk").pk).update(state="running")
    assert not stuck(now)


def test_operators_read_them_and_nobody_else(client):
    cast = make_cast()
    Alarm.objects.create(key="disk", message="0.1 GB free", bad_since=timezone.now(), raised_at=timezone.now())
    for who in ("ada", "olga", "alice", "zoe"):
        client.force_login(getattr(cast, who))
        assert client.get(reverse("operators")).status_code == 404
    client.logout()
    assert client.get(reverse("operators")).status_code == 302
    client.force_login(cast.root)
    page = client.get(reverse("operators")).content.decode()
    for words in ("0.1 GB free", "Free some space", "all@here", reverse("desk-workers", args=[cast.contest.slug])):
        assert words in page
    assert reverse("operators") in client.get(reverse("home")).content.decode()
