"""The page of a judged problem: who has solved it, when, after how many tries, and every run with its verdict."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from contest.models import Phase
from contest.paging import page_of
from tournaments.formats.judged_set import wrong_minutes
from tournaments.kinds import judged
from tournaments.models import Stage
from tournaments.results.visibility import Sight

PAGE_SIZE = 100


def page(request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
    """With `?rev=N` only its live part."""
    contest = stage.contest
    rows = judged.ranking(stage, reader)
    context: dict[str, Any] = {
        "contest": contest,
        "revision": reader.revision,
        "stage": stage,
        "page": page_of(request, rows, PAGE_SIZE),
        "mine": reader.access.team,
        "wrong_minutes": wrong_minutes(stage.options),
        "ended": contest.phase(timezone.now()) == Phase.ENDED,
        "is_live": not (stage.is_over or stage.has_ended),
        "query": f"&page={request.GET['page']}" if request.GET.get("page", "").isdigit() else "",
    }
    template = "tournaments/_judged.html" if "rev" in request.GET else "tournaments/judged.html"
    return render(request, template, context)
