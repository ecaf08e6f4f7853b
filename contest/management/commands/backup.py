"""`./run backup`: one file with everything of value, made while the portal runs."""

import os
import shutil
import sqlite3
from argparse import ArgumentParser
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyrage
from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

from contest.server import backups


def named(file: Path) -> Path:
    """A file as the caller of `./run` names it, which works in another folder."""
    return Path(os.environ.get("KIBITZ_FROM", "."), file).absolute()


class Command(BaseCommand):
    help = "Write a backup: the database, the secret key, and records kept as files. The portal may run and play."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="default: a name with the time in BACKUP_FOLDER")
        parser.add_argument("--encrypt", action="store_true", help="for the keys in BACKUP_RECIPIENTS")
        parser.add_argument(
            "--scheduled", action="store_true", help="as the schedule does: with BACKUP_KEEP, and slowly"
        )

    def handle(self, *, file: Path | None, encrypt: bool, scheduled: bool, **_: Any) -> None:
        note = settings.BACKUP_FOLDER / "failed.txt"
        if scheduled:
            os.nice(10)
            encrypt = bool(settings.BACKUP_RECIPIENTS)
            for left in settings.BACKUP_FOLDER.glob(f"{backups.MAKING}*"):  # by a process that was killed
                if datetime.now(UTC).timestamp() - left.stat().st_mtime > 86400:
                    shutil.rmtree(left, ignore_errors=True)
        try:
            if encrypt and not settings.BACKUP_RECIPIENTS:
                raise CommandError("set BACKUP_RECIPIENTS to the public keys to encrypt for.")
            made = backups.make(file and named(file), settings.BACKUP_RECIPIENTS if encrypt else [])
        except (OSError, DatabaseError, sqlite3.Error, pyrage.RecipientError, CommandError) as error:
            with suppress(OSError):
                if scheduled:
                    note.write_text(f"{error}\n", encoding="utf-8")
            raise CommandError(f"no backup was made: {error}") from None
        self.stdout.write(f"{made}: {made.stat().st_size / 1e6:,.1f} MB")
        if scheduled:
            note.unlink(missing_ok=True)
            for old in sorted(settings.BACKUP_FOLDER.glob(backups.NAMES), reverse=True)[settings.BACKUP_KEEP :]:
                old.unlink()
