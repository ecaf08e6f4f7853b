"""Matches that are voided, and void matches that are restored."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.views import DeskView
from contest.api.forms import filled, typed
from contest.forms import ReasonForm
from contest.models import Contest
from contest.refusal import Refused
from tournaments import kinds
from tournaments.api.desk.impacts import ImpactBody
from tournaments.api.matches import MatchLine, line
from tournaments.exports import export
from tournaments.forms import VoidForm
from tournaments.models import Match
from tournaments.organising import impact, restoring, stages
from tournaments.results.visibility import everything
from tournaments.view_models.impact_told import impact_told


class RestoreBody(serializers.Serializer):
    reason = serializers.CharField(required=False, max_length=300, help_text="Public. A dry run needs none.")


class VoidBody(RestoreBody):
    hold = serializers.BooleanField(
        required=False, help_text="Pause the stage, so that nothing is played again before you resume it."
    )


class RestoredBody(serializers.Serializer):
    dry_run = serializers.BooleanField()
    match = MatchLine(help_text="As it is now.")
    impact = ImpactBody(allow_null=True, help_text="In a dry run: what would change.")


class VoidedBody(RestoredBody):
    instead = serializers.CharField(help_text="What is played in its place, as a sentence.")


class MatchDesk(DeskView):
    tag = "desk matches"
    previews = True

    def match(self, pk: int) -> Match:
        found = Match.objects.select_related("contest", "stage__contest", "table").prefetch_related("seats__team")
        return get_object_or_404(found, pk=pk, contest=self.contest)

    def line(self, match: Match) -> dict[str, Any]:
        """The match as it is in the database now."""
        sight = everything(Contest.objects.get(pk=self.contest.pk))
        rows = list(export.in_full(Match.objects.filter(pk=match.pk)))
        return line(next(export.told(sight, rows)), self.request)


class VoidView(MatchDesk):
    @extend_schema(
        summary="Void a match, with everything that follows from it",
        description="Its result no longer counts, and ratings ignore it. It stays visible.",
        request=VoidBody,
        responses=VoidedBody,
    )
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        match, seen = self.match(match_id), None
        if self.dry_run:
            if why_not := stages.why_not_void(match):
                raise Refused(why_not)
            seen = impact_told(impact.of_voiding(match))
        else:
            data = filled(VoidForm(match.stage, typed(request)))
            stages.void(match, self.person, data["reason"], hold=data.get("hold", False))
        instead = kinds.of(match.stage).in_place_of_void(match.stage)
        return Response({"dry_run": self.dry_run, "match": self.line(match), "impact": seen, "instead": instead})


class RestoreView(MatchDesk):
    @extend_schema(
        summary="Restore a void match: it counts again, with the result that it had",
        request=RestoreBody,
        responses=RestoredBody,
    )
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        match, seen = self.match(match_id), None
        if self.dry_run:
            if why_not := restoring.why_not(match):
                raise Refused(why_not)
            seen = impact_told(impact.of_restoring(match))
        else:
            restoring.restore(match, self.person, filled(ReasonForm(typed(request)))["reason"])
        return Response({"dry_run": self.dry_run, "match": self.line(match), "impact": seen})
