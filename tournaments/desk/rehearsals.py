"""The desk's page of a stage's rehearsal."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from contest.models import Contest
from contest.permissions import desk_page, me
from contest.refusal import Refused
from tournaments.models import Rehearsal, Stage
from tournaments.organising import actions, rehearsals
from tournaments.view_models import rehearsed

BADGES = {
    Rehearsal.State.QUEUED: "info",
    Rehearsal.State.RUNNING: "info",
    Rehearsal.State.DONE: "ok",
    Rehearsal.State.FAILED: "bad",
}


@require_safe
@desk_page
def desk_rehearsal(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """The rehearsal so far. The page polls while it is played."""
    stage = get_object_or_404(Stage.objects.select_related("contest", "source"), pk=stage_id, contest=contest)
    rehearsal = Rehearsal.objects.filter(stage=stage).first()
    context: dict[str, Any] = {"contest": contest, "stage": stage, "rehearsal": rehearsal}
    context["why_none"] = rehearsals.why_none(stage)
    if rehearsal is not None:
        rehearsal.stage = stage
        context |= {"badge": BADGES[Rehearsal.State(rehearsal.state)], **rehearsed.seen(rehearsal)}
    fragment = "HX-Request" in request.headers
    return render(request, f"tournaments/desk/{'_rehearsal' if fragment else 'rehearsal'}.html", context)


@require_POST
@desk_page
def desk_rehearsal_act(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    action, message = actions.REHEARSAL[act]
    try:
        action(stage, me(request))
        messages.success(request, message)
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("desk-stage-rehearsal", contest.slug, stage.pk)
