"""Stages, and the tables of stages that follow a plan."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.problems import wrong
from contest.words import number_in
from tournaments.api.contests import SightView
from tournaments.formats.plan import Status
from tournaments.kinds import KINDS
from tournaments.models import Round, Stage
from tournaments.results.visibility import Sight
from tournaments.view_models import stages_told
from tournaments.view_models.tables import Taker


class RoundTimeBody(serializers.Serializer):
    number = serializers.IntegerField(help_text="From 1.")
    name = serializers.CharField()
    starts_at = serializers.DateTimeField(allow_null=True, help_text="None: after the round before.")
    break_minutes = serializers.IntegerField(
        allow_null=True,
        help_text="Between the end of the whole round before and its start. None: a match begins when its teams are "
        "known.",
    )
    hold = serializers.BooleanField(help_text="Whether it waits until an organiser starts it.")
    in_turn = serializers.BooleanField(help_text="Whether its tables play one after the other.")
    release = serializers.ChoiceField(Round.Release.choices, help_text="When its results become public.")
    release_at = serializers.DateTimeField(allow_null=True)
    state = serializers.ChoiceField(Round.State.choices)
    started_at = serializers.DateTimeField(allow_null=True)


class StageLine(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(list(KINDS), help_text="How it follows its results.")
    format = serializers.CharField()
    state = serializers.ChoiceField(Stage.State.choices)
    state_name = serializers.CharField(help_text="The state in words.")
    is_over = serializers.BooleanField()
    is_bracket = serializers.BooleanField(help_text="Whether winners advance from table to table.")
    is_rated = serializers.BooleanField(help_text="Whether its results count for ratings.")
    entry = serializers.ChoiceField(Stage.Entry.choices)
    best = serializers.IntegerField(allow_null=True, help_text="How many of the source. None: all.")
    seeding = serializers.ChoiceField(Stage.Seeding.choices)
    starts_at = serializers.DateTimeField(allow_null=True)
    starts_after = serializers.BooleanField(help_text="Whether it starts when its source has finished.")
    ends_at = serializers.DateTimeField(allow_null=True)
    check_in_closes_at = serializers.DateTimeField(
        allow_null=True, help_text="Teams that are not checked in by then are left out. None: there is no check-in."
    )
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    release = serializers.ChoiceField(Stage.Release.choices)
    released = serializers.IntegerField(help_text="Rounds with public results, if the organisers release them.")
    awaits_release = serializers.BooleanField(help_text="It is over, and not all of its results are public.")
    entrants_withheld = serializers.BooleanField(help_text="Hidden results decide who plays here.")
    withheld_from_round = serializers.IntegerField(allow_null=True, help_text="The first round without public results.")
    resets = serializers.IntegerField(help_text="How often the organisers started it over.")
    last_round = serializers.IntegerField(allow_null=True, help_text="Of a stage that the organisers shortened.")
    timetable = RoundTimeBody(many=True, help_text="None on ladders and in judged problems.")
    page = serializers.URLField()

    def get_fields(self) -> dict[str, serializers.Field]:
        """Not as an attribute, because serializer fields have one of the name `source`."""
        source = serializers.IntegerField(allow_null=True, help_text="The stage that its entrants or seeds come from.")
        return {**super().get_fields(), "source": source}


class EntrantBody(serializers.Serializer):
    seed = serializers.IntegerField(allow_null=True)
    team_id = serializers.IntegerField()
    team = serializers.CharField()


class MatchCounts(serializers.Serializer):
    queued = serializers.IntegerField()
    running = serializers.IntegerField()
    done = serializers.IntegerField()
    void = serializers.IntegerField()


class SubstituteBody(serializers.Serializer):
    team_id = serializers.IntegerField()
    team = serializers.CharField()
    instead_of_id = serializers.IntegerField(allow_null=True, help_text="None: it plays where there was a bye.")
    instead_of = serializers.CharField(allow_null=True)
    reason = serializers.CharField()


class StageBody(StageLine):
    rules = serializers.ListField(child=serializers.CharField(), help_text="How it is played, as sentences.")
    options = serializers.DictField(help_text="Of the format, without hidden games.")
    entrants_words = serializers.CharField(help_text="Who takes part, in words.")
    entrants = EntrantBody(many=True, help_text="In the order of their seeds; none while they are not known.")
    left_out = EntrantBody(many=True, help_text="Teams that could not play when it started.")
    substitutes = SubstituteBody(many=True, help_text="Teams that the organisers have put in after the draw.")
    matches = MatchCounts(help_text="How many matches you may know of.")
    why = serializers.CharField(allow_blank=True, help_text="Why the organisers reset or abandoned it.")


class TableSeatBody(serializers.Serializer):
    player = serializers.CharField(help_text="A team, a house player, or who is awaited.")
    team_id = serializers.IntegerField(allow_null=True)
    seed = serializers.IntegerField(allow_null=True)
    taker = serializers.ChoiceField([taker.value for taker in Taker])
    score = serializers.FloatField(allow_null=True, help_text="Points, or matches won in a series.")
    tournament_points = serializers.FloatField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    disqualified = serializers.BooleanField(help_text="By the referee.")
    first_fault = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField([status.value for status in Status], allow_blank=True)
    status_sentence = serializers.CharField(allow_blank=True)


class TableBody(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.CharField()
    decided = serializers.BooleanField()
    is_bye = serializers.BooleanField()
    withheld = serializers.BooleanField(help_text="Whether its results are not public yet.")
    seats = TableSeatBody(many=True, help_text="Best first, once there are places.")
    advancing = serializers.ListField(child=serializers.IntegerField(), help_text="Teams that go on, best first.")
    matches = serializers.ListField(child=serializers.IntegerField())
    playoffs = serializers.ListField(child=serializers.IntegerField())
    void = serializers.ListField(child=serializers.IntegerField())


class RoundBody(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    tables = TableBody(many=True)


class TablesBody(serializers.Serializer):
    rounds = RoundBody(many=True, help_text="None on ladders and in judged problems.")


def stage_line(stage: Stage, sight: Sight, request: Request) -> dict[str, Any]:
    page = request.build_absolute_uri(stage.get_absolute_url())
    return {**stages_told.stage_line(stage, sight), "page": page}


class StagesView(SightView):
    @extend_schema(summary="The stages, in the order in which they were made", responses=StageLine(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response([stage_line(stage, self.sight, request) for stage in self.sight.stages])


class StageView(SightView):
    @extend_schema(summary="A stage with its entrants", responses=StageBody)
    def get(self, request: Request, slug: str, stage_id: int) -> Response:
        stage = self.sight.stage(stage_id)
        told = stages_told.stage_told(stage, self.sight)
        return Response({**told, **stage_line(stage, self.sight, request)})


class TablesView(SightView):
    def revision(self) -> str:
        return self.results_revision

    @extend_schema(
        summary="Rounds and tables: who meets where, and what came of it",
        responses=TablesBody,
        parameters=[
            OpenApiParameter("round", int, description="Only this one."),
            OpenApiParameter("team", int, description="Only tables where this team sits."),
        ],
    )
    def get(self, request: Request, slug: str, stage_id: int) -> Response:
        stage = self.sight.stage(stage_id)
        only, team = (number_asked(request, name) for name in ("round", "team"))
        return Response({"rounds": list(stages_told.rounds_told(stage, self.sight, only=only, team=team))})


def number_asked(request: Request, name: str) -> int | None:
    """A number from the query. Raises Problem if it is none."""
    text = request.query_params.get(name, "")
    number = number_in(text)
    if text and number is None:
        raise wrong(name, f"“{text[:20]}” is not a number.")
    return number
