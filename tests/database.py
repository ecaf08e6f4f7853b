"""The migrated database with which tests begin, kept between runs, because migrating takes seconds in every lane."""

from __future__ import annotations

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection
from django.db.models import Model


def keep_in(folder: Path) -> None:
    """Copy the test database from the folder. The first run with these migrations creates it there.

    Raises OSError if nothing can be written there."""
    (folder / "lock").touch()
    creation: Any = connection.creation
    migrate = creation.create_test_db

    def create_test_db(*args: Any, **options: Any) -> str:
        kept = folder / f"{_migrations()}.sqlite3"
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # the other lanes wait for the first
            if not kept.exists():
                migrate(*args, **options)
                for old in folder.glob("*.sqlite3*"):
                    old.unlink()
                _copy(Path(creation._get_test_db_name()), kept)
                return str(connection.settings_dict["NAME"])
        name = str(creation._get_test_db_name())
        connection.close()
        _copy(kept, Path(name))
        settings.DATABASES[connection.alias]["NAME"] = connection.settings_dict["NAME"] = name
        connection.ensure_connection()
        return name

    creation.create_test_db = create_test_db


def empty_by_rows() -> None:
    """Empty PostgreSQL's tables after a test by DELETE. TRUNCATE makes all files of all tables anew: half a second."""

    def sql_flush(style: Any, tables: Sequence[str], **_: Any) -> list[str]:
        free = "SET LOCAL session_replication_role = replica"  # from foreign keys, and from the ledger's own rule
        return [free, *(f"DELETE FROM {connection.ops.quote_name(table)}" for table in tables)]

    connection.ops.sql_flush = sql_flush  # type: ignore[method-assign]


def count_on_from(*tables: type[Model]) -> None:
    """The next row gets the number after the last one. PostgreSQL would not use the numbers of rows again that were
    rolled back; SQLite does."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)


def _copy(source: Path, target: Path) -> None:
    part = target.with_name(f"{target.name}.{os.getpid()}")
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
        old.backup(new)
    part.replace(target)


def _migrations() -> str:
    """A digest of everything that determines an empty database."""
    found = hashlib.sha256(f"{django.VERSION} {sqlite3.sqlite_version} {settings.INSTALLED_APPS}".encode())
    for app in apps.get_app_configs():
        for path in sorted(Path(app.path, "migrations").glob("*.py")):
            found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]
