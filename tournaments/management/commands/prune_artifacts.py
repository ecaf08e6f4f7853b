"""Delete old build results to keep the database small. Nothing is lost: they are built again when needed.

This is in tournaments because only stages know which versions will still be played. A version pinned by a stage must
not depend on a compiler that may have changed by then.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from submissions.models import Artifact, Submission
from tournaments.models import MatchSeat, Stage


class Command(BaseCommand):
    help = "Deletes built programs of versions that will not play again. Keeps sources, logs and checks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=14, help="only those built at least this many days ago (14)")

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        before = timezone.now() - timedelta(days=days)
        needed = Submission.objects.filter(pk__in=pinned(), artifact__isnull=False)
        dropped, _ = Artifact.objects.idle(before).exclude(pk__in=needed.values("artifact")).delete()
        self.stdout.write(f"Deleted {dropped} built program{'' if dropped == 1 else 's'}.")


def pinned() -> set[int]:
    """The versions with which stages and matches in progress will still play.

    A finished stage counts until its contest has ended, because a match may become void and be played again.
    """
    stages = Stage.objects.filter(contest__ended_at=None) | Stage.objects.exclude(state__in=Stage.ENDED)
    versions = {version for pins in stages.values_list("versions", flat=True) for version in pins.values()}
    seats = MatchSeat.objects.filter(match__stage__in=stages.values("pk"), submission__isnull=False)
    return versions | set(seats.values_list("submission", flat=True))
