"""Teams that leave the contest or come back, with what that changes in its stages."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.teams import DeskTeamBody, team_of
from contest.api.desk.views import DRY_RUN, DeskView, act_views
from contest.api.forms import filled, typed
from contest.forms import ReasonForm
from contest.refusal import Refused
from tournaments.api.desk.impacts import ImpactBody
from tournaments.organising import actions
from tournaments.view_models.impact_told import impact_told


class LeaveBody(serializers.Serializer):
    reason = serializers.CharField(required=False, max_length=300, help_text="A dry run needs none.")


class LeftBody(serializers.Serializer):
    dry_run = serializers.BooleanField()
    team = DeskTeamBody(help_text="As it is now.")
    impact = ImpactBody(allow_null=True, help_text="In a dry run: what would change.")


class TeamAct(DeskView):
    tag = "desk teams"
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
    parameters=[DRY_RUN],
)
