"""The desk's overview: what needs attention, what is coming up, what is being played, and the workers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone

from contest import workers
from contest.models import Contest, Team
from tournaments import attention, kinds
from tournaments.attention import Look
from tournaments.casual import server
from tournaments.organising.workload import workload


def overview_of(contest: Contest) -> dict[str, Any]:
    """In a constant number of queries."""
    now = timezone.now()
    load = workload(contest, now)
    look = Look(contest, now, load, workers.known())
    waiting = load.queued.count()
    competing = Count("pk", filter=Q(state=Team.State.APPROVED))
    unseeded = Count("pk", filter=Q(state=Team.State.APPROVED, seed__isnull=True))
    return {
        "contest": contest,
        "now": now,
        "load": load,
        "waiting": waiting,
        "left": load.left(waiting),
        "concerns": attention.concerns(look),
        "dates": attention.dates(look),
        "stages": look.stages,
        "workforce": look.workforce,
        "tables": server.server() if settings.CASUAL_GAMES else None,
        "teams": contest.teams.aggregate(competing=competing, unseeded=unseeded),
        "by_number": any(stage.can_be_edited and kinds.of(stage).goes_by_numbers(stage) for stage in look.stages),
        "acts": contest.acts.select_related("user")[:8],
    }
