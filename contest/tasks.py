"""Celery tasks. A message may arrive twice, late, or at two workers at once."""

from __future__ import annotations

from celery import shared_task

from contest import mailing


@shared_task(name="contest.tasks.mail")
def mail() -> None:
    """Send mail that is due. Beat calls this every minute if a mail server is set."""
    mailing.send_due()
