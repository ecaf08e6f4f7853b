"""The one order of locks: the contest's row first, then stages, then matches.

Every transaction of this app that writes to a contest's stages or matches begins here. Whoever took a match first and
the contest afterwards (to `touch` it) would wait for an organiser who waits for him.
"""

from __future__ import annotations

from contest.models import Contest


def hold(contest_id: int) -> Contest:
    """`Contest.hold` for who has only its number: the contest as it is now, ours alone until the transaction ends."""
    return Contest.objects.select_for_update(no_key=True).get(pk=contest_id)
