"""Backups: made while the portal plays, private, encrypted if that is wanted, and on a schedule.

A schedule is kept by the tick, which asks `start_if_due` every few seconds. The backup itself is made by a process of
its own (`manage.py backup --scheduled`), because it takes minutes and the tick must not wait. What there is to know
about past backups stands in their folder: their names tell when they were made, and `failed.txt` why the last one was
not.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.crypto import salted_hmac

from contest.server import backup_database
from contest.server.aside import Aside
from contest.server.backup_archive import ABOUT, FORMAT, Unusable, Writer, write
from contest.server.health import Finding, version_of_database
from contest.server.supervisor import give_way

logger = logging.getLogger(__name__)

NAME = re.compile(r"kibitz-(\d{8}T\d{6}Z)\.backup(\.age)?")
STAMP = "%Y%m%dT%H%M%SZ"
MAKING = ".making-"
FAILED = "failed.txt"
AGAIN = 600.0  # seconds after a backup was begun before the schedule begins another
NICE = 10
SECRETS = ("organiser.txt", "ports.json")  # of var/, beside the secret key
SECRET_KEY, ENVIRONMENT, RECORDS = "secret_key", "env", "records"


def make(target: Path | None = None, recipients: Sequence[str] = (), now: datetime | None = None) -> Path:
    """Make a backup and return its path. `target`: a file that does not exist; by default a name with the time, in the
    folder of backups. Raises Unusable; then nothing is left behind."""
    if target is None:
        name = f"kibitz-{(now or datetime.now(UTC)).strftime(STAMP)}.backup{'.age' if recipients else ''}"
        target = privacy_folder(settings.BACKUP_FOLDER) / name
    if target.exists():
        raise Unusable(f"{target} exists already")
    try:
        with alone(), workshop(target.parent) as work:
            # Files of records come after the database: they never change, so all that it names are there.
            database = backup_database.copy(work)
            write(target, work, lambda writer: _fill(writer, database), recipients)
    except (OSError, DatabaseError) as error:
        raise Unusable(f"the backup cannot be written: {error}") from error
    return target


def _fill(writer: Writer, database: Path) -> None:
    writer.add_text(ABOUT, json.dumps(about(), indent=1))
    writer.add_file(database.name, database)
    writer.add_text(SECRET_KEY, settings.SECRET_KEY)
    for name, path in [(name, settings.VAR_DIR / name) for name in SECRETS] + [
        (ENVIRONMENT, settings.BASE_DIR / ".env")
    ]:
        if path.is_file():
            writer.add_file(name, path)
    for path in files_of_records():
        with suppress(FileNotFoundError):  # its match is not kept any longer
            writer.add_file(f"{RECORDS}/{path.relative_to(settings.RECORDS_FOLDER).as_posix()}", path)


def files_of_records() -> Iterator[Path]:
    """The files of records that are kept in the file system, folder by folder."""
    for folder, folders, names in os.walk(settings.RECORDS_FOLDER):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(names))


def about() -> dict[str, Any]:
    """What a backup says about itself, and what must fit when it is restored."""
    made = {
        "format": FORMAT,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "portal": settings.PORTAL_URL,
        "database": connection.vendor,
        "database_version": version_of_database(),
        "migrations": sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()),
    }
    connection.close()
    return made


def privacy_folder(folder: Path) -> Path:
    """The folder of backups, made private if it is new. Raises Unusable if others may read it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder.stat().st_mode & 0o077:
            raise Unusable(f"{folder} is open to other users of this machine: chmod 700 {folder}")
    except OSError as error:
        raise Unusable(f"{folder} cannot be used for backups: {error}") from None
    return folder


def _lock() -> Path:
    """Of this portal, not of the folder of backups: others may keep theirs in the same one."""
    folder = settings.VAR_DIR / "run"
    folder.mkdir(mode=0o700, exist_ok=True)
    return Path(folder / "backup.lock")


@contextmanager
def alone() -> Iterator[None]:
    """One backup of this portal at a time. Raises Unusable."""
    with _lock().open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unusable("another backup is being made") from None
        yield


@contextmanager
def workshop(folder: Path) -> Iterator[Path]:
    """A folder beside the backup for what is not complete. Deletes what killed backups of this portal have left there,
    and nothing of other portals."""
    ours = f"{MAKING}{salted_hmac('kibitz.backups', 'folder').hexdigest()[:12]}-"
    for left in folder.glob(f"{ours}*"):
        with suppress(OSError), _held(left):
            shutil.rmtree(left, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix=ours, dir=folder))
    try:
        with _held(work):
            yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Lock a folder until the process ends or is killed. Machines of one portal may each have a var/, and make backups
    in the same place. Raises BlockingIOError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def is_being_made() -> bool:
    try:
        with _lock().open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


# The schedule ---------------------------------------------------------------------------------------------------------

ASIDE = Aside(["backup", "--scheduled"], pause=AGAIN)


def start_if_due(now: datetime) -> bool:
    """Start a process that makes the backup if the schedule says so. Returns whether it was started."""
    return ASIDE.may_start() and is_due(now) and ASIDE.start()


def is_due(now: datetime) -> bool:
    if not settings.BACKUP_EVERY or is_being_made():
        return False
    latest = newest()
    return latest is None or not timedelta() <= now - latest < timedelta(hours=settings.BACKUP_EVERY)


def scheduled() -> Path:
    """Make a backup as the schedule wants it, and delete older ones beyond those to keep. Raises Unusable, which it
    notes for `finding`."""
    give_way(NICE)
    try:
        made = make(recipients=settings.BACKUP_RECIPIENTS)
    except Unusable as error:
        with suppress(OSError):
            (settings.BACKUP_FOLDER / FAILED).write_text(f"{error}\n", encoding="utf-8")
        raise
    with suppress(OSError):
        (settings.BACKUP_FOLDER / FAILED).unlink(missing_ok=True)
    for old in sorted(_made(settings.BACKUP_FOLDER), reverse=True)[settings.BACKUP_KEEP :]:
        old[1].unlink(missing_ok=True)
    return made


def _made(folder: Path) -> list[tuple[datetime, Path]]:
    """The backups in a folder that have a name with their time; those that somebody named stay out of the schedule."""
    try:
        paths = list(folder.iterdir())
    except OSError:
        return []
    found = ((NAME.fullmatch(path.name), path) for path in paths)
    return [(datetime.strptime(name[1], STAMP).replace(tzinfo=UTC), path) for name, path in found if name]


def newest() -> datetime | None:
    """When the newest whole backup in the folder of backups was made."""
    return max((made for made, _ in _made(settings.BACKUP_FOLDER)), default=None)


def failure() -> str:
    """Why the last backup of the schedule failed. Blank if it did not."""
    try:
        return (settings.BACKUP_FOLDER / FAILED).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def finding(now: datetime | None = None) -> Finding:
    """Whether the schedule is kept. For settings.MORE_CHECKS."""
    now, latest, why = now or datetime.now(UTC), newest(), failure()
    told = f"the newest is of {latest:%Y-%m-%d %H:%M} UTC" if latest else "there is none yet"
    if why:
        return Finding("backup", False, f"the last backup failed, {told}: {why}")
    if latest is None and is_being_made():
        return Finding("backup", True, "the first backup is being made", doubtful=True)
    if latest is None or now - latest > timedelta(hours=2 * settings.BACKUP_EVERY):
        hours = settings.BACKUP_EVERY
        return Finding("backup", False, f"{told}, and one is due every {hours} h (in {settings.BACKUP_FOLDER})")
    return Finding("backup", True, f"{told}, in {settings.BACKUP_FOLDER}")
