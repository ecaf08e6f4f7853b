"""Stages: created, changed, deleted."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.views import DRY_RUN, DeskView, OrganiserView
from contest.api.forms import filled, filled_up, typed
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
    initial_values,
)
from tournaments.formats import FormatError
from tournaments.forms import PlainForm, form_of, initial_of
from tournaments.models import Stage
from tournaments.organising import stages
from tournaments.organising.stage_durations import stage_budget
from tournaments.organising.stage_settings import checked


class StageDesk(DeskView):
    """About one stage of the contest: `stage()`, drafts included."""

    tag = "desk stages"

    def stage(self, pk: int) -> Stage:
        found = Stage.objects.select_related("contest", "source").filter(pk=pk, contest=self.contest).first()
        if found is None:
            raise Http404("This contest has no such stage.")
        return found

    def body(self, stage: Stage) -> dict[str, Any]:
        return desk_stage_body(stage, self.request)


def filled_form(view: DeskView, stage: Stage | None = None) -> PlainForm:
    """The form of a stage with what was sent; the rest is as in the stage, or as in a new one. Raises Problem."""
    contest, sent = view.contest, typed(view.request)
    try:
        cls = form_of(contest, str(sent.get("format") or (stage.format if stage else "")))
    except FormatError as error:
        raise wrong("format", f"{error}.") from None
    blank = cls(contest, stage)
    settings = [*(name for name in cls.base_fields if name in blank.fields), "format", "order"]
    if foreign := [name for name in sent if name not in (*settings, *view.further_fields)]:
        raise refusal(foreign, settings, "A stage of this format")
    now = {**cls.defaults(contest), **(initial_of(stage) if stage else {})}
    values = initial_values({name: now.get(name, field.initial) for name, field in blank.fields.items()})
    if "order" in sent:
        values |= _places(blank, sent.getlist("order"))
    form = cls(contest, stage, filled_up(sent, values))
    filled(form)
    return form


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
    return budget_body(stage_budget(form.sketch(form.cleaned_data)))


class DeskStagesView(OrganiserView):
    tag = "desk stages"
    previews = True

    @extend_schema(
        summary="Create a stage, as a draft",
        description="What you leave out is as in the form of a new stage. A dry run tells how long it would take.",
        request=NewStageBody,
        responses={201: DeskStageBody, 200: SketchBody},
        parameters=[DRY_RUN],
    )
    def post(self, request: Request, slug: str) -> Response:
        form = filled_form(self)
        if self.dry_run:
            return Response({"budget": foreseen(self, form)})
        stage = stages.create(self.contest, self.person, form.wish())
        headers = {"Location": reverse("api-desk-stage", args=[slug, stage.pk])}
        return Response(desk_stage_body(stage, request), 201, headers=headers)


class DeskStageView(StageDesk):
    previews = True

    @extend_schema(summary="A stage with everything that organisers see of it", responses=DeskStageBody)
    def get(self, request: Request, slug: str, stage_id: int) -> Response:
        return Response(self.body(self.stage(stage_id)))

    @extend_schema(
        summary="Change a stage that has not started",
        description="What you leave out stays as it is. A published stage is drawn again.",
        request=ChangedStageBody,
        responses=EditedStageBody,
        parameters=[DRY_RUN],
    )
    def patch(self, request: Request, slug: str, stage_id: int) -> Response:
        self.demand(self.access.organises)  # the form is not for judges, nor is its preview
        stage = self.stage(stage_id)
        if not stage.can_be_edited:
            raise Refused(stages.TOO_LATE_TO_EDIT)
        form, budget = filled_form(self, stage), None
        if self.dry_run:
            budget = foreseen(self, form, stage)
        else:
            stages.edit(stage, self.person, form.wish())
        return Response({"dry_run": self.dry_run, "stage": self.body(stage), "budget": budget})

    @extend_schema(summary="Delete a stage that was never played", responses={204: None})
    def delete(self, request: Request, slug: str, stage_id: int) -> Response:
        stages.delete(self.stage(stage_id), self.person)
        return Response(status=204)
