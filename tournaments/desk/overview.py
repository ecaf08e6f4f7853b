"""The desk's overview: what needs attention, what is coming up, what is being played, and the workers."""

from __future__ import annotations

import hashlib
from typing import Any

import redis
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from contest.models import Contest, Team
from contest.permissions import desk_page
from contest.server import workers
from contest.server.workers import Worker
from tournaments import kinds
from tournaments.desk import attention
from tournaments.desk.attention import Look
from tournaments.organising.workload import workload


@require_safe
@desk_page
def desk(request: HttpRequest, contest: Contest) -> HttpResponse:
    """The overview. It depends on the clock and the workers too, so a poll gets 204 only if the page is the same."""
    shown = render_to_string("tournaments/desk/_overview_now.html", _context(contest), request)
    mark = hashlib.sha256(shown.encode()).hexdigest()[:16]
    fragment = "HX-Request" in request.headers
    if fragment and request.GET.get("seen") == mark:
        return HttpResponse(status=204)
    context = {"contest": contest, "shown": shown, "mark": mark}
    return render(request, f"tournaments/desk/{'_overview' if fragment else 'overview'}.html", context)


def _context(contest: Contest) -> dict[str, Any]:
    now = timezone.now()
    load = workload(contest, now)
    look = Look(contest, now, load, _workforce())
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
        "teams": contest.teams.aggregate(competing=competing, unseeded=unseeded),
        "by_number": any(stage.can_be_edited and kinds.of(stage).goes_by_numbers(stage) for stage in look.stages),
        "acts": contest.acts.select_related("user")[:8],
    }


def _workforce() -> list[Worker] | None:
    """All workers, including those active in the last hour. None if the broker cannot be asked."""
    try:
        return workers.known()
    except redis.RedisError:
        return None
