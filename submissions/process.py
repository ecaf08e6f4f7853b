"""Build and check a version, from the queue to ready or rejected.

A build or check that fails because of the bot ends in `reject`. Any exception is a failure of the portal, and the
version returns to the queue.
"""

from __future__ import annotations

import logging
from typing import Any

from submissions import build, check, lifecycle, sandbox, trials, turns
from submissions.lease import Lease, worker_name, working_on
from submissions.models import Submission

logger = logging.getLogger(__name__)


def take_turn() -> Submission | None:
    """Build and check the version whose turn it is. None if there is none. Other workers hear if more can be taken."""
    claimed = lifecycle.claim_next(worker_name())
    if claimed is not None:
        _work_on(claimed)
        lifecycle.wake()
    return claimed


def process(submission_id: int, worker: str = "") -> Submission | None:
    """Build and check this queued version, whosever turn it is. Does nothing if it cannot be claimed."""
    claimed = lifecycle.claim(submission_id, worker or worker_name())
    if claimed is not None:
        _work_on(claimed)
    return claimed


def _work_on(claimed: Submission) -> None:
    with (
        working_on(claimed, lambda error: lifecycle.put_back(claimed, error)),
        Lease(Submission.objects.held_by(claimed)) as lease,
    ):
        try:
            _carry_through(claimed, lease)
        except turns.GiveWay:
            lifecycle.give_way(claimed)


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
    turn_over = turns.checkpoint_of(claimed)

    def checkpoint() -> None:
        lease.check()
        turn_over()

    with build.open_bot(claimed, build.limits_of(claimed.contest)) as program:
        done = check.play(
            claimed, program, keep=lambda game: lifecycle.checked_game(claimed, game), checkpoint=checkpoint
        )
    if done.note:
        logger.info("%s: %s", claimed, done.note)
    done.findings += filter(None, (trials.other_sources(claimed), trials.memory_errors(claimed)))
    lease.check()
    found: dict[str, Any] = {"check_note": done.note, "own_name": done.own_name, "findings": done.findings}
    if done.verdict:
        lifecycle.reject(claimed, done.verdict, **found)
    else:
        lifecycle.ready(claimed, check_warning=done.warning, **found)
