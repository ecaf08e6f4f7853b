"""The page of two teams against each other: all matches that both played, and the balance."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from contest.models import Contest
from contest.paging import page_of
from contest.permissions import access, contest_page
from tournaments.results.visibility import sight
from tournaments.view_models.pairs import balance, met
from tournaments.view_models.queries import BY_PLACE, asked_number


@require_safe
@contest_page
def pair(request: HttpRequest, contest: Contest, team_id: int, other_id: int) -> HttpResponse:
    """With `?stage=N` only the matches of that stage."""
    reader = sight(request, contest)
    known = contest.teams.in_bulk([team_id, other_id])
    open_to_all = set(contest.teams.listed().filter(pk__in=known).values_list("pk", flat=True))
    mine = access(request, contest)
    if len(known) < 2 or not (mine.sees_desk or known.keys() <= open_to_all):
        raise Http404("no such two teams")
    team, other = known[team_id], known[other_id]
    both = reader.matches().filter(pk__in=met(reader.matches(), team, other))
    among = set(both.order_by().values_list("stage", flat=True).distinct())
    stages = [stage for stage in reader.stages if stage.pk in among]
    stage = next((stage for stage in stages if stage.pk == asked_number(request, "stage")), None)
    if request.GET.get("stage") and stage is None:
        return redirect("pair", contest.slug, team_id, other_id)
    if stage:
        both = both.filter(stage=stage)
    rows = both.select_related("stage", "table").prefetch_related(Prefetch("seats", BY_PLACE)).order_by("-id")
    page = page_of(request, rows)
    page.object_list = reader.as_known(page.object_list)
    context: dict[str, Any] = {
        "contest": contest,
        "team": team,
        "other": other,
        "stages": stages,
        "stage": stage,
        "balance": balance(both.filter(pk__in=reader.done().values("pk")), team, other),
        "page": page,
        "never_meet": contest.game.seats[1] == 1,
    }
    return render(request, "tournaments/pair.html", context)
