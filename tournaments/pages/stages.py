"""The page of a stage. Each kind has its own; this module finds it, with what other pages need from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from contest.models import Contest
from contest.permissions import contest_page
from tournaments.models import Match, Stage
from tournaments.pages.judged import JudgedPage
from tournaments.pages.ladder import LadderPage
from tournaments.pages.planned import PlannedPage
from tournaments.results.visibility import Sight, sight


class StagePage(Protocol):
    """What a kind of stage shows on public pages."""

    kind: str
    is_ranking: bool
    """Whether its own page has its ranking, not the standings page."""
    is_run: bool
    """Whether its matches are judged runs."""

    def page(self, request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
        """With `?rev=N` only the live part."""

    def poster(self, request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
        """All of a bracket on one screen or sheet. Raises Http404 where there is none."""

    def ranking_url(self, stage: Stage) -> str:
        """The address of its ranking."""

    def table(self, stage: Stage, reader: Sight) -> Iterator[dict[str, Any]]:
        """The ranking as on its page, for a spreadsheet."""

    def others(self, match: Match, found: QuerySet[Match]) -> QuerySet[Match]:
        """The matches among these to link from this one's page."""


PAGES: dict[str, StagePage] = {face.kind: face for face in (PlannedPage(), LadderPage(), JudgedPage())}


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
