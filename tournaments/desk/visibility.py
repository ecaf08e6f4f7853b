"""The desk's page about what is public: the freeze, and the release of rounds."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from contest.models import Contest
from contest.permissions import desk_page, me
from contest.refusal import refusals_told
from contest.setup_forms import FreezeForm
from contest.words import number_in
from games.phrases import listed
from tournaments.models import Stage
from tournaments.organising import actions, releases
from tournaments.organising.timetable import name_of
from tournaments.view_models import desk

ABOUT_RESULTS = ("release", "take-back")


@require_safe
@desk_page
def desk_visibility(request: HttpRequest, contest: Contest) -> HttpResponse:
    return _page(request, contest, FreezeForm())


def _page(request: HttpRequest, contest: Contest, form: FreezeForm, status: int = 200) -> HttpResponse:
    context = {"contest": contest, "form": form, "rows": desk.released_of_stages(contest)}
    return render(request, "tournaments/desk/visibility.html", context, status=status)


@require_POST
@desk_page
def desk_freeze(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Freeze now, or from the moment `at`."""
    form = FreezeForm(request.POST if "at" in request.POST else None)
    if form.is_bound and not form.is_valid():
        return _page(request, contest, form, 422)
    with refusals_told(request):
        releases.freeze(contest, me(request), form.cleaned_data["at"] if form.is_bound else None)
        messages.success(request, "Freeze set. People with a role still see everything.")
    return redirect("desk-visibility", contest.slug)


@require_POST
@desk_page
def desk_lift(request: HttpRequest, contest: Contest) -> HttpResponse:
    with refusals_told(request):
        had_begun = contest.is_frozen()
        releases.lift(contest, me(request))
        contest.refresh_from_db()
        kept = [row.stage.name for row in desk.released_of_stages(contest) if row.waits_for_release]
        rest = f"what waits for a release stays hidden in {listed(kept)}" if kept else "all results are public"
        messages.success(request, f"Freeze lifted: {rest}." if had_begun else "The freeze is cancelled.")
    return redirect("desk-visibility", contest.slug)


@require_POST
@desk_page
def desk_round(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    """Do something with `round`, the number on the button: pressing it twice does it to one round."""
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    action, message = actions.ROUND[act]
    asked = number_in(request.POST.get("round", ""))
    if asked is None:
        raise Http404("no such round")
    with refusals_told(request):
        action(stage, me(request), asked)
        messages.success(request, message.format(name_of(stage, asked)))
        if act in ABOUT_RESULTS and contest.is_frozen():
            messages.info(request, "The contest is frozen: what is newer stays hidden until you lift the freeze.")
    if act in ABOUT_RESULTS and "here" not in request.POST:
        return redirect("desk-visibility", contest.slug)
    return redirect("desk-stage", contest.slug, stage.pk)


@require_POST
@desk_page
def desk_release_all(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    with refusals_told(request):
        releases.release_all(stage, me(request))
        messages.success(request, f"All results of “{stage}” are released, and new ones need no release.")
    return redirect("desk-visibility", contest.slug)
