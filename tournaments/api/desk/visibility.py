"""What is public: the freeze, and the release of rounds."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.views import DeskView, act_views
from contest.api.forms import filled, typed
from contest.models import Contest
from contest.setup_forms import FreezeForm
from tournaments.api.desk.stage_acts import RoundAct
from tournaments.api.desk.stage_bodies import RoundNumberBody
from tournaments.api.desk.stages import StageDesk
from tournaments.models import Stage
from tournaments.organising import releases
from tournaments.view_models import desk


class PublicStage(serializers.Serializer):
    stage = serializers.IntegerField(source="stage.pk")
    name = serializers.CharField(source="stage.name")
    state = serializers.ChoiceField(Stage.State.choices, source="stage.state")
    release = serializers.ChoiceField(Stage.Release.choices, source="stage.release")
    released = serializers.IntegerField(
        source="stage.released", help_text="The last round with public results, if you release them."
    )
    rounds = serializers.IntegerField(help_text="So far.")
    next_round = serializers.IntegerField(allow_null=True, help_text="The round that you can release now.")
    results = serializers.IntegerField()
    public_results = serializers.IntegerField(source="shown")


class VisibilityBody(serializers.Serializer):
    is_frozen = serializers.BooleanField()
    frozen_from = serializers.DateTimeField(allow_null=True, help_text="When results freeze, or froze.")
    stages = PublicStage(many=True)


class FreezeBody(serializers.Serializer):
    at = serializers.DateTimeField(required=False, help_text="When it begins. Now without it.")


def visibility_body(contest: Contest) -> dict[str, Any]:
    """As it is in the database now."""
    contest = Contest.objects.get(pk=contest.pk)
    return {
        "is_frozen": contest.is_frozen(),
        "frozen_from": contest.frozen_from,
        "stages": PublicStage(desk.released_of_stages(contest), many=True).data,
    }


class VisibilityView(DeskView):
    tag = "desk visibility"

    @extend_schema(summary="What is public of the results", responses=VisibilityBody)
    def get(self, request: Request, slug: str) -> Response:
        return Response(visibility_body(self.contest))


class FreezeView(DeskView):
    tag = "desk visibility"

    @extend_schema(
        summary="Freeze the results, now or later",
        description="Results from before that moment stay public. People with a role still see everything.",
        request=FreezeBody,
        responses=VisibilityBody,
    )
    def post(self, request: Request, slug: str) -> Response:
        sent = typed(request)
        at = filled(FreezeForm(sent))["at"] if sent.get("at") is not None else None
        releases.freeze(self.contest, self.person, at)
        return Response(visibility_body(self.contest))


class LiftView(DeskView):
    tag = "desk visibility"

    @extend_schema(
        summary="Lift the freeze",
        description="It also cancels a freeze that has not begun.",
        request=None,
        responses=VisibilityBody,
    )
    def post(self, request: Request, slug: str) -> Response:
        releases.lift(self.contest, self.person)
        return Response(visibility_body(self.contest))


class ReleaseAct(RoundAct):
    tag = "desk visibility"

    def body(self, stage: Stage) -> dict[str, Any]:
        return visibility_body(self.contest)


ROUND_ACTS = act_views(
    ReleaseAct,
    {
        "release": ("Release the results of the next round", ""),
        "take-back": ("Hide the results of the round released last", ""),
    },
    request=RoundNumberBody,
    responses=VisibilityBody,
)


class ReleaseAllView(StageDesk):
    tag = "desk visibility"

    @extend_schema(
        summary="Release all results of a stage, and new ones at once", request=None, responses=VisibilityBody
    )
    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        releases.release_all(self.stage(stage_id), self.person)
        return Response(visibility_body(self.contest))
