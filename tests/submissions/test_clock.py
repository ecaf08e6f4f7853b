"""Leases and due times do not depend on clocks that are wrong or were set."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from submissions import clock, lifecycle
from submissions.models import Submission
from tests.cast import make_cast
from tests.tournaments.stagecraft import Hall, give_bot
from tournaments.clock import periodic
from tournaments.models import Duty, Match, PracticeGame, Webhook
from tournaments.playing import play
from tournaments.webhooks import changes, sending, upkeep

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def match() -> Match:
    return Hall(teams=4).stage().matches.get()


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def test_it_is_now():
    before = timezone.now()
    assert before <= clock.now() <= timezone.now()


@pytest.mark.long("postgresql")
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has the clock of the machine")
def test_the_clock_of_the_database_decides(match, monkeypatch, settings):
    """This machine is an hour ahead: others see the end of its lease in forty seconds, not later."""
    settings.DATABASE_CLOCK = True
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + HOUR)
    claimed = play.claim(match.pk, "here")
    assert claimed is not None
    assert abs(claimed.lease_until - now - play.LEASE) < HOUR / 2


def test_a_lease_that_was_written_by_a_clock_an_hour_ahead(match):
    """Nobody waits an hour for a lost worker. One that lives renews it in time."""
    now = timezone.now()
    claimed = play.claim(match.pk, "lost", now + HOUR)
    assert claimed is not None
    assert claimed.lease_until > now + HOUR
    periodic.tick(now)
    assert (fresh(match).state, fresh(match).lease_until) == ("running", now + play.LEASE)
    periodic.tick(now + play.LEASE + timedelta(seconds=1))
    assert (fresh(match).state, fresh(match).failures) == ("queued", 1)


def test_a_lease_that_a_worker_holds_is_let_alone(match):
    claimed = play.claim(match.pk, "here")
    periodic.tick()
    assert fresh(match).lease_until == claimed.lease_until


@pytest.mark.parametrize(
    ("failures", "ahead", "pulled_in"),
    [
        (0, timedelta(minutes=2), True),  # what has not failed need not wait
        (0, timedelta(seconds=2), False),  # a web server's clock is a little ahead
        (3, timedelta(minutes=2), False),  # a pause after failures
        (3, HOUR, True),
    ],
)
def test_a_match_that_is_due_in_the_future(match, failures, ahead, pulled_in):
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(due_at=now + ahead, failures=failures)
    periodic.tick(now)
    assert (fresh(match).due_at == now) == pulled_in


def test_a_version_that_is_due_and_was_announced_in_the_future():
    cast = make_cast()
    version = give_bot(cast.aces)
    now = timezone.now()
    later = {"due_at": now + HOUR, "enqueued_at": now + HOUR}
    Submission.objects.filter(pk=version.pk).update(state=Submission.State.QUEUED, **later)
    assert lifecycle.pull_in(now) == 2
    version.refresh_from_db()
    assert (version.due_at, version.enqueued_at) == (now, None)


def test_what_a_machine_returns_is_due_by_the_clock_of_all(match, monkeypatch):
    """Else those that leave with a clock that is ahead would let their work wait."""
    then = timezone.now() - HOUR
    version = give_bot(make_cast().aces)
    Submission.objects.filter(pk=version.pk).update(state=Submission.State.BUILDING, worker="here:1")
    claimed = play.claim(match.pk, "here:1")
    monkeypatch.setattr(clock, "now", lambda: then)
    assert lifecycle.give_back(Submission.objects.get(pk=version.pk))
    assert play.give_back("here:1", [claimed.pk]) == 1
    version.refresh_from_db()
    assert version.due_at == fresh(match).due_at == then


def test_a_build_whose_lease_ends_in_an_hour():
    version = give_bot(make_cast().aces)
    now = timezone.now()
    building = {"state": Submission.State.BUILDING, "lease_until": now + HOUR, "attempt": 1}
    Submission.objects.filter(pk=version.pk).update(**building)
    lifecycle.pull_in(now)
    version.refresh_from_db()
    assert version.lease_until == now + lifecycle.LEASE


def test_a_duty_that_somebody_holds_for_an_hour():
    """The tick of a process that was killed while its clock was ahead."""
    now = timezone.now()
    assert Duty.take("tick", "ahead", now + HOUR, timedelta(minutes=1))
    assert Duty.take("tick", "other", now, timedelta(minutes=1))
    assert not Duty.take("tick", "third", now, timedelta(minutes=1))


def test_a_webhook_whose_lease_and_time_lie_in_the_future():
    cast = make_cast()
    webhook = changes.create(cast.contest, None, cast.ada, "https://example.org/", [])
    now = timezone.now()
    Webhook.objects.filter(pk=webhook.pk).update(lease_until=now + HOUR, due_at=now + HOUR)
    upkeep.run(now)
    webhook.refresh_from_db()
    assert (webhook.lease_until, webhook.due_at) == (now + sending.LEASE, now)


def test_practice_has_no_other_clock():
    assert PracticeGame.objects.pull_in(timezone.now(), play.LEASE, play.RETRIES.last) == 0
