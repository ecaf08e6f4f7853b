"""Celery tasks, which name rows by id. The work is in `submissions.process`."""

from celery import shared_task

from submissions import lifecycle, prover  # noqa: F401  (a worker that knows these tasks says what it can do)
from submissions import process as processing
from submissions.build import artifact_of
from submissions.models import Submission


@shared_task(name="submissions.tasks.process")
def process(submission_id: int) -> None:
    """Build and check the version whose turn it is. The one that is named only says why there was a message."""
    processing.take_turn()


@shared_task(name="submissions.tasks.installed")
def installed(slugs: list[str]) -> None:
    """Go on at once with versions in languages that a worker could not build until now."""
    lifecycle.try_again(slugs)


@shared_task(name="submissions.tasks.rebuild")
def rebuild(submission_id: int) -> None:
    """Build a ready version again whose program was deleted. A second delivery finds it built."""
    version = Submission.objects.select_related("team__contest").filter(pk=submission_id).first()
    if version is not None and version.is_ready:
        artifact_of(version)
