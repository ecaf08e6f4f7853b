"""A consistent copy of the database while the portal plays, and its way back, by the database's own tools.

SQLite: `VACUUM INTO` reads one snapshot, while others go on writing to the log. PostgreSQL: `pg_dump` in its own format
does the same; it and `pg_restore` must not be older than the server.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import zstandard
from django.db import OperationalError, connection

from contest.server.backup_archive import CHUNK, Unusable

SQLITE, POSTGRESQL = "database.sqlite3.zst", "database.dump"
LEVEL = 3  # most of the database is compressed already
ASIDE = "before_restore_"  # begins the name of what a restore has put aside
WAIT = 60.0  # seconds for SQLite's locks
DEBIAN = Path("/usr/lib/postgresql")


def member() -> str:
    """The name of the database in a backup; a backup of one kind cannot be restored into another."""
    return SQLITE if connection.vendor == "sqlite" else POSTGRESQL


def copy(folder: Path) -> Path:
    """Write a consistent copy as a private file into the folder. Raises Unusable."""
    return _copy_sqlite(folder) if connection.vendor == "sqlite" else _copy_postgresql(folder)


def put_back(copied: Path, stamp: str) -> str:
    """Put a copy in the place of the database. What was there is put aside under a name with the stamp; the answer says
    where, blank if there was nothing. A failure leaves everything as it was. Raises Unusable."""
    connection.close()
    return _put_back_sqlite(copied, stamp) if connection.vendor == "sqlite" else _put_back_postgresql(copied, stamp)


def is_empty() -> bool:
    """Whether there is no portal in the database yet."""
    if connection.vendor == "sqlite" and not _file().exists():
        return True  # asking would create it
    try:
        tables = connection.introspection.table_names()
    finally:
        connection.close()
    return not tables


def others() -> int:
    """The connections of other processes to the database, as far as it tells."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        count = int(cursor.fetchone()[0])
    connection.close()
    return count


# SQLite ---------------------------------------------------------------------------------------------------------------


def _file() -> Path:
    return Path(connection.settings_dict["NAME"])


def _copy_sqlite(folder: Path) -> Path:
    source, plain, target = _file(), folder / "database.sqlite3", folder / SQLITE
    if not source.exists():
        raise Unusable(f"there is no database {source}")
    need, free = source.stat().st_size, shutil.disk_usage(folder).free
    if free < 2 * need:
        raise Unusable(f"{folder} has {free / 1e9:.1f} GB free, and copying the database takes {2 * need / 1e9:.1f} GB")
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=WAIT)) as database:
            database.execute("VACUUM INTO ?", [str(plain)])
        with closing(sqlite3.connect(plain)) as copied:
            _check(copied)
    except sqlite3.Error as error:
        raise Unusable(f"the database cannot be copied: {error}") from None
    with plain.open("rb") as file, target.open("wb") as packed:
        zstandard.ZstdCompressor(level=LEVEL).copy_stream(file, packed, read_size=CHUNK, write_size=CHUNK)
    plain.unlink()
    return target


def _check(database: sqlite3.Connection) -> None:
    problem = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if problem != "ok":
        raise Unusable(f"the database is damaged: {problem}")


def _put_back_sqlite(copied: Path, stamp: str) -> str:
    target = _file()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with copied.open("rb") as packed, fresh.open("wb") as file:
            zstandard.ZstdDecompressor().copy_stream(packed, file, read_size=CHUNK, write_size=CHUNK)
        with closing(sqlite3.connect(fresh)) as database:
            _check(database)
        aside = ""
        if target.exists():
            with suppress(sqlite3.Error), closing(sqlite3.connect(target, timeout=WAIT)) as old:
                old.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # so that the file alone is all of it
            aside = f"{target.with_name(target.name + '.' + ASIDE + stamp)}"
            for end in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    Path(f"{target}{end}").rename(f"{aside}{end}")
        fresh.rename(target)
    except (sqlite3.Error, zstandard.ZstdError) as error:
        raise Unusable(f"the copy of the database is damaged: {error}") from None
    finally:
        fresh.unlink(missing_ok=True)
    return aside


# PostgreSQL -----------------------------------------------------------------------------------------------------------


def _program(name: str) -> str:
    """The newest installed version: Debian's own `pg_dump` picks one by the local cluster, which may be another."""
    found = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: float(path.parent.parent.name))
    if path := (str(found[-1]) if found else shutil.which(name)):
        return path
    raise Unusable(f"{name} is missing: apt-get install postgresql-client")


def _run(command: list[str], what: str) -> None:
    """Run one of PostgreSQL's tools on our database. The password never stands on a command line."""
    about: dict[str, Any] = connection.settings_dict
    options = about.get("OPTIONS") or {}
    known = {
        "PGHOST": about["HOST"],
        "PGPORT": about["PORT"],
        "PGUSER": about["USER"],
        "PGPASSWORD": about["PASSWORD"],
        "PGDATABASE": about["NAME"],
        "PGSSLMODE": options.get("sslmode"),
        "PGSSLROOTCERT": options.get("sslrootcert"),
        "PGCONNECT_TIMEOUT": "10",
    }
    environment = os.environ | {name: str(value) for name, value in known.items() if value}
    environment.pop("PGOPTIONS", None)  # a time-out of statements is not meant for these
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in done.stderr.strip().splitlines() if line.strip()]
        raise Unusable(f"{what}: {lines[0] if lines else f'status {done.returncode}'}")


def _copy_postgresql(folder: Path) -> Path:
    target = folder / POSTGRESQL
    command = [_program("pg_dump"), "--format=custom", "--no-owner", "--no-privileges", "--no-password"]
    command += [f"--exclude-schema={ASIDE}*", "--lock-wait-timeout=60s", f"--file={target}"]
    _run(command, "pg_dump cannot copy the database")
    _run([_program("pg_restore"), "--list", f"--file={os.devnull}", str(target)], "the copy cannot be read")
    return target


def _put_back_postgresql(copied: Path, stamp: str) -> str:
    aside = "" if is_empty() else f"{ASIDE}{stamp.lower()}"
    try:
        if aside:
            _execute(f'ALTER SCHEMA public RENAME TO "{aside}"', "CREATE SCHEMA public")
        command = [_program("pg_restore"), "--no-owner", "--no-privileges", "--no-password", "--exit-on-error"]
        try:
            _run([*command, "--single-transaction", f"--dbname={connection.settings_dict['NAME']}", str(copied)],
                 "pg_restore cannot write the database")  # fmt: skip
        except Unusable:
            if aside:
                _execute("DROP SCHEMA public CASCADE", f'ALTER SCHEMA "{aside}" RENAME TO public')
            raise
        _execute("ANALYZE")
    except OperationalError as error:
        raise Unusable(f"the database does not answer: {error}") from None
    return f"schema {aside}" if aside else ""


def _execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    connection.close()
