"""`manage.py migrate`, as Django has it, except that a database that is too old stays as it is."""

from typing import Any

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from contest.server import schema


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if schema.is_too_old(MigrationRecorder(connections[options["database"]]).applied_migrations()):
            raise CommandError(
                f"This database is older than commit {schema.ENTRANCE}: check out that commit, start ./run there once, "
                "and then come back to this one."
            )
        super().handle(*args, **options)
