"""Build and check a version, from the queue to ready or rejected.

A build or check that fails because of the bot ends in `reject`. Any exception is a failure of the portal, and the
version returns to the queue.
"""

from __future__ import annotations

import logging
from typing import Any

from submissions import build, check, lifecycle, pool, sandbox, trials
from submissions.lease import Lease, worker_name, working_on
from submissions.models import Submission

logger = logging.getLogger(__name__)


def process(submission_id: int, worker: str = "") -> Submission | None:
    """Build and check a queued version. Does nothing if it cannot be claimed, so it may be called twice."""
    claimed = lifecycle.claim(submission_id, worker or worker_name())
    if claimed is None:
        return None
    with (
        working_on(claimed, lambda error: lifecycle.put_back(claimed, error)),
        Lease(Submission.objects.held_by(claimed)) as lease,
    ):
        _carry_through(claimed, lease)
    return claimed


def _carry_through(claimed: Submission, lease: Lease) -> None:
    sandbox.probe().demand()
    outcome = build.build(claimed)
    lease.check()
    if isinstance(outcome, build.Failure):
        lifecycle.reject(
            claimed,
            outcome.verdict,
            build_command=outcome.command,
            toolchain=outcome.toolchain,
            build_log=outcome.log,
            build_seconds=outcome.seconds,
            artifact=None,
        )
        return
    lifecycle.built(claimed, outcome, build.run_command(claimed))
    with pool.open_bot(claimed, pool.limits_of(claimed.contest)) as program:
        done = check.play(
            claimed, program, keep=lambda game: lifecycle.checked_game(claimed, game), checkpoint=lease.check
        )
    if done.note:
        logger.info("%s: %s", claimed, done.note)
    if watched := trials.memory_errors(claimed):
        done.findings.append(watched)
    lease.check()
    found: dict[str, Any] = {"check_note": done.note, "own_name": done.own_name, "findings": done.findings}
    if done.verdict:
        lifecycle.reject(claimed, done.verdict, **found)
    else:
        lifecycle.ready(claimed, skill=done.skill, check_warning=done.warning, **found)
