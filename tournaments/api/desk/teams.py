"""Teams that leave the contest or come back, that are there, or that take the seat of another one."""

from __future__ import annotations

from django import forms
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.teams import DeskMemberBody, DeskTeamBody, OfTeams, team_of
from contest.api.desk.views import DeskView, act_views
from contest.api.forms import as_serializer, filled, typed
from contest.api.paging import InOrder
from contest.forms import CheckInForm, ReasonForm
from contest.refusal import Refused
from tournaments.api.desk.impacts import ImpactBody
from tournaments.api.desk.stage_bodies import DeskStageBody
from tournaments.api.desk.stages import StageDesk
from tournaments.forms.review import SEAT_FORMS
from tournaments.organising import actions, admission, impact, substitutes
from tournaments.view_models.check_in import arrivals, teams_in
from tournaments.view_models.impact_told import impact_told


class LeaveBody(serializers.Serializer):
    reason = serializers.CharField(required=False, max_length=300, help_text="A dry run needs none.")


class LeftBody(serializers.Serializer):
    dry_run = serializers.BooleanField()
    team = DeskTeamBody(help_text="As it is now.")
    impact = ImpactBody(allow_null=True, help_text="In a dry run: what would change.")


class TeamAct(OfTeams):
    previews = True
    act: str

    def post(self, request: Request, slug: str, team_id: int) -> Response:
        team, action, seen = team_of(self, team_id), actions.TEAM[self.act], None
        if self.dry_run:
            if not action.possible(team):
                raise Refused(action.otherwise)
            seen = impact_told(action.preview(team))
        else:
            action.do(team, self.person, filled(ReasonForm(typed(request)))["reason"])
            team = team_of(self, team_id)
        return Response({"dry_run": self.dry_run, "team": self.told(DeskTeamBody, team), "impact": seen})


ACTS = act_views(
    TeamAct,
    {
        "disqualify": ("Disqualify a team", actions.TEAM["disqualify"].text),
        "withdraw": ("Withdraw a team at its own request", actions.TEAM["withdraw"].text),
        "reinstate": ("Let a team take part again", actions.TEAM["reinstate"].text),
    },
    request=LeaveBody,
    responses=LeftBody,
)


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


class CheckInView(OfTeams):
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


class ArrivalView(OfTeams):
    @extend_schema(
        summary="Check in a team, or take that back",
        description="Sent twice, it changes nothing the second time.",
        request=PresentBody,
        responses=ArrivalBody,
    )
    def post(self, request: Request, slug: str, team_id: int) -> Response:
        team = team_of(self, team_id)
        admission.check_in(team, self.person, present=filled(PresentForm(typed(request)))["present"])
        (arrival,) = arrivals(self.contest, [team])
        return Response(self.told(ArrivalBody, arrival))


REASON = serializers.CharField(required=False, help_text="Everybody can read it. A dry run needs none.")


class SeatBody(serializers.Serializer):
    dry_run = serializers.BooleanField()
    stage = DeskStageBody(help_text="As it is now.")
    impact = ImpactBody(allow_null=True, help_text="In a dry run: what would change.")


class SeatAct(StageDesk):
    act: str
    previews = True

    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        stage, sent, seen = self.stage(stage_id), typed(request), None
        chosen = filled(SEAT_FORMS[self.act](stage, sent))
        team, instead_of = chosen["team"], chosen.get("instead_of")
        if self.dry_run:
            then, _ = substitutes.put_in(stage, team, instead_of)
            seen = impact_told(impact.of_substitute(stage, then))
        else:
            reason = filled(ReasonForm(sent))["reason"]
            substitutes.substitute(stage, self.person, team, reason, instead_of=instead_of)
        return Response({"dry_run": self.dry_run, "stage": self.body(stage), "impact": seen})


SEATS: dict[str, type[DeskView]] = {}
for act, action in actions.SEATS.items():
    SEATS |= act_views(
        SeatAct,
        {act: (action.title, action.text)},
        request=as_serializer(SEAT_FORMS[act], f"{act.capitalize()}SeatBody", reason=REASON),
        responses=SeatBody,
    )
