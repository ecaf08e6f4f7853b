"""`manage.py version` (`release` to Django): the release of this code, and whether database and workers fit it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError

from contest import workers
from contest.server import schema
from contest.version import RELEASE


class Command(BaseCommand):
    help = "Print the release of this code, and whether the database and the running workers fit it."
    requires_system_checks = []  # migrate runs them

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"Kibitz    {RELEASE}")
        try:
            self.stdout.write(f"Database  {schema.trouble() or 'fits'}")
            told = [f"{worker.name} {worker.release}" for worker in workers.alive()]
            self.stdout.write(f"Workers   {', '.join(told) or 'none is running'}")
        except DatabaseError as error:
            self.stdout.write(f"Database  does not answer: {str(error).strip().splitlines()[0]}")
