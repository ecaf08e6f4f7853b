"""The one order of locks for stages: first the contest's row (contest.ledger.hold), then the stage's."""

from __future__ import annotations

from contest.ledger import Held, hold
from tournaments.models import Stage


def hold_stage(stage: Stage) -> Stage:
    """Lock the stage with its contest until the end of the transaction. Returns it fresh, with contest and source."""
    contest = hold(stage.contest_id)
    held = Stage.objects.select_for_update(of=("self",)).select_related("source").get(pk=stage.pk)
    held.contest = contest
    return held


def held_contest(stage: Stage) -> Held:
    """The contest of a stage returned by `hold_stage`."""
    return Held(stage.contest)
