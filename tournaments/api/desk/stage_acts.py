"""What organisers do to stages: publish, start, pause, end early, start over."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from django import forms
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.settings import NeededReasonBody
from contest.api.desk.views import act_views
from contest.api.forms import ReasonBody, as_serializer, filled, filled_up, reason_in, typed
from contest.api.problems import wrong
from contest.forms import ReasonForm
from contest.refusal import Refused
from contest.words import number_in
from tournaments import kinds
from tournaments.api.desk.impacts import EndingBody
from tournaments.api.desk.stage_bodies import DeskStageBody, DrawBody, DrawnStageBody, RoundNumberBody
from tournaments.api.desk.stages import StageDesk
from tournaments.forms import PaceForm, ShiftForm
from tournaments.kinds.ladder import LADDER
from tournaments.kinds.plans import NO_END_TIME
from tournaments.models import Stage
from tournaments.organising import actions, rounds, stages
from tournaments.view_models.impact_told import ending_told
from tournaments.view_models.preview import stage_preview


class EndedStageBody(serializers.Serializer):
    dry_run = serializers.BooleanField()
    stage = DeskStageBody(help_text="As it is now.")
    preview = EndingBody(allow_null=True, help_text="In a dry run: what would change.")


class EndStageBody(NeededReasonBody):  # type: ignore[valid-type,misc]
    reason = serializers.CharField(required=False, help_text="Everybody can read it. A dry run needs none.")
    resets = serializers.IntegerField(
        required=False,
        help_text="How often the stage was reset, as a dry run or the stage tells. If it was reset since, the action "
        "is refused. A dry run needs none.",
    )


ShiftBody = as_serializer(ShiftForm, "ShiftBody", ("seen",), needed=("round",), nullable=("minutes", "to"))
PaceBody = as_serializer(PaceForm, "PaceBody", needed=(), nullable=("ends_at",))


class PlainAct(StageDesk):
    """An action without a preview."""

    act: str

    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        stage = self.stage(stage_id)
        action, _ = actions.STAGE[self.act]
        reason = {"reason": reason_in(request)} if self.act in actions.WITH_A_REASON else {}
        action(stage, self.person, **reason)
        return Response(self.body(stage))


PLAIN = {
    **act_views(
        PlainAct,
        {
            "unpublish": ("Hide a published stage again", "It becomes a draft."),
            "decide": ("Make this stage the deciding one", "The team that wins it is the champion."),
        },
        request=None,
        responses=DeskStageBody,
    ),
    **act_views(
        PlainAct,
        {
            "pause": ("Pause a stage", "Matches in progress finish, and no new ones start."),
            "resume": ("Resume a paused stage", ""),
        },
        request=ReasonBody,
        responses=DeskStageBody,
    ),
}


class DecidesForm(forms.Form):
    decides = forms.BooleanField(
        required=False,
        help_text="Of a draft in a contest that has a champion: whether its winner is the champion. Otherwise the "
        "present one remains it.",
    )


DecidesBody = as_serializer(DecidesForm, "DecidesBody")


class DrawingAct(StageDesk):
    """An action that draws the stage. A dry run tells who would meet."""

    act: str
    previews = True

    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        stage, shown = self.stage(stage_id), None
        if self.dry_run:
            DRAW[self.act](copy(stage))
            shown = self.told(DrawBody, stage_preview(stage))
        else:
            action, _ = actions.STAGE[self.act]
            action(stage, self.person, decides=filled(DecidesForm(typed(request)))["decides"])
        return Response({"dry_run": self.dry_run, "stage": self.body(stage), "draw": shown})


DRAW: dict[str, Callable[[Stage], object]] = {"publish": stages.draw_first, "start": stages.able_to_start}
"""By the action: draws the stage without saving it, and raises Refused where the action would."""


DRAWING = act_views(
    DrawingAct,
    {
        "publish": (
            "Publish a draft: everybody sees it",
            "A stage whose teams come from another one is drawn when that one is over.",
        ),
        "start": (
            "Start a stage",
            "Teams that cannot play now are left out; `absent` names them before the start. Its first matches wait for "
            "a worker.",
        ),
    },
    request=DecidesBody,
    responses=DrawnStageBody,
)


class RescheduleView(StageDesk):
    @extend_schema(
        summary="Change the end and the pace of a ladder in progress",
        description="What you leave out stays as it is; `ends_at: null` lets it go on until you end it.",
        request=PaceBody,
        responses=DeskStageBody,
    )
    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        stage = self.stage(stage_id)
        if kinds.of(stage) is not LADDER:  # the form would ask for fields that the stage does not have
            raise Refused(NO_END_TIME)
        now = PaceForm.of(stage)
        form = PaceForm(filled_up(typed(request), {name: now.initial.get(name) for name in now.fields}))
        data = filled(form)
        stages.reschedule(stage, self.person, data["ends_at"], form.options())
        return Response(self.body(stage))


class ShiftView(StageDesk):
    @extend_schema(
        summary="Move a round and all that follow",
        description="By `minutes`, or so that the round starts at `to`. Rounds that have started stay. Rounds that "
        "start after the one before follow by themselves. The teams are told.",
        request=ShiftBody,
        responses=DeskStageBody,
    )
    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        stage, data = self.stage(stage_id), filled(ShiftForm(typed(request)))
        rounds.shift(stage, self.person, data["round"], minutes=data["minutes"] or 0, to=data["to"], text=data["text"])
        return Response(self.body(stage))


class RoundAct(StageDesk):
    """An action of `actions.ROUND`."""

    act: str

    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        stage, sent = self.stage(stage_id), typed(request).getlist("round")
        number = number_in(str(sent[0])) if len(sent) == 1 else None
        if number is None:
            raise wrong("round", "Name the round by its number.")
        action, _ = actions.ROUND[self.act]
        action(stage, self.person, number)
        return Response(self.body(stage))


ROUNDS = act_views(
    RoundAct,
    {
        "start-round": ("Start a round now", ""),
        "hold-round": ("Let a round wait until an organiser starts it", ""),
        "follow-timetable": ("No longer hold a round", ""),
        "show-pairings": ("Show everybody who meets in a round on hold", ""),
    },
    request=RoundNumberBody,
    responses=DeskStageBody,
)


class EndingAct(StageDesk):
    """An action on a stage that has started, with a preview."""

    act: str
    previews = True

    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        stage, action, seen = self.stage(stage_id), actions.ENDINGS[self.act], None
        if self.dry_run:
            if why_not := action.why_not(stage):
                raise Refused(why_not)
            seen = ending_told(action.preview(stage), stage)
        else:
            sent = typed(request)
            reason, resets = filled(ReasonForm(sent))["reason"], number_in(str(sent.get("resets", "")))
            if resets is None:
                raise wrong("resets", "Say how often the stage had been reset when you looked at it.")
            action.do(stage, self.person, reason, resets=resets)
        return Response({"dry_run": self.dry_run, "stage": self.body(stage), "preview": seen})


ENDINGS = act_views(
    EndingAct,
    {
        "reset": ("Start a stage over: all its matches become void", actions.ENDINGS["reset"].text),
        "shorten": ("End a stage early, with a ranking", actions.ENDINGS["shorten"].text),
        "abandon": ("End a stage now, without a winner", actions.ENDINGS["abandon"].text),
    },
    request=EndStageBody,
    responses=EndedStageBody,
)
