"""`./run restore`: put a backup in the place of this portal's database and secrets."""

import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from contest.management.commands.backup import named
from contest.management.commands.portal import only_instance
from contest.server import backup_database, backups, schema
from contest.server.backup_archive import Unusable, unpack
from contest.server.backup_database import ASIDE

OVERWRITE = (
    "there is a portal in {place} already. To replace it, stop every process of it and add --overwrite; what is there "
    "now is put aside, not deleted."
)


class Command(BaseCommand):
    help = "Restore a backup. Refuses to replace anything unless it is told to, and puts aside what it replaces."
    requires_system_checks = []
    begun = False  # something has been replaced

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--key", type=Path, metavar="FILE", help="the secret key of an encrypted backup")
        parser.add_argument("--overwrite", action="store_true", help="replace the portal that is here")
        parser.add_argument("--verify", action="store_true", help="check all records, ratings and ledgers afterwards")
        parser.add_argument("--check", action="store_true", help="only check the file; change nothing")

    def handle(self, *, file: Path, key: Path | None, overwrite: bool, verify: bool, check: bool, **_: Any) -> None:
        place = connection.settings_dict["NAME"]
        # A check changes nothing, so the portal may run meanwhile.
        with nullcontext() if check else only_instance(settings.VAR_DIR / "run" / "portal.lock"):
            folder = Path(tempfile.mkdtemp(prefix="restoring-", dir=settings.VAR_DIR))
            try:
                if not (check or overwrite or self.is_vacant()):
                    raise CommandError(OVERWRITE.format(place=place))
                about = unpack(named(file), folder, key and named(key))
                fits(about)
                self.stdout.write(f"{file} is whole: {about['database']}, made at {about['made_at']}.")
                if check:
                    return
                self.restore(folder, datetime.now(UTC).strftime(backups.STAMP))
            except (Unusable, OSError) as error:
                changed = "The restore is incomplete" if self.begun else "Nothing has changed"
                raise CommandError(f"{error}. {changed}.") from None
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        self.stdout.write(f"Restored into {place}.")
        # New processes: this one has the secret key and settings from before.
        self.run("migrate", "-v", "0")
        if verify:
            for command in settings.RESTORE_CHECKED_BY:
                self.run(*command.split())

    def is_vacant(self) -> bool:
        return backup_database.is_empty() and not any(backups.files_of_records())

    def restore(self, folder: Path, stamp: str) -> None:
        """Everything is checked and unpacked. The database goes first: only that can fail for reasons of others."""
        if count := backup_database.others():
            raise Unusable(f"{count} other connections to the database are open: stop the portal and all its workers")
        replaced = [backup_database.put_back(folder / backup_database.member(), stamp)]
        self.begun = True
        replaced += [
            put_in_place(folder / name, settings.VAR_DIR / name, stamp)
            for name in (backups.SECRET_KEY, *backups.SECRETS)
        ]
        replaced.append(put_in_place(folder / backups.RECORDS, settings.RECORDS_FOLDER, stamp))
        for each in filter(None, replaced):
            self.stdout.write(f"Put aside: {each}")
        kept = (settings.VAR_DIR / backups.SECRET_KEY).read_text(encoding="utf-8").strip()
        if os.environ.get("SECRET_KEY") not in (None, kept):
            self.stderr.write("WARNING: SECRET_KEY is set here and differs from the backup's: everybody is logged out.")
        if (folder / backups.ENVIRONMENT).exists():
            put_in_place(folder / backups.ENVIRONMENT, settings.VAR_DIR / "restored.env", stamp)
            self.stdout.write(f"Settings of the old portal are in {settings.VAR_DIR / 'restored.env'}; none is in use.")

    def run(self, *arguments: str) -> None:
        self.stdout.flush()
        done = subprocess.run([sys.executable, "manage.py", *arguments], cwd=settings.BASE_DIR, check=False)
        if done.returncode:
            raise CommandError(f"the backup is restored, but `./run manage {' '.join(arguments)}` failed.")


def fits(about: dict[str, Any]) -> None:
    """Raises Unusable for a backup of another kind of database, of a newer release, or of one that is too old."""
    if about["database"] != connection.vendor:
        raise Unusable(f"the backup is of {about['database']}, and DATABASE_URL names {connection.vendor}")
    disk = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    known = {f"{app}.{name}" for app, name in disk.keys() | schema.replaced()}
    if unknown := sorted(set(about["migrations"]) - known):
        raise Unusable(f"the backup is of a newer release of Kibitz, which knows {unknown[-1]}")
    if schema.is_too_old([(app, name) for app, _, name in (each.partition(".") for each in about["migrations"])]):
        raise Unusable(
            f"the backup is older than commit {schema.ENTRANCE}: restore it with that commit, start ./run there once, "
            "and make a new backup"
        )


def put_in_place(source: Path, target: Path, stamp: str) -> str:
    """Move a file or folder of the backup to its place. Says where what was there is now, blank if nothing was or if it
    is the same."""
    if not source.exists():
        return ""
    aside = ""
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        if target.is_file() and target.read_bytes() == source.read_bytes():
            return ""
        aside = str(target.with_name(f"{target.name}.{ASIDE}{stamp}"))
        target.rename(aside)
    elif target.is_dir():
        target.rmdir()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.move(source, target)
    return aside
