"""The teams of a contest."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import teams
from contest.api.forms import as_serializer, filled, typed
from contest.api.paging import OldestFirst
from contest.api.views import ContestView
from contest.forms import TeamForm
from contest.models import Scope, Team
from contest.models.contests import TeamQuerySet
from contest.permissions import access


class TeamBody(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    school = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(Team.State.choices)
    state_reason = serializers.CharField(allow_blank=True)
    seed = serializers.IntegerField(allow_null=True, help_text="Its seed number.")
    entered_at = serializers.DateTimeField()
    uploads_until = serializers.DateTimeField(
        allow_null=True, help_text="If it may upload longer than others. Public once a stage has begun."
    )
    uploads_until_reason = serializers.CharField(allow_blank=True)
    page = serializers.URLField()


NewTeamBody = as_serializer(TeamForm, "NewTeamBody")


def team_body(team: Team, request: Request) -> dict[str, Any]:
    late = access(getattr(request, "_request", request), team.contest).knows_later_deadline(team)
    return {
        "id": team.pk,
        "name": team.name,
        "school": team.school,
        "state": team.state,
        "state_reason": team.state_reason,
        "seed": team.seed,
        "entered_at": team.created_at,
        "uploads_until": team.uploads_until if late else None,
        "uploads_until_reason": team.uploads_until_reason if late else "",
        "page": request.build_absolute_uri(team.get_absolute_url()),
    }


class TeamsReader(ContestView):
    tag = "teams"

    def shown(self) -> TeamQuerySet:
        """The teams that the reader may know of."""
        everybody = self.contest.teams.all() if self.access.sees_results else self.contest.teams.listed()
        own = self.access.team
        return everybody | self.contest.teams.filter(pk=own.pk) if own else everybody


class TeamsView(TeamsReader):
    acting_scope = Scope.TEAM
    pagination_class = OldestFirst

    @extend_schema(
        summary="The teams",
        responses=TeamBody(many=True),
        parameters=[OpenApiParameter("q", str, description="Part of the name, the school or the company.")],
    )
    def get(self, request: Request, slug: str) -> Response:
        pages = self.pagination_class()
        found = self.shown().called(request.query_params.get("q", "")).select_related("contest")
        rows = pages.paginate_queryset(found, request, view=self) or []
        return pages.get_paginated_response([team_body(team, request) for team in rows])

    @extend_schema(
        summary="Enter the contest with a new team",
        description="You become its captain. Where organisers approve teams, its state is `pending` at first.",
        request=NewTeamBody,
        responses={201: TeamBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        if not self.access.may_enter:
            raise Http404("There is no contest of that name.")
        team = teams.create(self.contest, self.person, **filled(TeamForm(typed(request))))
        headers = {"Location": reverse("api-team", args=[slug, team.pk])}
        return Response(team_body(team, request), 201, headers=headers)


class TeamView(TeamsReader):
    @extend_schema(summary="A team", responses=TeamBody)
    def get(self, request: Request, slug: str, team_id: int) -> Response:
        team = self.shown().filter(pk=team_id).select_related("contest").first()
        if team is None:
            raise Http404("This contest has no such team.")
        return Response(team_body(team, request))
