"""Standings of a contest and of its stages, and how ratings have changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.paging import CURSOR, LIMIT, InOrder
from contest.api.problems import wrong
from tournaments import kinds
from tournaments.api.contests import SightView
from tournaments.api.stages import number_asked
from tournaments.exports import export
from tournaments.formats.plan import Status
from tournaments.models import Stage
from tournaments.view_models.ratings import history_of

COUNTED = ("matches", "games", "first", "second", "third", "fourth", "faults", "won", "tied", "lost")


class StandingLine(serializers.Serializer):
    """The columns that every standing has, and those of its kind."""

    rank = serializers.IntegerField(allow_null=True, help_text="None: unranked, such as a team that has left.")
    team = serializers.CharField()
    team_id = serializers.IntegerField()
    is_out = serializers.BooleanField(required=False)
    status = serializers.ChoiceField([status.value for status in Status], allow_blank=True)
    status_sentence = serializers.CharField(allow_blank=True)
    rating = serializers.FloatField(allow_null=True, required=False)
    rating_margin = serializers.FloatField(
        allow_null=True,
        required=False,
        help_text="The rating lies within ± this, in 95 of 100 cases. None: too few matches.",
    )
    round = serializers.IntegerField(required=False, help_text="The last round that it reached.")
    values = serializers.DictField(required=False, help_text="What the ranking goes by, most important first.")
    points = serializers.FloatField(required=False)
    penalty = serializers.FloatField(required=False, help_text="Points for processor time.")
    average = serializers.FloatField(allow_null=True, required=False, help_text="Points per game.")
    margin = serializers.FloatField(
        allow_null=True, required=False, help_text="± of the average: its 95 % confidence interval, from four units on."
    )
    solved = serializers.IntegerField(required=False, help_text="Problems solved.")
    solved_with = serializers.IntegerField(allow_null=True, required=False, help_text="The number of a version.")
    solved_after_minutes = serializers.IntegerField(allow_null=True, required=False)
    wrong = serializers.IntegerField(required=False, help_text="Wrong runs that count.")
    penalty_minutes = serializers.IntegerField(allow_null=True, required=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        counted = {name: serializers.IntegerField(required=False) for name in COUNTED}
        return {**super().get_fields(), **counted}


class ChampionBody(serializers.Serializer):
    stage = serializers.IntegerField()
    team_id = serializers.IntegerField()
    team = serializers.CharField()


class StandingsBody(serializers.Serializer):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    champion = ChampionBody(allow_null=True, help_text="The winner of the stage, or of the contest's deciding stage.")
    results = StandingLine(many=True)


class RatedMatch(serializers.Serializer):
    match = serializers.IntegerField()
    stage = serializers.IntegerField()
    version = serializers.IntegerField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    mu_before = serializers.FloatField()
    sigma_before = serializers.FloatField()
    mu_after = serializers.FloatField(help_text="The rating after the match.")
    sigma_after = serializers.FloatField(help_text="Its standard deviation.")


class StandingsView(SightView):
    def revision(self) -> str:
        return self.results_revision

    def _piece(self, request: Request, lines: Iterable[dict[str, Any]], champion: dict[str, Any] | None) -> Response:
        pages = InOrder()
        rows = pages.paginate_queryset(list(lines), request)
        return Response({**pages.get_paginated_response(rows).data, "champion": champion})


class ContestStandingsView(StandingsView):
    @extend_schema(
        summary="The standings of the contest: by rating, or over its judged problems",
        responses=StandingsBody,
        parameters=[LIMIT, CURSOR],
    )
    def get(self, request: Request, slug: str) -> Response:
        return self._piece(request, export.of_contest(self.sight), export.champion(self.sight))


class StageStandingsView(StandingsView):
    @extend_schema(summary="The ranking of a stage", responses=StandingsBody, parameters=[LIMIT, CURSOR])
    def get(self, request: Request, slug: str, stage_id: int) -> Response:
        stage = self.sight.stage(stage_id)
        over = stage.state == Stage.State.DONE
        team = kinds.of(stage).champion(stage, self.sight) if over else None
        champion = {"stage": stage.pk, "team_id": team.pk, "team": team.name} if team else None
        return self._piece(request, kinds.of(stage).export(stage, self.sight), champion)


class RatingsView(SightView):
    pagination_class = InOrder

    def revision(self) -> str:
        return self.results_revision

    @extend_schema(
        summary="How the rating of a team has changed, from match to match",
        responses=RatedMatch(many=True),
        parameters=[OpenApiParameter("team", int, required=True, description="Its id.")],
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = number_asked(request, "team")
        if asked is None:
            raise wrong("team", "Name a team: ?team=ID.")
        team = self.known_team(asked)
        if team is None:
            raise Http404("This contest has no such team.")
        return self.piece(RatedMatch, history_of(self.sight, team.pk))
