"""Rehearsals: house players play a stage before it starts."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.desk.stages import StageDesk
from tournaments.models import Rehearsal, Stage
from tournaments.organising import rehearsals
from tournaments.view_models import desk


class RehearsedSeat(serializers.Serializer):
    player = serializers.CharField(source="name")
    kind = serializers.ChoiceField(["team", "house", "open"])
    place = serializers.IntegerField(allow_null=True)
    score = serializers.FloatField(allow_null=True)
    advances = serializers.BooleanField()


class RehearsedTable(serializers.Serializer):
    name = serializers.CharField()
    seats = RehearsedSeat(many=True)
    matches = serializers.IntegerField(help_text="Played.")


class RehearsedRound(serializers.Serializer):
    name = serializers.CharField()
    tables = RehearsedTable(many=True)
    matches = serializers.IntegerField(help_text="Played.")


class RehearsedRank(serializers.Serializer):
    rank = serializers.IntegerField(allow_null=True)
    team_id = serializers.IntegerField()
    team = serializers.CharField()


class RehearsalBody(serializers.Serializer):
    """House players in the teams' seats, on the deals that the stage would use. Nothing of it counts."""

    state = serializers.ChoiceField(Rehearsal.State.choices)
    error = serializers.CharField(allow_blank=True)
    outdated = serializers.BooleanField(help_text="The stage or its teams have changed since.")
    asked_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    played = serializers.IntegerField(help_text="Matches so far.")
    known = serializers.IntegerField(help_text="Matches that the plan has so far.")
    usual_seconds = serializers.FloatField(allow_null=True, help_text="What the stage itself will take.")
    rounds = RehearsedRound(many=True)
    ranking = RehearsedRank(many=True)


def rehearsal_body(rehearsal: Rehearsal) -> dict[str, Any]:
    seen = desk.rehearsal_seen(rehearsal, None)
    usual = seen.get("usual")
    return {
        "state": rehearsal.state,
        "error": rehearsal.error,
        "outdated": seen["outdated"],
        "asked_at": rehearsal.asked_at,
        "finished_at": rehearsal.finished_at,
        "played": seen.get("matches", 0),
        "known": seen.get("known", 0),
        "usual_seconds": None if usual is None else usual.total_seconds(),
        "rounds": RehearsedRound(seen.get("rounds", ()), many=True).data,
        "ranking": [
            {"rank": ranked.rank, "team_id": team.pk, "team": team.name} for team, ranked in seen.get("ranking", ())
        ],
    }


class RehearsalView(StageDesk):
    @extend_schema(summary="The rehearsal of a stage so far", responses=RehearsalBody)
    def get(self, request: Request, slug: str, stage_id: int) -> Response:
        return Response(rehearsal_body(self.rehearsal(self.stage(stage_id))))

    @extend_schema(
        summary="Ask for a rehearsal",
        description="A worker plays it when it has time. It replaces an earlier one.",
        request=None,
        responses={202: RehearsalBody},
    )
    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        stage = self.stage(stage_id)
        rehearsals.ask(stage, self.person)
        return Response(rehearsal_body(self.rehearsal(stage)), 202)

    @extend_schema(summary="Delete the rehearsal", responses={204: None})
    def delete(self, request: Request, slug: str, stage_id: int) -> Response:
        rehearsals.delete(self.stage(stage_id), self.person)
        return Response(status=204)

    def rehearsal(self, stage: Stage) -> Rehearsal:
        found = get_object_or_404(Rehearsal, stage=stage)
        found.stage = stage
        return found
