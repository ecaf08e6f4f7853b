"""`./run backup`: one file with everything of value, made while the portal runs."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from contest.server import backups
from contest.server.backup_archive import Unusable, new_key


def named(file: Path) -> Path:
    """A file as whoever called `./run` names it, which works in another folder."""
    return Path(os.environ.get("KIBITZ_FROM", "."), file).absolute()


class Command(BaseCommand):
    help = "Write a backup: the database, the secret key, and records kept as files. The portal may run and play."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="default: a name with the time in BACKUP_FOLDER")
        parser.add_argument("--encrypt", action="store_true", help="for the keys in BACKUP_RECIPIENTS, and --to")
        parser.add_argument("--to", action="append", default=[], metavar="KEY", help="encrypt for this public key")
        parser.add_argument("--new-key", type=Path, metavar="FILE", help="write a new secret key, print the public one")
        parser.add_argument(
            "--scheduled", action="store_true", help="as the schedule does: BACKUP_KEEP, BACKUP_RECIPIENTS"
        )

    def handle(
        self, *, file: Path | None, encrypt: bool, to: list[str], new_key: Path | None, scheduled: bool, **_: Any
    ) -> None:
        try:
            if new_key is not None:
                self.make_key(named(new_key))
            elif scheduled:
                self.told(backups.scheduled())
            else:
                recipients = [*(settings.BACKUP_RECIPIENTS if encrypt else []), *to]
                if encrypt and not recipients:
                    raise CommandError("no key to encrypt for: name one with --to, or set BACKUP_RECIPIENTS")
                self.told(backups.make(file and named(file), recipients))
        except Unusable as error:
            raise CommandError(f"{error}.") from None

    def told(self, made: Path) -> None:
        self.stdout.write(f"{made}: {made.stat().st_size / 1e6:,.1f} MB")

    def make_key(self, file: Path) -> None:
        secret, public = new_key()
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        with os.fdopen(descriptor, "w", encoding="utf-8") as target:
            target.write(f"# public key: {public}\n{secret}\n")
        self.stdout.write(public)
        self.stderr.write(f"Keep {file} on another machine: without it, nobody can read these backups.")
