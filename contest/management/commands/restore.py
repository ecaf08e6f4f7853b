"""`./run restore`: put a backup in the place of this portal's database and secrets."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import zstandard
from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from contest.management.commands.backup import named
from contest.server import backups, schema, supervision


class Command(BaseCommand):
    help = "Restore a backup. Refuses to replace anything unless it is told to, and puts aside what it replaces."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--key", type=Path, metavar="FILE", help="the secret key of an encrypted backup")
        parser.add_argument("--overwrite", action="store_true", help="replace the portal that is here")
        parser.add_argument("--verify", action="store_true", help="check all records, ratings and ledgers afterwards")

    def handle(self, *, file: Path, key: Path | None, overwrite: bool, verify: bool, **_: Any) -> None:
        self.aside = backups.ASIDE + datetime.now(UTC).strftime(backups.STAMP).lower()
        with (
            supervision.only_instance(),
            tempfile.TemporaryDirectory(prefix="restoring-", dir=settings.VAR_DIR) as name,
        ):
            folder = Path(name)
            if not (overwrite or is_vacant()):
                raise CommandError(
                    f"there is a portal in {connection.settings_dict['NAME']} already. To replace it, stop every "
                    "process of it and add --overwrite; what is there now is put aside, not deleted."
                )
            about = backups.unpack(named(file), folder, key and named(key))
            fits(about)
            made = datetime.fromisoformat(about["made_at"])
            self.stdout.write(f"{file} is whole. It was made on {made:%d %B %Y} at {made:%H:%M} UTC.")
            self.restore(folder)
        # New processes: this one has the secret key and settings from before.
        for words in (["migrate", "-v", "0"], *(each.split() for each in settings.RESTORE_CHECKED_BY if verify)):
            self.stdout.flush()
            if subprocess.run([sys.executable, "manage.py", *words], cwd=settings.BASE_DIR, check=False).returncode:
                raise CommandError(f"the backup is restored, but `./run manage {' '.join(words)}` failed.")
        here = f"VAR_DIR={settings.VAR_DIR} " if "VAR_DIR" in os.environ else ""
        self.stdout.write(f"Restored into {settings.VAR_DIR}. `{here}./run` starts the portal from it.")

    def restore(self, folder: Path) -> None:
        """Everything is unpacked. The database goes first: only that can fail for reasons of others."""
        connection.close()
        if connection.vendor == "postgresql":
            self.restore_postgresql(folder / "database.dump")
        else:
            fresh, target = folder / "fresh", Path(connection.settings_dict["NAME"])
            with (folder / "database.sqlite3.zst").open("rb") as packed, fresh.open("wb") as out:
                zstandard.ZstdDecompressor().copy_stream(packed, out)
            with closing(sqlite3.connect(fresh)) as database:
                if (problem := database.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                    raise CommandError(f"the copy of the database is damaged: {problem}. Nothing has changed.")
            for end in ("-wal", "-shm"):
                self.put_aside(Path(f"{target}{end}"))
            self.put(fresh, target)
        for name in backups.SECRETS:
            self.put(folder / name, settings.VAR_DIR / name)
        self.put(folder / "records", settings.VAR_DIR / "records")  # of release 1.0; a migration takes them in
        self.put(folder / "env", settings.VAR_DIR / "restored.env")  # to look up settings; nothing of it is in use
        if os.environ.get("SECRET_KEY") not in (None, (settings.VAR_DIR / "secret_key").read_text().strip()):
            self.stderr.write("WARNING: SECRET_KEY is set here and differs from the backup's: everybody is logged out.")

    def restore_postgresql(self, copied: Path) -> None:
        ours = [] if is_vacant() else [f'ALTER SCHEMA public RENAME TO "{self.aside}"', "CREATE SCHEMA public"]
        execute(*ours)
        if ours:
            self.stdout.write(f"Put aside: schema {self.aside}")
        try:
            name = f"--dbname={connection.settings_dict['NAME']}"
            backups.run_tool("pg_restore", "--exit-on-error", "--single-transaction", name, str(copied))
        except CommandError:
            if ours:
                execute("DROP SCHEMA public CASCADE", f'ALTER SCHEMA "{self.aside}" RENAME TO public')
            raise

    def put(self, source: Path, target: Path) -> None:
        if source.exists():
            self.put_aside(target)
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.move(source, target)

    def put_aside(self, target: Path) -> None:
        if target.exists():
            target.rename(f"{target}.{self.aside}")
            self.stdout.write(f"Put aside: {target}.{self.aside}")


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    connection.close()


def is_vacant() -> bool:
    """Whether there is no portal here yet."""
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return True  # asking would create it
    return not connection.introspection.table_names()


def fits(about: dict[str, Any]) -> None:
    """Refuse a backup of another kind of database, of a newer release, or of one that is too old."""
    if about["database"] != connection.vendor:
        raise CommandError(f"the backup is of {about['database']}, and DATABASE_URL names {connection.vendor}.")
    disk = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    known = {f"{app}.{name}" for app, name in disk.keys() | schema.replaced()}
    if unknown := sorted(set(about["migrations"]) - known):
        raise CommandError(f"the backup is of a newer release of Kibitz, which knows {unknown[-1]}.")
    if schema.is_too_old([(app, name) for app, _, name in (each.partition(".") for each in about["migrations"])]):
        raise CommandError(
            f"the backup is older than commit {schema.ENTRANCE}: restore it with that commit, start ./run there once, "
            "and make a new backup."
        )
