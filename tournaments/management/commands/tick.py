"""One periodic tick, for people who run it from cron instead of the beat."""

from typing import Any

from django.core.management import BaseCommand

from tournaments.clock import periodic


class Command(BaseCommand):
    help = "Requeue matches of lost workers, start due stages, wake workers: what the beat does every ten seconds."

    def handle(self, **_: Any) -> None:
        if not periodic.tick():
            self.stdout.write("Another process is running the tick.")
