"""The standings: of the whole contest by rating, of a stage by its format."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from contest.models import Contest
from contest.permissions import contest_page
from tournaments import standings as order
from tournaments.formats import FormatError
from tournaments.models import Stage
from tournaments.pages.matches import PAGE_SIZE


@require_safe
@contest_page
def standings(request: HttpRequest, contest: Contest) -> HttpResponse:
    """`?stage=N` for a stage's; with `?rev=N` the live part, nothing (204) while revision N is the newest."""
    if request.GET.get("rev") == str(contest.revision):
        return HttpResponse(status=204)
    stages = list(Stage.objects.visible_to(request.user).filter(contest=contest))
    stage = _asked_stage(request, contest)
    if stage and stage.played_in.runs:
        return redirect(stage)
    if stages and not stage and all(each.played_in.runs for each in stages):  # their ranking is all there is
        return redirect(stages[0])
    rows = _of_stage(stage) if stage else order.of_contest(contest)
    played = any(row.record.matches for row in rows)
    context: dict[str, Any] = {
        "contest": contest,
        "stages": stages,
        "stage": stage,
        "page": Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "played": played,
        "is_live": any(each.state == Stage.State.RUNNING for each in stages),
        "query": urlencode({name: request.GET[name] for name in ("stage", "page") if request.GET.get(name)}),
    }
    template = "tournaments/_standings.html" if "rev" in request.GET else "tournaments/standings.html"
    return render(request, template, context)


def _asked_stage(request: HttpRequest, contest: Contest) -> Stage | None:
    asked = request.GET.get("stage")
    if not asked:
        return None
    if not (asked.isascii() and asked.isdigit() and len(asked) < 19):
        raise Http404("no such stage")
    stage = get_object_or_404(Stage.objects.visible_to(request.user).filter(contest=contest), pk=int(asked))
    stage.contest = contest
    return stage


def _of_stage(stage: Stage) -> list[order.StageRow]:
    try:
        return order.of_stage(stage)
    except FormatError:  # too few entrants yet
        return []
