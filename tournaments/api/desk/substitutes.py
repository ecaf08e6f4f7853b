"""Seats that change hands before their first match."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.views import DRY_RUN, DeskView, act_views
from contest.api.forms import as_serializer, filled, typed
from contest.forms import ReasonForm
from tournaments.api.desk.impacts import ImpactBody
from tournaments.api.desk.stage_bodies import DeskStageBody
from tournaments.api.desk.stages import StageDesk
from tournaments.forms.substitutes import SEAT_FORMS
from tournaments.organising import actions, impact, substitutes
from tournaments.view_models.impact_told import impact_told

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
        parameters=[DRY_RUN],
    )
