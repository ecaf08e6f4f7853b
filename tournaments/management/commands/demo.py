"""The demo contest. `./run` loads it at the first start."""

import logging
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand
from django.utils import timezone

from contest import organiser
from contest.models import User
from tournaments import demo


class Command(BaseCommand):
    help = "Load the demo contest with a tournament that starts as soon as its bots are built. Changes nothing twice."

    def handle(self, *, verbosity: int, **_: Any) -> None:
        if verbosity < 2:  # fifteen uploads at once are no news
            logging.getLogger("submissions.intake").setLevel(logging.WARNING)
        account = organiser.ensure(settings.VAR_DIR / "organiser.txt")
        contest = demo.make(User.objects.get(username=account.name), timezone.now())
        if verbosity > 1:
            self.stdout.write(f"Made “{contest}”." if contest else "The demo contest is there already.")
