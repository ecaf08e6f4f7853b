"""The desk's first page: what needs attention, worst first."""

from __future__ import annotations

import redis
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from contest import workers
from contest.models import Contest, Team
from contest.permissions import desk_page
from contest.workers import Worker


@require_safe
@desk_page
def desk(request: HttpRequest, contest: Contest) -> HttpResponse:
    """What stands where, and what waits for an organiser."""
    states = Count("pk", filter=Q(state=Team.State.PENDING)), Count("pk", filter=Q(state=Team.State.APPROVED))
    waiting, competing = contest.teams.aggregate(waiting=states[0], competing=states[1]).values()
    context = {
        "contest": contest,
        "waiting": waiting,
        "competing": competing,
        "unseeded": contest.teams.competing().filter(seed__isnull=True).count(),
        "withdrawn": contest.teams.exclude(state__in=(Team.State.PENDING, Team.State.APPROVED)).count(),
        "acts": contest.acts.select_related("user")[:8],
        "now": timezone.now(),
        "workforce": _workforce(),
    }
    return render(request, "contest/desk.html", context)


def _workforce() -> list[Worker] | None:
    """Those who build and play, with those who did in the last hour; None when the broker cannot be asked."""
    try:
        return [worker for worker in workers.known() if worker.confinement]
    except redis.RedisError:
        return None
