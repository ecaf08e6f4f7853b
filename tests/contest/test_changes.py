"""contest.changes: what moves the stamp of public pages."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone

from contest import changes
from contest.models import Announcement, Contest, User
from tests.cast import make_cast

pytestmark = pytest.mark.long("more")


@pytest.mark.django_db(transaction=True)
def test_what_pages_show_moves_the_stamp_when_it_is_committed() -> None:
    cast = make_cast()
    before = changes.stamp()
    assert changes.stamp() == before
    with transaction.atomic():
        Contest.objects.filter(pk=cast.contest.pk).update(name="Renamed")
        assert changes.stamp() == before, "nobody sees it yet"
    renamed = changes.stamp()
    assert renamed != before
    Announcement.objects.create(contest=cast.contest, text="Lunch", posted_by=cast.olga)
    assert changes.stamp() != renamed


@pytest.mark.django_db(transaction=True)
def test_what_they_do_not_show_and_what_is_undone_does_not() -> None:
    cast = make_cast()
    before = changes.stamp()
    User.objects.filter(pk=cast.olga.pk).update(last_login=timezone.now())
    cast.olga.tokens.create(name="token", digest="0" * 64)
    cast.contest.touch()
    with transaction.atomic():
        Contest.objects.filter(pk=cast.contest.pk).update(name="Renamed")
        transaction.set_rollback(True)
    assert changes.stamp() == before


@pytest.mark.parametrize(
    ("sql", "seen"),
    [
        ('INSERT INTO "contest_team" ("name") VALUES (%s)', True),
        ('INSERT OR IGNORE INTO "contest_team" ("name") VALUES (%s)', True),
        ('DELETE FROM "tournaments_note" WHERE "id" IN (%s)', True),
        ('UPDATE "contest_contest" SET "revision" = %s, "name" = %s WHERE "id" = %s', True),
        ('UPDATE "contest_contest" SET "revision" = ("contest_contest"."revision" + %s) WHERE "id" = %s', False),
        ('UPDATE "contest_user" SET "last_login" = %s WHERE "contest_user"."id" = %s', False),
        ('DELETE FROM "contest_user" WHERE "id" = %s', True),
        ('SELECT "id" FROM "contest_team" WHERE "name" = \'UPDATE "contest_team"\'', False),
        ('UPDATE "tournaments_match" SET "state" = %s WHERE "id" = %s', False),
        ("SAVEPOINT one", False),
    ],
)
def test_statements(sql: str, seen: bool) -> None:
    assert changes.is_seen(sql) is seen
