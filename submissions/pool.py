"""Open ready versions as programs: from the database into a jail on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from contest.models import Contest
from games.engine import MachineryError
from submissions import build
from submissions.models import Artifact, Submission
from submissions.sandbox import Jail, Limits

MEGABYTE = 1 << 20


def limits_of(contest: Contest) -> Limits:
    """The contest's limits for every bot."""
    return Limits(memory_bytes=contest.memory_mb * MEGABYTE)


@contextmanager
def open_bot(submission: Submission, limits: Limits) -> Iterator[Jail]:
    """Open a version in its own jail for the duration of the block.

    An artifact that the database no longer has is built again. Raises MachineryError if that or the jail fails. This
    is never the bot's fault, because the version was built before.
    """
    language = build.language_of(submission)
    if language is None:
        raise MachineryError(f"there is no language {submission.language!r} on this worker")
    with Jail.open(artifact_of(submission).parcel(), language, limits, submission.contest.server) as jail:
        yield jail


def artifact_of(submission: Submission) -> Artifact:
    """The version's artifact, built again if necessary. Raises MachineryError."""
    artifact = submission.artifact
    if artifact is None:
        outcome = build.build(submission)
        if isinstance(outcome, build.Failure):
            raise MachineryError(f"{submission} was built before and does not build on this worker: {outcome.verdict}")
        artifact = outcome
        Submission.objects.filter(pk=submission.pk).update(artifact=artifact)
        submission.artifact = artifact
    return artifact
