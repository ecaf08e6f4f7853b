"""What a worker on another machine checks before it joins."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from contest.server import joining, schema, workers
from contest.version import RELEASE
from tournaments.management.commands.worker import without

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


@pytest.mark.parametrize(
    ("name", "why"),
    [("n" * 81, "This one has 81."), ("a b", "has others"), ("a@b", "has others"), ("a:1", "has others")],
)
def test_a_name_that_does_not_fit_is_refused_in_words(name, why):
    with pytest.raises(CommandError, match=rf"^A --name has at most 80 characters, .*{why}"):
        call_command("worker", "--name", name)
    assert joining.trouble_with("n" * 80) == joining.trouble_with(joining.unique_name()) == ""


def test_no_file_is_made_where_the_database_should_be(monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "NAME", "/nowhere/portal.sqlite3")
    if connection.vendor == "sqlite":
        with pytest.raises(joining.CannotJoin, match=r"There is no database /nowhere/portal\.sqlite3"):
            look()


def test_older_and_newer_code_is_refused(broker):
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('contest', '9999_x', '2030-01-01')")
        with pytest.raises(joining.CannotJoin, match=rf"release {RELEASE}\) is older than .* contest\.9999_x"):
            look()
        cursor.execute("DELETE FROM django_migrations WHERE name = '0018_contest_time_zone'")
        with pytest.raises(joining.CannotJoin, match="different branches"):
            look()
        cursor.execute("DELETE FROM django_migrations WHERE name = '9999_x'")
        with pytest.raises(
            joining.CannotJoin, match=r"newer than .* contest.0018_contest_time_zone.* Upgrade the portal"
        ):
            look()


def test_migrations_of_others_do_not_matter(broker):
    before = schema.compare().fingerprint
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('allauth', '99_x', '2030-01-01')")
    assert schema.compare().fits
    assert schema.compare().fingerprint == before


def clock_wrong_by(seconds: float) -> time_machine.travel:
    """The clock of this process goes on from another time; the broker has its own."""
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds))


@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_a_wrong_clock_is_refused(broker, seconds):
    words = f"s {'behind' if seconds < 0 else 'ahead of'} the .*timedatectl"
    with clock_wrong_by(seconds), pytest.raises(joining.CannotJoin, match=words):
        look()


def test_a_clock_that_is_a_little_wrong_is_worth_a_word(broker, monkeypatch):
    workers.sign_of_life("portal@one", ("portal",))
    monkeypatch.setattr(workers, "MOST_SKEW", 600)
    with clock_wrong_by(60):
        assert any(re.fullmatch(r"this clock is [\d.]+ s ahead of the broker's", it) for it in look().remarks)


def test_names_are_unique(broker):
    assert joining.unique_name() != joining.unique_name()
    workers.sign_of_life("matches@here", ("matches",))
    with pytest.raises(joining.CannotJoin, match="A machine called here is at work already"):
        look("here")


def test_other_releases_are_named(broker, monkeypatch):
    monkeypatch.setattr(workers, "RELEASE", "0.9.0")
    workers.sign_of_life("portal@one", ("portal",))
    assert f"other workers have release 0.9.0, this one {RELEASE}" in look().remarks


def test_another_key_is_refused_where_mail_is_signed(broker, settings):
    workers.sign_of_life("portal@one", ("portal",))
    assert look("here", "matches", "builds")
    settings.SECRET_KEY = "another"
    with pytest.raises(joining.CannotJoin, match="SECRET_KEY differs from the portal's"):
        look("here", "matches", "builds")
    assert look("here", "matches")


@pytest.mark.parametrize("said", ["--database x", "--database=x", "--data x", "--da=x", "--broker x", "--bro=x"])
def test_addresses_leave_the_command_line(said):
    """Also where their option is shortened, as argparse allows. Otherwise the command would start itself for ever."""
    words = ["manage.py", "worker", *said.split(), "--builds", "2", "--name=x", "--", "-"]
    left = ["manage.py", "worker", "--builds", "2", "--name=x", "--", "-"]
    assert without(words, "--database", "--broker") == left
