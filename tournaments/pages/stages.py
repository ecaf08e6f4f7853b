"""The page of a stage. Each kind has its own; this module finds it, with what other pages need from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from contest.models import Contest
from contest.permissions import contest_page
from tournaments.kinds.judged import JUDGED
from tournaments.kinds.ladder import LADDER
from tournaments.kinds.planned import PLANNED
from tournaments.models import Match, Stage
from tournaments.pages import judged, ladder, planned
from tournaments.results.visibility import Sight, sight
from tournaments.view_models.queries import at_the_table


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
    StagePage(JUDGED.name, judged.page, is_run=True),
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
