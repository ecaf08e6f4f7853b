"""One turn of the periodic tick, for those who run it from cron instead of the beat."""

from typing import Any

from django.core.management import BaseCommand

from tournaments.clock import periodic


class Command(BaseCommand):
    help = "Requeue what lost its worker, start what is due, wake workers: what the beat asks for every ten seconds."

    def handle(self, **_: Any) -> None:
        if not periodic.tick():
            self.stdout.write("Another process is at it.")
