"""Backups of a portal that plays, and their way back into a new place. test_postgresql.py runs this there, too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pyrage
import pytest
from django.conf import settings
from django.core.management import CommandError
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from contest.management.commands.restore import fits
from contest.models import Contest
from contest.server import backups
from tests.conftest import ROOT
from tests.tournaments.stagecraft import Hall, finish
from tournaments.models import Match

Place = Callable[[], dict[str, str]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: object) -> Path:
    """The folder of backups."""
    settings.BACKUP_FOLDER = tmp_path / "backups"  # type: ignore[attr-defined]
    return tmp_path / "backups"


@pytest.fixture
def new_place(tmp_path: Path, portal_env: dict[str, str]) -> Iterator[Place]:
    """The environments of empty portals, each in a place of its own, with the same kind of database."""
    made: list[str] = []

    def make() -> dict[str, str]:
        var = tmp_path / f"elsewhere{len(made)}"
        environment = {name: value for name, value in portal_env.items() if name not in ("SECRET_KEY", "DATABASE_URL")}
        environment |= {"VAR_DIR": str(var), "REDIS_URL": f"unix://{settings.BROKER_SOCKET}?db=4"}
        name = f"elsewhere_{os.getpid()}_{len(made)}"
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f'CREATE DATABASE "{name}"')
            environment["DATABASE_URL"] = portal_env["DATABASE_URL"].rpartition("/")[0] + f"/{name}"
        made.append(name)
        return environment

    yield make
    if connection.vendor == "postgresql":
        for name in made:
            with connection.cursor() as cursor:
                cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def manage(environment: dict[str, str], *words: object, status: int = 0) -> str:
    command = [sys.executable, "manage.py", *map(str, words)]
    done = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def pages(environment: dict[str, str]) -> dict[str, str]:
    command = [sys.executable, "-m", "tests.contest.server.pages"]
    done = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def different(here: dict[str, str], there: dict[str, str]) -> Iterator[str]:
    for address, text in here.items():
        yield from unified_diff(text.splitlines(), there[address].splitlines(), address, address, lineterm="", n=0)


def told(environment: dict[str, str]) -> dict[str, object]:
    """What another portal says of its matches, in its own process."""
    script = """
import json
from contest.models import Contest
from tournaments.models import Match, Rating, Record
print(json.dumps([Contest.objects.get().last_number, Match.objects.done().count(), Record.objects.count(),
    [repr(it) for it in Rating.objects.order_by("team").values_list("team", "mu", "sigma")]]))
