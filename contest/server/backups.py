"""`./run backup`: one file with everything of value, made while the portal runs.

The file is a tar, encrypted in the format of age if that is wanted. Its members are `about.json`, the database as its
own tools write it, the secrets, and at last `end.json` with a digest of everything before it. So
a file that was cut off or changed on its way is noticed before anything of it is used.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import pyrage
import zstandard
from django.conf import settings
from django.core.management import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from contest.server.health import Finding

STAMP = "%Y%m%dT%H%M%SZ"
NAMES = "kibitz-*Z.backup*"
MAKING = ".making-"
ASIDE = "before_restore_"  # begins the name of what a restore has put aside
SECRETS = ("secret_key", "organiser.txt", "ports.json")  # of var/
LONGEST = 3600.0  # seconds after which a backup that is not finished counts as given up
FAILURES = (OSError, DatabaseError, sqlite3.Error, pyrage.RecipientError, CommandError)  # of `make`


def make(target: Path | None, recipients: Sequence[str]) -> Path:
    """Make a backup for these public keys of age, readable if there are none. Returns its path."""
    if target is None:
        settings.BACKUP_FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"kibitz-{datetime.now(UTC).strftime(STAMP)}.backup{'.age' if recipients else ''}"
        target = settings.BACKUP_FOLDER / name
    if target.exists():
        raise CommandError(f"{target} exists already.")
    with tempfile.TemporaryDirectory(prefix=MAKING, dir=target.parent) as name:
        work = Path(name)
        whole = work / "whole"
        with tarfile.open(whole, "x", format=tarfile.PAX_FORMAT) as archive:
            members = list(_collected(work))
            (work / "end.json").write_text(json.dumps(_digest(members)), encoding="utf-8")
            for member, path in [*members, ("end.json", work / "end.json")]:
                archive.add(path, member)
        if recipients:
            keys = [pyrage.x25519.Recipient.from_str(key) for key in recipients]
            pyrage.encrypt_file(str(whole), str(work / "sealed"), keys)
            whole = work / "sealed"
        whole.chmod(0o600)
        with whole.open("rb") as file:
            os.fsync(file.fileno())
        whole.rename(target)
    return target


def _collected(work: Path) -> Iterable[tuple[str, Path]]:
    """The members of a backup."""
    about = {
        "format": 1,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "portal": settings.PORTAL_URL,
        "database": connection.vendor,
        "migrations": sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()),
    }
    (work / "about.json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    (work / "secret_key").write_text(settings.SECRET_KEY, encoding="utf-8")
    database = copy_database(work)
    yield from ((path.name, path) for path in (work / "about.json", database, work / "secret_key"))
    others = {name: settings.VAR_DIR / name for name in SECRETS[1:]} | {"env": settings.BASE_DIR / ".env"}
    yield from ((name, path) for name, path in others.items() if path.is_file())


def _digest(members: Sequence[tuple[str, Path]]) -> dict[str, Any]:
    digest = hashlib.sha256()
    for name, path in members:
        digest.update(f"{name}\0{path.stat().st_size}\0".encode())
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    return {"members": len(members), "sha256": digest.hexdigest()}


def unpack(path: Path, folder: Path, key: Path | None) -> dict[str, Any]:
    """Unpack a whole backup into an empty private folder, and return what it says about itself. `key`: the file of the
    secret key."""
    try:
        with path.open("rb") as file:
            if file.read(22) == b"age-encryption.org/v1\n":
                if key is None:
                    raise CommandError(f"{path} is encrypted: name the file of the secret key with --key.")
                lines = [line for line in key.read_text(encoding="utf-8").split() if line.startswith("AGE-SECRET-KEY-")]
                keys = [pyrage.x25519.Identity.from_str(line) for line in lines]
                pyrage.decrypt_file(str(path), str(folder / "plain"), keys)
                path = folder / "plain"
        with tarfile.open(path, "r:") as archive:
            names = [_unpack(archive, member, folder) for member in archive]
        if json.loads((folder / "end.json").read_text()) != _digest([(name, folder / name) for name in names[:-1]]):
            raise ValueError("its digest is another one")
        about: dict[str, Any] = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    except (tarfile.TarError, ValueError, OSError, pyrage.DecryptError, pyrage.IdentityError) as error:
        raise CommandError(
            f"{path} is not a whole backup, or not for this key: {error}. Nothing has changed."
        ) from None
    return about


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> str:
    """Nothing may leave the folder, and a sparse file may claim to be larger than any disk."""
    name, file = PurePosixPath(member.name), archive.extractfile(member)
    if file is None or member.issparse() or name.is_absolute() or ".." in name.parts:
        raise ValueError(f"it has an unexpected member {name}")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("xb") as out:
        shutil.copyfileobj(file, out)
    return member.name


# The database ---------------------------------------------------------------------------------------------------------


def copy_database(folder: Path) -> Path:
    """Write a copy of one moment into the folder, while others go on writing."""
    if connection.vendor == "postgresql":
        run_tool("pg_dump", "--format=custom", f"--exclude-schema={ASIDE}*", f"--file={folder / 'database.dump'}")
        return folder / "database.dump"
    source = Path(connection.settings_dict["NAME"]).absolute().as_uri()
    with closing(sqlite3.connect(f"{source}?mode=ro", uri=True, timeout=60)) as database:
        database.execute("VACUUM INTO ?", [str(folder / "database.sqlite3")])
    with (folder / "database.sqlite3").open("rb") as file, (folder / "database.sqlite3.zst").open("wb") as packed:
        zstandard.ZstdCompressor().copy_stream(file, packed)
    return folder / "database.sqlite3.zst"


def run_tool(name: str, *arguments: str) -> None:
    """Run a tool of PostgreSQL on our database: the newest, since Debian's wrapper picks one by the local cluster."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: float(path.parts[4]))
    about: dict[str, Any] = connection.settings_dict
    known = {f"PG{it}": about[it] for it in ("HOST", "PORT", "USER", "PASSWORD")} | {"PGDATABASE": about["NAME"]}
    known |= {f"PG{it.upper()}": about["OPTIONS"].get(it) for it in ("sslmode", "sslrootcert")}
    environment = os.environ | {it: str(value) for it, value in known.items() if value}
    environment.pop("PGOPTIONS", None)  # a time-out of statements is not meant for these
    command = [found[-1] if found else name, "--no-owner", "--no-privileges", "--no-password", *arguments]
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise CommandError(f"{name} failed: {done.stderr.strip()}")


