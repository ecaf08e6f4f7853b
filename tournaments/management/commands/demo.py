"""The demo contests. `./run` loads them at the first start."""

import logging
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand
from django.utils import timezone

from contest import organiser
from contest.models import User
from tournaments import demo


class Command(BaseCommand):
    help = "Load demo contests, with stages that start as soon as their bots are built. A second call changes nothing."

    def handle(self, *, verbosity: int, **_: Any) -> None:
        if verbosity < 2:  # hide the log of so many uploads
            logging.getLogger("submissions.intake").setLevel(logging.WARNING)
        account = organiser.ensure(settings.VAR_DIR / "organiser.txt")
        user, now = User.objects.get(username=account.name), timezone.now()
        made = demo.make(user, now)
        if verbosity > 1:
            names = ", ".join(f"“{contest}”" for contest in made)
            self.stdout.write(f"Created {names}." if made else "The demo contests already exist.")
