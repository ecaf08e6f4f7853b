"""Resetting, shortening and abandoning a stage that has started, after a look at what would change."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from contest.forms import ReasonForm
from contest.models import Contest
from contest.permissions import desk_page, me
from contest.refusal import refusals_told
from contest.words import number_in
from tournaments.models import Stage
from tournaments.organising.actions import ENDINGS


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_stage_ending(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    """What an action would change in the whole contest; POST does it. `act`: a key of ENDINGS."""
    action = ENDINGS[act]
    found = Stage.objects.select_related("contest").filter(pk=stage_id, contest=contest)
    stage = get_object_or_404(found)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    form.fields["reason"].help_text = "Everybody can read it."
    if request.method == "POST" and form.is_valid():
        with refusals_told(form):
            action.do(stage, me(request), form.cleaned_data["reason"], resets=_resets_seen(request))
            messages.success(request, action.done)
            return redirect("desk-stage", contest.slug, stage.pk)
        stage = found.get()  # as it is now, whatever the organiser has seen
    why_not = action.why_not(stage)
    context = {
        "contest": contest,
        "stage": stage,
        "action": action,
        "form": form,
        "why_not": why_not,
        "ending": None if why_not else action.preview(stage),
    }
    return render(request, "tournaments/desk/stage_ending.html", context, status=422 if form.errors else 200)


def _resets_seen(request: HttpRequest) -> int:
    """How often the stage had been reset when the organiser opened the page."""
    seen = number_in(request.POST.get("resets", ""))
    if seen is None:
        raise Http404("no such form")
    return seen
