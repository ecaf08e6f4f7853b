"""The page of a judged problem: who has solved it, when, after how many tries, and every run with its verdict."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from contest.models import Phase
from tournaments.formats.judged_set import wrong_minutes
from tournaments.kinds import judged
from tournaments.models import Stage
from tournaments.results.visibility import sight

PAGE_SIZE = 100


def page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """With `?rev=N` its live part alone."""
    contest = stage.contest
    reader = sight(request, contest)
    rows = judged.ranking(stage, reader)
    context: dict[str, Any] = {
        "contest": contest,
        "revision": reader.revision,
        "stage": stage,
        "page": Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "mine": reader.access.team,
        "wrong_minutes": wrong_minutes(stage.options),
        "ended": contest.phase(timezone.now()) == Phase.ENDED,
        "is_live": not stage.is_over,
        "query": f"&page={request.GET['page']}" if request.GET.get("page", "").isdigit() else "",
    }
    template = "tournaments/_judged.html" if "rev" in request.GET else "tournaments/judged.html"
    return render(request, template, context)
