"""The desk's overview, its lists of workers and of practice, and the page of operators."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from contest import workers
from contest.models import Alarm, Contest
from contest.paging import page_of
from contest.permissions import access, desk_page, me
from contest.server import health
from contest.version import RELEASE
from submissions.languages import LANGUAGES
from tournaments.attention import overview_of
from tournaments.attention.alarms import TODO, queues
from tournaments.models import PracticeGame
from tournaments.practice import orders
from tournaments.view_models import practice


@require_safe
@desk_page
def desk(request: HttpRequest, contest: Contest) -> HttpResponse:
    """The overview. It depends on the clock and the workers too, so a poll gets 204 only if the page is the same."""
    overview = overview_of(contest, operates=me(request).is_superuser)
    shown = render_to_string("tournaments/desk/_overview_now.html", overview, request)
    mark = hashlib.sha256(shown.encode()).hexdigest()[:16]
    fragment = "HX-Request" in request.headers
    if fragment and request.GET.get("seen") == mark:
        return HttpResponse(status=204)
    context = {"contest": contest, "shown": shown, "mark": mark}
    return render(request, f"tournaments/desk/{'_overview' if fragment else 'overview'}.html", context)


@require_safe
@desk_page
def desk_workers(request: HttpRequest, contest: Contest) -> HttpResponse:
    """All workers. They belong to the portal and not to the contest."""
    rows = [(worker, names(worker)) for worker in workers.known()]
    context = {"contest": contest, "rows": rows, "release": RELEASE, "operates": access(request, contest).is_superuser}
    return render(request, "tournaments/desk/workers.html", context)


def names(worker: workers.Worker) -> list[str]:
    """The languages that it builds and runs."""
    slugs = (worker.confinement and worker.confinement.languages) or ()
    return [language.name for slug, language in LANGUAGES.items() if slug in slugs]


View = Callable[..., HttpResponse]


def operators_page(view: View) -> View:
    """For administrators alone; to others the page does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        if not me(request).is_superuser:
            raise Http404("not an operator")
        return view(request, *args, **values)

    return never_cache(login_required(guarded))


@require_safe
@operators_page
def operators(request: HttpRequest) -> HttpResponse:
    alarms = Alarm.objects.filter(raised_at__isnull=False, good_since=None).order_by("raised_at")
    context = {
        "alarms": [(alarm, TODO.get(alarm.key, "")) for alarm in alarms],
        "findings": health.findings(),
        "queues": queues(timezone.now()),
        "contest": Contest.objects.order_by("-pk").values_list("slug", flat=True).first(),  # any desk shows the workers
    }
    return render(request, "tournaments/desk/operators.html", context)


@require_safe
@desk_page
def desk_practice(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Every order of every team, the newest first."""
    found = practice.visible_orders(access(request, contest)).with_counts().select_related("team")
    page = page_of(request, found.prefetch_related(orders.with_players()).order_by("-pk"))
    for order in page:
        order.contest = contest
    games = PracticeGame.objects.filter(order__contest=contest)
    context = {
        "contest": contest,
        "page": page,
        "lines": practice.lines(page.object_list),
        "running": games.running().count(),
        "waiting": games.filter(state=PracticeGame.State.QUEUED).count(),
        "declining": contest.teams.competing().filter(accepts_practice=False).count(),
    }
    return render(request, "tournaments/desk/practice.html", context)
