"""Backups of a portal that plays, and their way back into a new place. test_postgresql.py runs this there, too."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, connections

from contest.management.commands.restore import fits
from contest.models import Contest
from contest.server import backup_archive, backup_database, backups
from contest.server.backup_archive import Unusable
from tests.conftest import ROOT
from tests.tournaments.stagecraft import Hall, finish
from tournaments.models import Match

Place = Callable[[], dict[str, str]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: object) -> Path:
    """The folder of backups."""
    settings.BACKUP_FOLDER = tmp_path / "backups"  # type: ignore[attr-defined]
    settings.RECORDS_FOLDER = tmp_path / "records"  # type: ignore[attr-defined]
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


@pytest.mark.long("more")
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
    first = backups.make(folder.parent / "first.backup")
    player.join()
    now = Contest.objects.get().last_number
    last = backups.make()

    place = new_place()
    assert "is whole" in manage(place, "restore", first, "--check")
    assert [path.name for path in Path(place["VAR_DIR"]).rglob("*")] == [], "a check leaves nothing"
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
def test_a_backup_is_private_and_only_its_key_opens_it(folder: Path, tmp_path: Path, new_place: Place) -> None:
    Hall(2)
    secret, public = backup_archive.new_key()
    for name, text in (("mine", secret), ("another", backup_archive.new_key()[0])):
        (tmp_path / name).write_text(f"# a comment\n{text}\n")
    made = backups.make(recipients=[public])
    assert made.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in folder.iterdir()) == [made.name]
    content = made.read_bytes()
    assert settings.SECRET_KEY.encode() not in content
    assert settings.SECRET_KEY.encode() in backups.make(tmp_path / "open.backup").read_bytes()

    def fails(path: Path, key: str | None, why: str) -> None:
        inside = tmp_path / "inside"
        inside.mkdir()
        with pytest.raises(Unusable, match=why):
            backup_archive.unpack(path, inside, tmp_path / key if key else None)
        shutil.rmtree(inside)

    fails(made, None, "--key")
    fails(made, "another", "cannot be deciphered")
    for end in (".age", ""):  # cut off, and changed on its way
        whole = content if end else (tmp_path / "open.backup").read_bytes()
        bad = tmp_path / f"bad{end}"
        bad.write_bytes(whole[: len(whole) * 2 // 3])
        fails(bad, "mine", "whole|deciphered|cut off")
        bad.write_bytes(whole[: len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 1]) + whole[len(whole) // 2 + 1 :])
        fails(bad, "mine", "whole|deciphered|changed")
    (tmp_path / "inside").mkdir()
    about = backup_archive.unpack(made, tmp_path / "inside", tmp_path / "mine")
    assert about["database"] == connection.vendor
    assert {path.name for path in (tmp_path / "inside").iterdir()} >= {"secret_key", backup_database.member()}

    place = new_place()
    assert "Nothing has changed" in manage(place, "restore", made, "--key", tmp_path / "another", status=1)
    assert "is whole" in manage(place, "restore", made, "--key", tmp_path / "mine", "--check")
    assert "there is no portal" not in manage(place, "restore", made, "--key", tmp_path / "mine")


def archived(path: Path, members: dict[str, str]) -> Path:
    """A backup with these members, made by somebody else."""

    def fill(writer: backup_archive.Writer) -> None:
        for name, text in members.items():
            writer.add_text(name, text)

    backup_archive.write(path, path.parent, fill)
    return path


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret", "a/../../b"])
def test_nothing_is_unpacked_outside(tmp_path: Path, name: str) -> None:
    (tmp_path / "inside").mkdir()
    made = archived(tmp_path / "odd.backup", {"about.json": "{}", name: "harm"})
    with pytest.raises(Unusable, match="unexpected member"):
        backup_archive.unpack(made, tmp_path / "inside")


@pytest.mark.django_db
def test_a_backup_of_a_newer_release_or_another_database_is_refused(tmp_path: Path) -> None:
    about = backups.about()
    fits(about)
    with pytest.raises(Unusable, match="newer release"):
        fits({**about, "migrations": [*about["migrations"], "contest.9999_from_the_future"]})
    with pytest.raises(Unusable, match="is of oracle"):
        fits({**about, "database": "oracle"})
    old = sorted({*about["migrations"]} - {"tournaments.0036_rate_again"})
    with pytest.raises(Unusable, match="older than commit"):
        fits({**about, "migrations": old})


@pytest.mark.long("more")
@pytest.mark.django_db(transaction=True)
def test_a_failed_backup_leaves_nothing_and_is_told(folder: Path, settings: Any) -> None:
    settings.BACKUP_EVERY, settings.BACKUP_RECIPIENTS = 24, ["age1nonsense"]
    now = datetime.now(UTC)
    assert not backups.finding(now).ok
    with pytest.raises(Unusable, match="not a public key"):
        backups.scheduled()
    assert "not a public key" in backups.finding(now).detail
    assert sorted(path.name for path in folder.iterdir()) == ["failed.txt"]
    settings.BACKUP_RECIPIENTS = []
    backups.scheduled()
    assert backups.finding(now).ok
    assert backups.finding(now + timedelta(hours=49)).detail.endswith(f"(in {folder})")
    assert not backups.finding(now + timedelta(hours=49)).ok
    folder.chmod(0o755)
    with pytest.raises(Unusable, match="open to other users"):
        backups.make()
