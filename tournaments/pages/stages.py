"""The page of a stage: each kind has its own. Here they are found, and what other pages have to ask of them."""

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
    """What a kind of stage shows to everybody."""

    kind: str
    is_ranking: bool
    """Whether its ranking stands on its own page, not on that of the standings."""
    is_run: bool
    """Whether its matches are runs, which are judged."""

    def page(self, request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
        """With `?rev=N` the live part alone."""

    def ranking_url(self, stage: Stage) -> str:
        """Where its ranking stands."""

    def table(self, stage: Stage, reader: Sight) -> Iterator[dict[str, Any]]:
        """The ranking as its page shows it, for a spreadsheet."""

    def others(self, match: Match, found: QuerySet[Match]) -> QuerySet[Match]:
        """The matches among these to which the page of this one leads."""


PAGES: dict[str, StagePage] = {face.kind: face for face in (PlannedPage(), LadderPage(), JudgedPage())}


def face_of(stage: Stage) -> StagePage:
    return PAGES[stage.played_in.kind]


@require_safe
@contest_page
def stage(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """The page, and with `?rev=N` its live part: nothing (204) while revision N of the contest is still the newest."""
    reader = sight(request, contest)
    if request.GET.get("rev") == reader.revision:
        return HttpResponse(status=204)
    found = reader.stage(stage_id)
    return face_of(found).page(request, found, reader)
