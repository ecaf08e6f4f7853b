"""Deleting the records of contests that never end, so that they do not fill the disk.

Results, ratings and the ledger stay: they never read a record. Only replays and debug output of old matches are gone.
"""

from __future__ import annotations

from contest.models import Contest
from tournaments.models import BotLog, Record

KEPT = 500  # records of a contest
AT_ONCE = 500


def prune() -> int:
    """Delete the oldest records beyond those kept, some at a time. Returns how many."""
    return sum(_prune(contest) for contest in Contest.objects.filter(endless=True))


def _prune(contest: Contest) -> int:
    stale = Record.objects.filter(match__contest=contest).order_by("-match").values_list("match", flat=True)
    matches = list(stale[KEPT : KEPT + AT_ONCE])
    BotLog.objects.filter(seat__match__in=matches).delete()
    return Record.objects.filter(match__in=matches).delete()[0]
