"""What a worker on another machine checks before it joins."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

import pytest
from django.db import connection
from django.utils import timezone

from contest.server import joining, schema, workers
from contest.version import RELEASE

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]

NOBODY = print


def look(name: str = "here", *queues: str) -> joining.Portal:
    return joining.look(name, queues, 0, NOBODY)


def test_what_fits_joins(broker):
    found = look()
    assert found.schema == schema.fingerprint(schema.expected())
    assert abs(found.skews["broker"]) < joining.NOTED
    assert "is the portal running?" in found.remarks[0]
    workers.sign_of_life("portal@one", ("portal",))
    assert look().remarks == []


def test_older_and_newer_code_is_refused(broker):
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('contest', '9999_x', '2030-01-01')")
        with pytest.raises(joining.CannotJoin, match=rf"release {RELEASE}\) is older than .* contest\.9999_x"):
            look()
        cursor.execute("DELETE FROM django_migrations WHERE name = '0005_ledger'")
        with pytest.raises(joining.CannotJoin, match="different branches"):
            look()
        cursor.execute("DELETE FROM django_migrations WHERE name = '9999_x'")
        with pytest.raises(joining.CannotJoin, match=r"newer than .* contest.0002_ledger.* Upgrade the portal"):
            look()


def clock_wrong_by(seconds: float) -> AbstractContextManager[object]:
    """The clock of this process is wrong; the broker has its own."""
    return patch("time.time", lambda: timezone.now().timestamp() + seconds)


@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_a_wrong_clock_is_refused(broker, seconds):
    words = f"s {'behind' if seconds < 0 else 'ahead of'} the .*timedatectl"
    with clock_wrong_by(seconds), pytest.raises(joining.CannotJoin, match=words):
        look()


def test_another_key_is_refused_where_mail_is_signed(broker, settings):
    workers.sign_of_life("portal@one", ("portal",))
    assert look("here", "matches", "builds")
    settings.SECRET_KEY = "another"
    with pytest.raises(joining.CannotJoin, match="SECRET_KEY differs from the portal's"):
        look("here", "matches", "builds")
    assert look("here", "matches")
