"""The page of a stage that follows a plan, as a bracket or round by round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from tournaments.kinds.planned import PLANNED, stage_view
from tournaments.models import Match, Stage
from tournaments.pages import brackets, rounds
from tournaments.results.visibility import Sight
from tournaments.view_models.queries import at_the_table


class PlannedPage:
    kind = PLANNED.name
    is_ranking = False
    is_run = False

    def page(self, request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
        view = stage_view(stage, reader)
        shown = brackets if view.is_bracket else rounds
        return shown.page(request, view, reader)

    def poster(self, request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
        view = stage_view(stage, reader)
        if not view.is_bracket:
            raise Http404("not a bracket")
        return brackets.poster(request, view, reader)

    def ranking_url(self, stage: Stage) -> str:
        """The address of its ranking: among the standings, which show all of it."""
        return f"{reverse('standings', args=[stage.contest.slug])}?stage={stage.pk}"

    def table(self, stage: Stage, reader: Sight) -> Iterator[dict[str, Any]]:
        return PLANNED.export(stage, reader)

    def others(self, match: Match, found: QuerySet[Match]) -> QuerySet[Match]:
        return at_the_table(match, found)
