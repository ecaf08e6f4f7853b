"""The one order of locks: the contest's row first, then stages, then matches.

Every transaction of this app that writes to a contest's stages or matches begins here. Whoever took a match first and
the contest afterwards (to `touch` it) would wait for an organiser who waits for him.
"""

from __future__ import annotations

from contest.models import Contest
from tournaments.models import Stage


def hold(contest_id: int) -> Contest:
    """`Contest.hold` for who has only its number: the contest as it is now, ours alone until the transaction ends."""
    return Contest.objects.select_for_update(no_key=True).get(pk=contest_id)


def hold_stage(stage: Stage) -> Stage:
    """The stage as it is now, with its contest and its source, ours alone until the transaction ends."""
    contest = hold(stage.contest_id)
    held = Stage.objects.select_for_update(of=("self",)).select_related("source").get(pk=stage.pk)
    held.contest = contest
    return held
