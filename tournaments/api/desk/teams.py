"""Teams that leave the contest or come back, with what that changes in its stages."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.teams import DeskTeamBody, desk_team_body, team_of
from contest.api.desk.views import DRY_RUN, DeskView
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
        return Response({"dry_run": self.dry_run, "team": desk_team_body(team, self), "impact": seen})


def act(name: str, summary: str) -> type[TeamAct]:
    """The view of an action of `actions.TEAM`."""
    told = extend_schema(
        summary=summary,
        description=actions.TEAM[name].text,
        request=LeaveBody,
        responses=LeftBody,
        parameters=[DRY_RUN],
    )
    return extend_schema_view(post=told)(type(f"{name.capitalize()}View", (TeamAct,), {"act": name}))


ACTS = {
    "disqualify": act("disqualify", "Disqualify a team"),
    "withdraw": act("withdraw", "Withdraw a team at its own request"),
    "reinstate": act("reinstate", "Let a team take part again"),
}
