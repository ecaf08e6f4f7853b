"""Celery tasks, which name rows by id. The work is in `submissions.process`."""

from celery import shared_task

from submissions import level  # noqa: F401  (a worker that knows these tasks says how it confines bots)
from submissions import process as processing


@shared_task(name="submissions.tasks.process")
def process(submission_id: int) -> None:
    """Build and check a version. A second delivery finds nothing to claim."""
    processing.process(submission_id)
