"""Drop what old builds made, to keep the database small. Nothing is lost: it is built again when it is needed.

Here and not beside the versions, because only tournaments know which of them will still be played: a version that a
stage has pinned must not depend on a compiler that may be another one by then.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from submissions.models import Artifact, Submission
from tournaments.models import MatchSeat, Stage


class Command(BaseCommand):
    help = "Drops built programs of versions that will not play and are not on their way. Sources, logs, checks stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=14, help="only those made at least so many days ago (14)")

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        before = timezone.now() - timedelta(days=days)
        needed = Submission.objects.filter(pk__in=pinned(), artifact__isnull=False)
        dropped, _ = Artifact.objects.idle(before).exclude(pk__in=needed.values("artifact")).delete()
        self.stdout.write(f"{dropped} built program{'' if dropped == 1 else 's'} dropped.")


def pinned() -> set[int]:
    """The versions that stages and matches under way will still play with.

    A finished stage counts until its contest has ended: a match of it may be void and played again.
    """
    stages = Stage.objects.filter(contest__ended_at=None) | Stage.objects.exclude(state__in=Stage.ENDED)
    versions = {version for pins in stages.values_list("versions", flat=True) for version in pins.values()}
    seats = MatchSeat.objects.filter(match__stage__in=stages.values("pk"), submission__isnull=False)
    return versions | set(seats.values_list("submission", flat=True))
