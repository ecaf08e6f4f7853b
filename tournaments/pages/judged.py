"""The page of a judged problem: who has solved it, when, after how many tries, and every run with its verdict."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from contest.models import Phase
from contest.paging import page_of
from tournaments.formats.judged_set import wrong_minutes
from tournaments.kinds import judged
from tournaments.kinds.judged import JUDGED
from tournaments.models import Match, Stage
from tournaments.results.visibility import Sight
from tournaments.view_models.queries import at_the_table

PAGE_SIZE = 100


class JudgedPage:
    kind = JUDGED.name
    is_ranking = True
    is_run = True
    table = staticmethod(JUDGED.export)

    def page(self, request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
        return _page(request, stage, reader)

    def poster(self, request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
        raise Http404("not a bracket")

    def ranking_url(self, stage: Stage) -> str:
        return stage.get_absolute_url()

    def others(self, match: Match, found: QuerySet[Match]) -> QuerySet[Match]:
        """The other runs of the team."""
        return at_the_table(match, found)


def _page(request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
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