"""
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", script],
        check=True, cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    return dict(zip(("entries", "matches", "records", "ratings"), json.loads(done.stdout), strict=True))


def play_all(begun: threading.Event) -> None:
    try:
        for match in Match.objects.filter(state="queued").order_by("pk"):
            finish(match)
            begun.set()
    finally:
        connections.close_all()


@pytest.mark.long("more", "postgresql")
@pytest.mark.django_db(transaction=True)
def test_a_backup_made_while_matches_are_played_is_whole_elsewhere(
    folder: Path, new_place: Place, portal_env: dict[str, str]
) -> None:
    hall = Hall(8)
    hall.stage()
    portal_env |= {"BACKUP_FOLDER": str(folder)}
    begun = threading.Event()
    player = threading.Thread(target=play_all, args=(begun,))
    player.start()
    begun.wait(60)
    first = backups.make(folder.parent / "first.backup", [])
    player.join()
    now = Contest.objects.get().last_number
    last = backups.make(None, [])
    assert (last.parent, last.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (folder, 0o600, 0o700)
    assert list(folder.iterdir()) == [last]

    place = new_place()
    assert ", consistent" in manage(place, "restore", first, "--verify")
    then = told(place)
    assert then["records"] == then["matches"] == Match.objects.done().filter(resulted__lte=then["entries"]).count()
    assert (Path(place["VAR_DIR"]) / "secret_key").read_text() == settings.SECRET_KEY
    assert list(Path(place["VAR_DIR"]).glob("secret_key.*")) == [], "there was none before"

    # A portal that is there is not replaced without a word, and it is put aside when it is.
    assert "add --overwrite" in manage(place, "restore", last, status=1)
    assert told(place) == then
    said = manage(place, "restore", last, "--overwrite", "--verify")
    assert "Put aside" in said
    assert ", consistent" in said
    assert told(place)["entries"] == now
    here, there = pages(portal_env), pages(place)
    assert here.keys() == there.keys()
    assert "\n".join(different(here, there)) == ""


@pytest.mark.long("more")
@pytest.mark.django_db(transaction=True)
def test_only_its_key_opens_an_encrypted_backup_and_a_damaged_one_changes_nothing(
    folder: Path, tmp_path: Path, new_place: Place
) -> None:
    Hall(2)
    keys = [pyrage.x25519.Identity.generate() for _ in range(2)]
    for name, key in zip(("mine", "another"), keys, strict=True):
        (tmp_path / name).write_text(f"# a comment\n{key}\n")
    backups.make(tmp_path / "open", [])
    backups.make(tmp_path / "sealed", [str(keys[0].to_public())])
    assert settings.SECRET_KEY.encode() in (tmp_path / "open").read_bytes()
    assert settings.SECRET_KEY.encode() not in (tmp_path / "sealed").read_bytes()

    place = new_place()
    for name in ("open", "sealed"):
        whole = (tmp_path / name).read_bytes()
        half = len(whole) // 2
        (tmp_path / f"{name}-cut").write_bytes(whole[:half])
        (tmp_path / f"{name}-changed").write_bytes(whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :])
        for damaged in (f"{name}-cut", f"{name}-changed"):
            said = manage(place, "restore", tmp_path / damaged, "--key", tmp_path / "mine", status=1)
            assert "not a whole backup" in said
    assert "--key" in manage(place, "restore", tmp_path / "sealed", status=1)
    assert "Nothing has changed" in manage(
        place, "restore", tmp_path / "sealed", "--key", tmp_path / "another", status=1
    )
    assert [path.name for path in Path(place["VAR_DIR"]).iterdir() if path.name != "run"] == []
    manage(place, "restore", tmp_path / "sealed", "--key", tmp_path / "mine")
    assert told(place)["matches"] == Match.objects.done().count()


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret", "a/../../b"])
def test_nothing_is_unpacked_outside(tmp_path: Path, name: str) -> None:
    (tmp_path / "inside").mkdir()
    with tarfile.open(tmp_path / "odd", "w") as archive:
        archive.addfile(tarfile.TarInfo(name))
    with pytest.raises(CommandError, match="unexpected member"):
        backups.unpack(tmp_path / "odd", tmp_path / "inside", None)


@pytest.mark.django_db
def test_a_backup_of_a_newer_release_an_old_one_or_another_database_is_refused() -> None:
    applied = [f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()]
    about = {"database": connection.vendor, "migrations": applied}
    fits(about)
    with pytest.raises(CommandError, match="newer release"):
        fits({**about, "migrations": [*applied, "contest.9999_from_the_future"]})
    with pytest.raises(CommandError, match="older than commit"):
        fits({**about, "migrations": sorted({*applied} - {"tournaments.0036_rate_again"})})
    with pytest.raises(CommandError, match="is of oracle"):
        fits({**about, "database": "oracle"})


@pytest.mark.long("more")
@pytest.mark.django_db(transaction=True)
def test_the_schedule_keeps_some_backups_and_tells_of_a_failure(folder: Path, settings: Any) -> None:
    settings.BACKUP_EVERY, settings.BACKUP_RECIPIENTS = 24, ["age1nonsense"]
    now = datetime.now(UTC)
    assert not backups.finding(now).ok
    folder.mkdir(mode=0o700)
    (folder / "kibitz-20200101T000000Z.backup").touch()
    (folder / "my own.backup").touch()
    assert backups.is_due(now)
    with pytest.raises(pyrage.RecipientError):
        backups.make_scheduled()
    assert "the last backup failed" in backups.finding(now).detail
    settings.BACKUP_RECIPIENTS, settings.BACKUP_KEEP = [], 1
    backups.make_scheduled()
    assert not backups.is_due(now + timedelta(hours=23))
    assert backups.is_due(now + timedelta(hours=25))
    assert len(list(folder.glob("kibitz-*"))) == 1
    assert len(list(folder.iterdir())) == 2
    assert backups.finding(now).ok
    assert not backups.finding(now + timedelta(hours=49)).ok