# The schedule ---------------------------------------------------------------------------------------------------------


def is_due(now: datetime) -> bool:
    """Whether the schedule wants a backup, and none is being made."""
    made = newest()
    is_young = made is not None and timedelta() <= now - made < timedelta(hours=settings.BACKUP_EVERY)
    started = datetime.now(UTC).timestamp() - LONGEST
    is_made = any(folder.stat().st_mtime > started for folder in _unfinished())
    return bool(settings.BACKUP_EVERY) and not is_young and not is_made


def make_scheduled() -> None:
    """Make a backup, encrypted if there are recipients, and delete old ones. A failure is noted for `finding`."""
    note = settings.BACKUP_FOLDER / "failed.txt"
    for left in _unfinished():
        shutil.rmtree(left, ignore_errors=True)
    try:
        make(None, settings.BACKUP_RECIPIENTS)
    except FAILURES as error:
        with suppress(OSError):
            note.write_text(f"{error}\n", encoding="utf-8")
        raise
    note.unlink(missing_ok=True)
    for old in sorted(settings.BACKUP_FOLDER.glob(NAMES), reverse=True)[settings.BACKUP_KEEP :]:
        old.unlink()


def _unfinished() -> list[Path]:
    """Folders in which backups are being made, or were when their process was killed."""
    return [*settings.BACKUP_FOLDER.glob(f"{MAKING}*")]


def newest() -> datetime | None:
    """When the newest backup in BACKUP_FOLDER was made, by its name."""
    name = max((path.name for path in settings.BACKUP_FOLDER.glob(NAMES)), default="")
    return datetime.strptime(name.split(".")[0], f"kibitz-{STAMP}").replace(tzinfo=UTC) if name else None


def finding(now: datetime | None = None) -> Finding:
    """Whether the schedule is kept. For settings.MORE_CHECKS."""
    made, note = newest(), settings.BACKUP_FOLDER / "failed.txt"
    told = f"the newest in {settings.BACKUP_FOLDER} is of {made or 'no time yet'}"
    if note.exists():
        return Finding("backup", False, f"the last backup failed, and {told}: {note.read_text(encoding='utf-8')}")
    late = made is None or (now or datetime.now(UTC)) - made > timedelta(hours=2 * settings.BACKUP_EVERY)
    late = late and not (made is None and _unfinished())  # the first is being made
    return Finding("backup", not late, f"{told}; one is due every {settings.BACKUP_EVERY} h")
