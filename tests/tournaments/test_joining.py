"""What a worker on another machine checks before it joins."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from contest import workers
from contest.version import RELEASE
from tournaments.management import joining

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]


def look(name: str = "here", *queues: str) -> list[str]:
    return [worker.name for worker in joining.look(name, queues, 0, print)]


def test_what_fits_joins(broker):
    assert look() == []
    workers.sign_of_life("clock@one", ("portal", "webhooks"))
    assert look() == ["clock@one"]
    with pytest.raises(CommandError, match="called one is at work already"):
        look("one")


def test_another_release_is_refused(broker):
    workers.sign_of_life("clock@one", ("portal",))
    workers.Worker.objects.update(release="0.9")
    with pytest.raises(CommandError, match=f"runs release 0.9, and this is {RELEASE}"):
        look()


def test_older_and_newer_code_is_refused(broker, capsys):
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('contest', '9999_x', '2030-01-01')")
        with pytest.raises(CommandError, match=rf"release {RELEASE}\) is older than .* contest\.9999_x"):
            look()
        cursor.execute("DELETE FROM django_migrations WHERE name IN ('9999_x', '0003_fewer_alarms')")
        with pytest.raises(CommandError, match=r"newer than .* contest.0003_fewer_alarms.* Upgrade the portal"):
            look()
    call_command("release")
    assert f"Kibitz    {RELEASE}\nDatabase  This code (release {RELEASE}) is newer" in capsys.readouterr().out


@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_a_wrong_clock_is_refused(broker, monkeypatch, seconds):
    monkeypatch.setattr(joining, "ahead_of_database", lambda: seconds)
    with pytest.raises(CommandError, match=f"s {'behind' if seconds < 0 else 'ahead of'} the .*timedatectl"):
        look()


def test_another_key_is_refused_where_mail_is_signed(broker, settings):
    workers.sign_of_life("portal@one", ("portal",))
    assert look("here", "matches", "builds")
    settings.SECRET_KEY = "another"
    with pytest.raises(CommandError, match="SECRET_KEY differs from the portal's"):
        look("here", "matches", "builds")
    assert look("here", "matches")
