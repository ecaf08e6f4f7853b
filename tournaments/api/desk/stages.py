"""Stages: created, changed, deleted."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.views import DeskView, OrganiserView
from contest.api.forms import filled_up, typed
from contest.api.problems import wrong
from contest.api.unknown import refusal
from contest.ledger import hold
from contest.refusal import Refused
from contest.words import number_in
from tournaments.api.desk.stage_bodies import (
    ChangedStageBody,
    DeskStageBody,
    EditedStageBody,
    NewStageBody,
    SketchBody,
    budget_body,
    desk_stage_body,
)
from tournaments.api.desk.timetables import fill_rounds, round_values
from tournaments.formats import FormatError
from tournaments.forms import PlainForm, RoundsToComeForm, StageForm, field_name, form_of, initial_of
from tournaments.models import Round, Stage
from tournaments.organising import rounds, stages
from tournaments.organising.stage_settings import checked


class StageDesk(DeskView):
    """About one stage of the contest: `stage()`, drafts included."""

    tag = "desk stages"

    def stage(self, pk: int) -> Stage:
        return get_object_or_404(Stage.objects.select_related("contest", "source"), pk=pk, contest=self.contest)

    def body(self, stage: Stage) -> dict[str, Any]:
        return desk_stage_body(stage, self.request)


def filled_form(view: DeskView, stage: Stage | None = None) -> PlainForm:
    """The form of a stage with what was sent; the rest is as in the stage, or as in a new one. Raises Problem."""
    contest, sent = view.contest, typed(view.request)
    try:
        cls = form_of(contest, str(sent.get("format") or (stage.format if stage else "")))
    except FormatError as error:
        raise wrong("format", f"{error}.") from None
    now = {**cls.defaults(contest), **(initial_of(stage) if stage else {})}
    blank = cls(contest, stage, initial=now)
    by_round = blank if isinstance(blank, StageForm) and blank.arranged else None
    settings = [*(name for name in cls.base_fields if name in blank.fields), "format", "order"]
    settings += ["release", "timetable"] if by_round else []
    if foreign := [name for name in sent if name not in (*settings, *view.further_fields)]:
        raise refusal(foreign, settings, "A stage of this format")
    initial = {name: now.get(name, field.initial) for name, field in blank.fields.items()}
    values = {name: it.pk if isinstance(it, Stage) else it for name, it in initial.items()}
    if "order" in sent:
        values |= _places(blank, sent.getlist("order"))
    if by_round:
        values |= _release_of_all(by_round, stage, sent) | round_values(by_round, sent)
    form = cls(contest, stage, filled_up(sent, values))
    fill_rounds(form, sent)
    return form


def _release_of_all(form: StageForm, stage: Stage | None, sent: MultiValueDict[str, Any]) -> dict[str, Any]:
    """What `release` means for the rounds. One that is sent back unchanged means nothing. Raises Problem."""
    release = sent.get("release")
    if release not in (None, *Stage.Release.values):
        raise wrong("release", f"This is either {' or '.join(Stage.Release.values)}.")
    if release is None or (stage is not None and release == stage.release):
        return {}
    chosen = Round.Release.MANUAL if release == Stage.Release.ROUNDS else Round.Release.AT_ONCE
    of_all = {field_name(number, "release"): chosen.value for number in form.arranged}
    return of_all | {field_name(number, "release_at"): None for number in form.arranged}


def _places(form: PlainForm, order: list[Any]) -> dict[str, Any]:
    """Seeds for seeding by hand, from the teams in their order. Raises Problem."""
    known = {team.pk for team in form.teams}
    wished = [number_in(str(each)) for each in order]
    if not known.issuperset(wished) or len(set(wished)) != len(wished):
        raise wrong("order", "Name teams of this contest by their ids, each once.")
    places = {team: place for place, team in enumerate(wished, start=1)}
    return {"seeding": Stage.Seeding.HAND.value, **{f"place_{team}": places.get(team) for team in known}}


def foreseen(view: DeskView, form: PlainForm, stage: Stage | None = None) -> dict[str, Any] | None:
    """How much there would be to play with these settings. Raises Refused where the action itself would."""
    with transaction.atomic():
        checked(hold(view.contest.pk), form.wish(), stage)
    return budget_body(form)


class DeskStagesView(OrganiserView):
    tag = "desk stages"
    previews = True

    @extend_schema(
        summary="Create a stage, as a draft",
        description="What you leave out is as in the form of a new stage. A dry run tells how long it would take.",
        request=NewStageBody,
        responses={201: DeskStageBody, 200: SketchBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        form = filled_form(self)
        if self.dry_run:
            return Response({"budget": foreseen(self, form)})
        stage = stages.create(self.contest, self.person, form.wish())
        return self.created(desk_stage_body(stage, request), "api-desk-stage", stage.pk)


class DeskStageView(StageDesk):
    previews = True

    @extend_schema(summary="A stage with everything that organisers see of it", responses=DeskStageBody)
    def get(self, request: Request, slug: str, stage_id: int) -> Response:
        return Response(self.body(self.stage(stage_id)))

    @extend_schema(
        summary="Change a stage that has not started, or the timetable of one in progress",
        description="What you leave out stays as it is. A published stage is drawn again. Once it has started, send "
        "nothing but `timetable`: rounds that have not started change.",
        request=ChangedStageBody,
        responses=EditedStageBody,
    )
    def patch(self, request: Request, slug: str, stage_id: int) -> Response:
        self.demand(self.access.organises)  # the form is not for judges, nor is its preview
        stage = self.stage(stage_id)
        sent = typed(request)
        if rounds.can_be_edited(stage) and set(sent) == {"timetable"}:
            return self._arrange(stage, sent)
        if not stage.can_be_edited:
            raise Refused(stages.TOO_LATE_TO_EDIT)
        form, budget = filled_form(self, stage), None
        if self.dry_run:
            budget = foreseen(self, form, stage)
        else:
            stages.edit(stage, self.person, form.wish())
        return Response({"dry_run": self.dry_run, "stage": self.body(stage), "budget": budget})

    def _arrange(self, stage: Stage, sent: MultiValueDict[str, Any]) -> Response:
        """Change the rounds to come of a stage in progress."""
        blank = RoundsToComeForm(stage)
        values = {name: field.initial for name, field in blank.fields.items()}
        form = RoundsToComeForm(stage, filled_up(sent, values | round_values(blank, sent)))
        fill_rounds(form, sent)
        with transaction.atomic():
            rounds.edit(stage, self.person, form.wishes())
            transaction.set_rollback(self.dry_run)
        return Response({"dry_run": self.dry_run, "stage": self.body(stage), "budget": None})

    @extend_schema(summary="Delete a stage that was never played", responses={204: None})
    def delete(self, request: Request, slug: str, stage_id: int) -> Response:
        stages.delete(self.stage(stage_id), self.person)
        return Response(status=204)
