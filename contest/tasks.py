"""Celery tasks. A message may arrive twice, late, or at two workers at once."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from contest import followers, letters, mailing, workers  # noqa: F401  (a worker that knows these tasks writes its row)
from contest.server import backups


@shared_task(name="contest.tasks.mail")
def mail() -> None:
    """Write to members who have unread news. Beat calls this every minute if a mail server is set."""
    mailing.send_due()


@shared_task(name="contest.tasks.letters")
def send_letters() -> None:
    """Hand mail to the mail server. Beat calls this every few seconds if one is set."""
    letters.send_due()


@shared_task(name="contest.tasks.backup")
def backup() -> None:
    """Make the backup of the schedule. Beat calls this every ten minutes if BACKUP_EVERY is set."""
    if backups.is_due(timezone.now()):
        backups.make_scheduled()


@shared_task(name=followers.FOLLOW)
def follow(contest_id: int) -> None:
    """React to what was written into the ledger of a contest."""
    followers.follow_all(contest_id)
