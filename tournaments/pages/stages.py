"""The page of a stage. Each kind has its own; this module finds it, with what other pages need from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from contest.models import Contest, Phase
from contest.paging import page_of
from contest.permissions import contest_page
from tournaments.formats.judged_set import wrong_minutes
from tournaments.kinds.judged import JUDGED, ranking
from tournaments.kinds.ladder import LADDER
from tournaments.kinds.planned import PLANNED
from tournaments.models import Match, Stage
from tournaments.pages import ladder, planned
from tournaments.results.visibility import Sight, sight
from tournaments.view_models.queries import at_the_table

JUDGED_SIZE = 100  # rows of a page


def judged_page(request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
    """Who has solved it, when, after how many tries, and every run with its verdict."""
    contest = stage.contest
    rows = ranking(stage, reader)
    context: dict[str, Any] = {
        "contest": contest,
        "revision": reader.revision,
        "stage": stage,
        "page": page_of(request, rows, JUDGED_SIZE),
        "mine": reader.access.team,
        "wrong_minutes": wrong_minutes(stage.options),
        "ended": contest.phase(timezone.now()) == Phase.ENDED,
        "is_live": not (stage.is_over or stage.has_ended),
        "query": f"&page={request.GET['page']}" if request.GET.get("page", "").isdigit() else "",
    }
    template = "tournaments/_judged.html" if "rev" in request.GET else "tournaments/judged.html"
    return render(request, template, context)


def _no_poster(request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
    raise Http404("not a bracket")


@dataclass(frozen=True, slots=True)
class StagePage:
    """What a kind of stage shows on public pages."""

    kind: str
    page: Callable[[HttpRequest, Stage, Sight], HttpResponse]
    poster: Callable[[HttpRequest, Stage, Sight], HttpResponse] = _no_poster
    is_ranking: bool = True  # its own page has its ranking, not the standings page
    is_run: bool = False  # its matches are judged runs
    others: Callable[[Match, QuerySet[Match]], QuerySet[Match]] = at_the_table
    """The matches among these to link from this one's page."""

    def ranking_url(self, stage: Stage) -> str:
        """The address of its ranking. The standings show all of it."""
        standings = f"{reverse('standings', args=[stage.contest.slug])}?stage={stage.pk}"
        return stage.get_absolute_url() if self.is_ranking else standings


FACES = (
    StagePage(PLANNED.name, planned.page, planned.poster, is_ranking=False),
    StagePage(LADDER.name, ladder.page, others=ladder.others),
    StagePage(JUDGED.name, judged_page, is_run=True),
)
PAGES = {face.kind: face for face in FACES}


def face_of(stage: Stage) -> StagePage:
    return PAGES[stage.played_in.kind]


@require_safe
@contest_page
def stage(request: HttpRequest, contest: Contest, stage_id: int, *, poster: bool = False) -> HttpResponse:
    """The page, or the whole bracket in one drawing. With `?rev=N` only its live part, or 204 while revision N is the
    newest."""
    reader = sight(request, contest)
    if request.GET.get("rev") == reader.revision:
        return HttpResponse(status=204)
    found = reader.stage(stage_id)
    face = face_of(found)
    return (face.poster if poster else face.page)(request, found, reader)
