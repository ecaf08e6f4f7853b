"""Databases of earlier releases, migrated: every page of every contest answers as it did then (freeze.py)."""

from __future__ import annotations

import json
import lzma
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler
from django.urls import Resolver404, resolve

from contest.models import Contest
from contest.server import schema
from contest.version import RELEASE
from submissions.models import Submission
from tests.upgrades import crawling
from tests.upgrades.freeze import FOLDER
from tournaments.playing import audit
from tournaments.results import replay

FROZEN = sorted(path.name.removesuffix(".sqlite3.xz") for path in FOLDER.glob("*.sqlite3.xz"))
MOVED: dict[str, dict[str, int]] = {}
"""By release, pages whose status has changed on purpose, with the present one."""


@contextmanager
def frozen(release: str, file: Path) -> Iterator[None]:
    """The database of a release, written to a file, is the database of the test."""
    file.write_bytes(lzma.decompress((FOLDER / f"{release}.sqlite3.xz").read_bytes()))
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file), "OPTIONS": settings.SQLITE_OPTIONS}
    ours = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = ConnectionHandler({DEFAULT_DB_ALIAS: database})[DEFAULT_DB_ALIAS]
    try:
        yield
    finally:
        connection.close()
        connections[DEFAULT_DB_ALIAS] = ours


@pytest.fixture(scope="module", params=FROZEN)
def release(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The database of a release, migrated, is the database of the test."""
    file = tmp_path_factory.mktemp("release") / "frozen.sqlite3"
    with django_db_blocker.unblock(), frozen(request.param, file):
        call_command("migrate", verbosity=0)
        yield request.param


def a_few_of_each_kind(pages: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Of pages with the same address apart from numbers, and with the same status, the first and the last."""
    kinds: dict[tuple[str, int], list[str]] = defaultdict(list)
    for page, status in pages.items():
        kinds[re.sub(r"\d+", "0", page), status].append(page)
    for (_, status), alike in kinds.items():
        yield from ((page, status) for page in dict.fromkeys((alike[0], alike[-1])))


def is_there(page: str) -> bool:
    """Whether the portal still has such an address."""
    try:
        resolve(page.partition("?")[0])
    except Resolver404:
        return False
    return True


def test_every_page_answers_as_it_did(release: str) -> None:
    told = json.loads(lzma.decompress((FOLDER / f"{release}.json.xz").read_bytes()))
    wrong = []
    for contest in Contest.objects.filter(slug__in=told):
        clients = crawling.readers(contest)
        for reader, pages in told.pop(contest.slug).items():
            for page, then in a_few_of_each_kind({page: then for page, then in pages.items() if is_there(page)}):
                then = MOVED.get(release, {}).get(page, then)
                if (now := crawling.status(clients[reader], page)) != then:
                    wrong.append(f"{reader} {page}: {then} then, {now} now")
    assert wrong == []
    assert not told, "every contest is still there"


def test_results_agree_with_the_ledger(release: str) -> None:
    for contest in Contest.objects.all():
        assert list(replay.differences(contest)) == []


def test_the_database_is_as_this_code_expects(release: str) -> None:
    assert schema.trouble() == ""


@pytest.mark.parametrize("app", ["contest", "submissions", "tournaments"])
def test_a_database_from_before_the_first_migrations_is_refused_and_stays(
    app: str, django_db_setup: None, django_db_blocker: Any, tmp_path: Path
) -> None:
    file = tmp_path / "older.sqlite3"
    with django_db_blocker.unblock(), frozen("1.0.0", file):
        last = MigrationRecorder.Migration.objects.filter(app=app).latest("name")
        last.delete()
        connection.close()
        before = file.read_bytes()
        with pytest.raises(CommandError, match="older than commit 6030adb2"):
            call_command("migrate", verbosity=0)
        connection.close()
        assert file.read_bytes() == before


def test_this_release_is_frozen() -> None:
    assert RELEASE in FROZEN, "python -m tests.upgrades.freeze"


def test_records_come_into_the_database_and_modules_of_javascript_are_built_anew(
    django_db_setup: None, django_db_blocker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    with django_db_blocker.unblock(), frozen("1.0.0", tmp_path / "frozen.sqlite3"):
        with connection.cursor() as cursor:
            cursor.execute("SELECT match_id, sha256, data FROM tournaments_record")
            rows = cursor.fetchall()
            cursor.execute("UPDATE tournaments_record SET store = 'files', data = x''")
            cursor.execute("UPDATE submissions_submission SET language = 'javascript', filename = 'a.mjs'")
        for match, sha256, data in rows:
            file = tmp_path / f"records/{match // 1000:06}/{match}-{sha256[:32]}.json.zst"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        call_command("migrate", verbosity=0)
        assert rows
        assert set(Submission.objects.values_list("artifact", flat=True)) == {None}, "they start as bot.mjs now"
        assert [it for contest in Contest.objects.all() for it in audit.problems_of_records(contest)] == []
