"""The desk's list of what teams practise."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest.models import Contest
from contest.paging import page_of
from contest.permissions import access, desk_page
from tournaments.models import PracticeGame
from tournaments.practice import orders
from tournaments.view_models import practice


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
