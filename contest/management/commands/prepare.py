"""Prepare a new version for its first visitor: migrations, static files, an organiser, the demo contests.

`./run` does this at every start. Installations that manage their own processes (docker/compose.yml) run it first.
"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

from contest import organiser
from contest.server import privacy


class Command(BaseCommand):
    help = "Migrate, collect static files, create the first organiser, load the demo contests. Safe to run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="do not load the demo contests")

    def handle(self, *, no_demo: bool, **_: Any) -> None:
        if warning := privacy.close(settings.VAR_DIR).warning(settings.VAR_DIR):
            self.stderr.write(f"WARNING: {warning}")
        self.stdout.write(f"Organiser: {prepare(demo=not no_demo)}")


def prepare(*, demo: bool) -> organiser.Account:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    account = organiser.ensure(settings.VAR_DIR / "organiser.txt")
    if demo:
        call_command("demo")
    return account
