"""Check-in: which teams are there."""

from __future__ import annotations

from django import forms
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import teams
from contest.api.desk.teams import DeskMemberBody, team_of
from contest.api.desk.views import DeskView
from contest.api.forms import as_serializer, filled, typed
from contest.api.paging import InOrder
from contest.forms import CheckInForm
from tournaments.view_models.check_in import arrivals, teams_in


class PresentForm(forms.Form):
    present = forms.NullBooleanField(help_text="True if the team is there, false to take that back.")

    def clean_present(self) -> bool:
        present: bool | None = self.cleaned_data["present"]
        if present is None:
            raise forms.ValidationError("This is either true or false.")
        return present


PresentBody = as_serializer(PresentForm, "PresentBody", needed=("present",))


class ArrivalBody(serializers.Serializer):
    team_id = serializers.IntegerField(source="team.pk")
    team = serializers.CharField(source="team.name")
    school = serializers.CharField(source="team.school", allow_blank=True)
    checked_in_at = serializers.DateTimeField(
        source="team.checked_in_at", allow_null=True, help_text="None: not checked in."
    )
    bot = serializers.CharField(
        allow_blank=True, help_text="What it would play with now, such as “version 3” or “connected”. Blank: nothing."
    )
    members = DeskMemberBody(many=True)


class CheckInView(DeskView):
    tag = "desk teams"
    pagination_class = InOrder

    @extend_schema(
        summary="Which teams are checked in, with their bots and members",
        description="The teams that take part, by name. `check_in_closes_at` of a stage says until when it matters.",
        responses=ArrivalBody(many=True),
        parameters=[
            OpenApiParameter("q", str, description="Part of the name, the school or the company."),
            OpenApiParameter("state", str, enum=[name for name, _ in CheckInForm.STATES]),
        ],
    )
    def get(self, request: Request, slug: str) -> Response:
        chosen = filled(CheckInForm(request.query_params))
        found = self.paginate_queryset(list(teams_in(self.contest, chosen["q"], chosen["state"]))) or ()
        return self.get_paginated_response(self.told(ArrivalBody, arrivals(self.contest, found), many=True))

    @extend_schema(summary="Start check-in again", description="No team is checked in any more.", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        teams.begin_check_in(self.contest, self.person)
        return Response(status=204)


class ArrivalView(DeskView):
    tag = "desk teams"

    @extend_schema(
        summary="Check in a team, or take that back",
        description="Sent twice, it changes nothing the second time.",
        request=PresentBody,
        responses=ArrivalBody,
    )
    def post(self, request: Request, slug: str, team_id: int) -> Response:
        team = team_of(self, team_id)
        teams.check_in(team, self.person, present=filled(PresentForm(typed(request)))["present"])
        (arrival,) = arrivals(self.contest, [team])
        return Response(self.told(ArrivalBody, arrival))
