"""The teams of a contest."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import teams
from contest.api.forms import as_serializer, filled, typed
from contest.api.paging import OldestFirst
from contest.api.views import Address, ContestView
from contest.forms import TeamForm
from contest.models import Scope, Team
from contest.permissions import access


class TeamBody(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    school = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(Team.State.choices)
    state_reason = serializers.CharField(allow_blank=True)
    seed = serializers.IntegerField(allow_null=True, help_text="Its seed number.")
    entered_at = serializers.DateTimeField(source="created_at")
    uploads_until = serializers.DateTimeField(
        allow_null=True, help_text="If it may upload longer than others. Public once a stage has begun."
    )
    uploads_until_reason = serializers.CharField(allow_blank=True)
    page = Address(source="get_absolute_url")

    def to_representation(self, instance: Team) -> dict[str, Any]:
        told = super().to_representation(instance)
        if not access(self.context["request"]._request, instance.contest).knows_later_deadline(instance):
            told |= {"uploads_until": None, "uploads_until_reason": ""}
        return told


NewTeamBody = as_serializer(TeamForm, "NewTeamBody")


class TeamsView(ContestView):
    tag = "teams"
    acting_scope = Scope.TEAM
    pagination_class = OldestFirst

    @extend_schema(
        summary="The teams",
        responses=TeamBody(many=True),
        parameters=[OpenApiParameter("q", str, description="Part of the name, the school or the company.")],
    )
    def get(self, request: Request, slug: str) -> Response:
        found = self.access.teams().called(request.query_params.get("q", "")).select_related("contest")
        return self.piece(TeamBody, found)

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
        return self.created(self.told(TeamBody, team), "api-team", team.pk)


class TeamView(ContestView):
    tag = "teams"

    @extend_schema(summary="A team", responses=TeamBody)
    def get(self, request: Request, slug: str, team_id: int) -> Response:
        team = get_object_or_404(self.access.teams().select_related("contest"), pk=team_id)
        return Response(self.told(TeamBody, team))
