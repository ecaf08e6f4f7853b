"""The one order of locks for stages: first the contest's row (contest.ledger.hold), then the stage's."""

from __future__ import annotations

from contest.ledger import Held, hold
from tournaments.models import Stage


def hold_stage(stage: Stage) -> tuple[Held, Stage]:
    """Lock a stage and its contest until the transaction ends. Returns both as they are now; the stage has its source
    loaded, and the contest that is returned."""
    contest = hold(stage.contest_id)
    held = Stage.objects.select_for_update(of=("self",)).select_related("source").get(pk=stage.pk)
    held.contest = contest
    return contest, held
