"""`./run backup`: one file with everything of value, made while the portal runs."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from contest.server import backups


def named(file: Path) -> Path:
    """A file as the caller of `./run` names it, which works in another folder."""
    return Path(os.environ.get("KIBITZ_FROM", "."), file).absolute()


class Command(BaseCommand):
    help = "Write a backup: the database with all records, the secret key, and `.env`. The portal may run and play."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="default: a name with the time in BACKUP_FOLDER")
        parser.add_argument("--encrypt", action="store_true", help="for the keys in BACKUP_RECIPIENTS")

    def handle(self, *, file: Path | None, encrypt: bool, **_: Any) -> None:
        if encrypt and not settings.BACKUP_RECIPIENTS:
            raise CommandError("no backup was made: set BACKUP_RECIPIENTS to the public keys to encrypt for.")
        try:
            made = backups.make(file and named(file), settings.BACKUP_RECIPIENTS if encrypt else [])
        except backups.FAILURES as error:
            raise CommandError(f"no backup was made: {error}") from None
        self.stdout.write(f"{made}: {made.stat().st_size / 1e6:,.1f} MB")
