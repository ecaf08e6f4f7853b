"""Drop what old builds made, to keep the database small. Nothing is lost: it is built again when it is needed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from submissions.models import Artifact


class Command(BaseCommand):
    help = "Drops built programs of versions that neither play nor are on their way. Sources, logs and checks stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=14, help="only those made at least so many days ago (14)")

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        before = timezone.now() - timedelta(days=days)
        dropped, _ = Artifact.objects.idle(before).delete()
        self.stdout.write(f"{dropped} built program{'' if dropped == 1 else 's'} dropped.")
