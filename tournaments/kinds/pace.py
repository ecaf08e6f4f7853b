"""How fast a ladder plays that never ends.

It is a demonstration and must cost next to nothing, so it plays one match at a time: at once for versions that are new
to it, every half a minute while somebody looks at the contest, and otherwise six an hour. Workers take its matches when
no other contest needs them (`MatchQuerySet.taking_turns`, `playing.watch`), so while the machine is busy, its one match
waits, and no further one is made.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Q

from contest import looks
from submissions.models import Submission
from tournaments.models import Match, MatchSeat, Stage

FIRST = 6  # matches of a version that are played at once
NEW = timedelta(hours=6)  # how long after its upload a version counts as new
LOOKED_AT = timedelta(seconds=30)  # between two matches while somebody looks
IDLE = timedelta(minutes=10)


def room(stage: Stage, newcomers: set[int], now: datetime) -> int:
    """How many matches of an endless ladder may be made now: 1 or 0. `newcomers`: from the function below."""
    if not settings.DEMO_LADDERS:
        return 0
    mine = Match.objects.filter(stage=stage, pending=False).order_by()
    if mine.open().exists():
        return 0
    if newcomers:
        return 1
    last = mine.order_by("-pk").values_list("created_at", flat=True).first()
    wait = LOOKED_AT if looks.is_looked_at(stage.contest) else IDLE
    return int(last is None or last <= now - wait)


def newcomers(stage: Stage, now: datetime) -> set[int]:
    """Teams whose active version is new and has played less than its first matches."""
    young = Submission.objects.active().filter(team__contest=stage.contest_id, uploaded_at__gt=now - NEW)
    versions = dict(young.values_list("pk", "team"))
    if not versions:
        return set()
    played = MatchSeat.objects.filter(match__stage=stage, submission__in=versions)
    done = played.filter(~Q(match__state=Match.State.VOID)).order_by().values("submission")
    busy = set(done.annotate(count=Count("pk")).filter(count__gte=FIRST).values_list("submission", flat=True))
    return {team for version, team in versions.items() if version not in busy}
