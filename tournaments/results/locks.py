"""The one order of locks, for stages: the contest's row first (contest.ledger.hold), then the stage's."""

from __future__ import annotations

from contest.ledger import Held, hold
from tournaments.models import Stage


def hold_stage(stage: Stage) -> Stage:
    """The stage as it is now, with its contest and its source, ours alone until the transaction ends."""
    contest = hold(stage.contest_id)
    held = Stage.objects.select_for_update(of=("self",)).select_related("source").get(pk=stage.pk)
    held.contest = contest
    return held


def held_contest(stage: Stage) -> Held:
    """The contest of a stage that came from `hold_stage`."""
    return Held(stage.contest)
