"""The matches of a contest: filtered, in pieces or all at once."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from contest.api import paging
from contest.api.paging import NewestFirst
from contest.api.problems import invalid
from tournaments.api.contests import SightView
from tournaments.exports import export
from tournaments.formats.plan import Status
from tournaments.models import Match
from tournaments.models.matches import MatchQuerySet
from tournaments.view_models.match_filters import MatchSearch


class PlayerBody(serializers.Serializer):
    seat = serializers.IntegerField(help_text="From 0; also the player's number in the record.")
    player = serializers.CharField(help_text="A team or a house player.")
    team_id = serializers.IntegerField(allow_null=True)
    version = serializers.IntegerField(allow_null=True, help_text="None: its own program, or a house player.")
    house = serializers.CharField(allow_blank=True)
    own_name = serializers.CharField(allow_blank=True, help_text="What the bot calls itself.")
    points = serializers.FloatField(allow_null=True)
    penalty = serializers.FloatField(help_text="Points for processor time, which the place includes.")
    place = serializers.IntegerField(allow_null=True)
    disqualified = serializers.BooleanField(help_text="By the referee.")
    faults = serializers.IntegerField()
    first_fault = serializers.CharField(allow_blank=True)
    fault_detail = serializers.CharField(allow_blank=True)
    slowest_ms = serializers.FloatField(allow_null=True)
    total_ms = serializers.FloatField(allow_null=True)
    cpu_ms = serializers.FloatField(allow_null=True)
    verdict = serializers.CharField(allow_blank=True, help_text="On a run that is judged.")
    mu_before = serializers.FloatField(allow_null=True, help_text="The rating before the match.")
    sigma_before = serializers.FloatField(allow_null=True)
    mu_after = serializers.FloatField(allow_null=True)
    sigma_after = serializers.FloatField(allow_null=True)
    status = serializers.ChoiceField([status.value for status in Status], allow_blank=True)
    status_sentence = serializers.CharField(allow_blank=True)


class MatchLine(serializers.Serializer):
    match = serializers.IntegerField(help_text="Its id.")
    stage = serializers.IntegerField()
    stage_name = serializers.CharField()
    round = serializers.IntegerField()
    table = serializers.CharField()
    number = serializers.IntegerField(help_text="At its table.")
    kind = serializers.ChoiceField(Match.Kind.choices)
    state = serializers.ChoiceField(Match.State.choices)
    pending = serializers.BooleanField(help_text="Played for a review that nobody has decided yet.")
    live = serializers.BooleanField(help_text="A team plays through a connection.")
    why = serializers.CharField(allow_blank=True, help_text="Why these players meet.")
    seed = serializers.IntegerField(allow_null=True, help_text="None until the match is over.")
    games = serializers.IntegerField(help_text="In its record.")
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    replay_of = serializers.IntegerField(allow_null=True, help_text="The match that it replaces.")
    void_reason = serializers.CharField(allow_blank=True)
    page = serializers.URLField()
    players = PlayerBody(many=True)


LEFT_OUT = ("review", "options", "limits", "openings")
"""What exports tell of every match, and this list does not."""


def line(told: dict[str, Any], request: Request) -> dict[str, Any]:
    page = request.build_absolute_uri(Match(pk=told["match"]).get_absolute_url())
    return {name: value for name, value in told.items() if name not in LEFT_OUT} | {"page": page}


class MatchesView(SightView):
    pagination_class = NewestFirst

    def revision(self) -> str:
        return self.results_revision

    @extend_schema(
        summary="Matches with their players and results, the newest first",
        description="Times of judged runs are secret until the contest ends, so `since` leaves these runs out.",
        parameters=[
            OpenApiParameter("team", int),
            OpenApiParameter("stage", int),
            OpenApiParameter("round", int),
            OpenApiParameter("version", int, description="The number of a version, best with its `team`."),
            OpenApiParameter("state", str, enum=Match.State.values),
            OpenApiParameter("faults", OpenApiTypes.BOOL),
            OpenApiParameter("since", OpenApiTypes.DATETIME, description="Finished at this time or later."),
            OpenApiParameter("after", int, description="Only matches with a higher id."),
            paging.LINES,
        ],
        responses={(200, "application/json"): MatchLine(many=True), (200, paging.NDJSON): MatchLine},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        found = self._found(request)
        if paging.wants_lines(request):
            told = export.every_match(self.sight, found)
            return self.ndjson((line(each, request) for each in told), f"{slug}-matches")
        rows = self.paginate_queryset(export.in_full(found)) or []
        return self.get_paginated_response([line(each, request) for each in export.told(self.sight, rows)])

    def _found(self, request: Request) -> MatchQuerySet:
        search = MatchSearch(request.query_params, self.sight.matches(), known=self.sight)
        if not search.is_valid():
            raise invalid(search.form)
        found: MatchQuerySet = search.qs
        return found
