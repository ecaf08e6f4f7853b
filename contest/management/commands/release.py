"""`manage.py version` (`release` to Django): the release of this code, and whether database and workers fit it."""

from __future__ import annotations

from typing import Any

import redis
from django.core.management.base import BaseCommand
from django.db import DatabaseError

from contest.server import schema, workers
from contest.version import RELEASE


class Command(BaseCommand):
    help = "Print the release of this code, and whether the database and the running workers fit it."
    requires_system_checks = []  # migrate runs them

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"Kibitz    {RELEASE}, schema {schema.fingerprint(schema.expected())}")
        self.stdout.write(f"Database  {self.database()}")
        self.stdout.write(f"Workers   {self.workforce()}")

    def database(self) -> str:
        try:
            found = schema.compare()
        except DatabaseError as error:
            return f"does not answer: {str(error).strip().splitlines()[0]}"
        if found.to_apply and not found.unknown:
            number = len(found.to_apply)
            return f"schema {found.fingerprint}: {number} migrations to apply. ./run applies them at its start."
        return f"schema {found.fingerprint}: " + (found.trouble(RELEASE) or "fits")

    def workforce(self) -> str:
        try:
            alive = workers.alive()
        except redis.RedisError as error:
            return f"unknown, the broker does not answer: {error}"
        told = [f"{worker.name} {worker.release or 'without a number'}" for worker in alive]
        return ", ".join(told) or "none is running"
