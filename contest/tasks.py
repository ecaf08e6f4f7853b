"""What workers are told to do. May be delivered twice, late, or to two workers at once."""

from __future__ import annotations

from celery import shared_task

from contest import mailing


@shared_task(name="contest.tasks.mail")
def mail() -> None:
    """What the beat asks for every minute, where mail is sent."""
    mailing.send_due()
