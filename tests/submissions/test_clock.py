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
from tournaments.models import Match
from tournaments.playing import play

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def match() -> Match:
    return Hall(teams=4).stage().matches.get()


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


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
