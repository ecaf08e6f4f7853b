"""PostgreSQL goes back to a moment between two results, as docs/operations/backup.md describes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from contest.models import Contest
from tests import postgresql
from tests.contest.server.test_backups import manage, told
from tests.tournaments.stagecraft import Hall, finish
from tests.waiting import wait_for
from tournaments.models import Match

pytestmark = [pytest.mark.long("postgresql"), pytest.mark.django_db(transaction=True)]
pytestmark += [pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no log to go back in")]


def ask(statement: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return str(cursor.fetchone()[0])


def order(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture
def archive() -> Iterator[Path]:
    """The folder to which the log is copied, as the documentation has it."""
    folder = Path(ask("SHOW data_directory")).parent / "archive"
    folder.mkdir(mode=0o700)
    about = folder.parent.stat()
    os.chown(folder, about.st_uid, about.st_gid)
    copy = f"test ! -f {folder}/%f && cp %p {folder}/.%f && mv {folder}/.%f {folder}/%f"
    order(f"ALTER SYSTEM SET archive_command = '{copy}'")
    order("SELECT pg_reload_conf()")
    yield folder
    order("ALTER SYSTEM RESET archive_command")
    order("SELECT pg_reload_conf()")


def test_the_database_goes_back_to_a_moment_between_two_results(archive: Path, portal_env: dict[str, str]) -> None:
    Hall(8).stage()
    first, second = Match.objects.filter(state="queued").order_by("pk")[:2]
    socket, programs = archive.parent, postgresql.programs()
    assert programs
    base = archive / "base"
    command = [programs / "pg_basebackup", f"--pgdata={base}", "--checkpoint=fast", "--wal-method=none"]
    command += ["-h", socket, "-U", "kibitz", "--no-sync"]
    subprocess.run(command, check=True, capture_output=True, **postgresql.identity())

    finish(first)
    then = Contest.objects.get().last_number
    moment = ask("SELECT clock_timestamp()")
    finish(second)
    assert Match.objects.done().count() == 2
    order("SELECT pg_create_restore_point('end')")
    segment = ask("SELECT pg_walfile_name(pg_switch_wal())")
    wait_for((archive / segment).exists, lambda: sorted(path.name for path in archive.iterdir()))

    with (base / "postgresql.auto.conf").open("a") as settings:
        settings.write(
            f"restore_command = 'cp {archive}/%f %p'\n"
            f"recovery_target_time = '{moment}'\n"
            "recovery_target_action = 'promote'\n"
            "archive_mode = off\n"
        )
    (base / "recovery.signal").touch()
    with postgresql.started(programs, base) as url:
        place = portal_env | {"DATABASE_URL": f"{url.rpartition('/')[0]}/{connection.settings_dict['NAME']}"}
        found = told(place)
        assert (found["matches"], found["records"], found["entries"]) == (1, 1, then)
        assert ", consistent" in manage(place, "audit")
    assert Match.objects.done().count() == 2, "the other server went on"
