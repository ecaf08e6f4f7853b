"""The demo contests. `./run` loads them at the first start."""

import logging
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from contest import organiser
from contest.models import User
from contest.refusal import Refused
from tournaments import demo


class Command(BaseCommand):
    help = "Load demo contests, with stages that start as soon as their bots are built. A second call changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--reset-ladders", action="store_true", help="delete the ladders that never end, and create them anew"
        )
        parser.add_argument(
            "--with-teams", action="store_true", help="with --reset-ladders: also where people have entered teams"
        )

    def handle(self, *, verbosity: int, reset_ladders: bool, with_teams: bool, **_: Any) -> None:
        if verbosity < 2:  # hide the log of so many uploads
            logging.getLogger("submissions.intake").setLevel(logging.WARNING)
        account = organiser.ensure(settings.VAR_DIR / "organiser.txt")
        user, now = User.objects.get(username=account.name), timezone.now()
        try:
            made = demo.reset_ladders(user, now, with_teams=with_teams) if reset_ladders else demo.make(user, now)
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        if verbosity > 1 or reset_ladders:
            names = ", ".join(f"“{contest}”" for contest in made)
            self.stdout.write(f"Created {names}." if made else "The demo contests already exist.")
