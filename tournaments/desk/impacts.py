"""Actions whose page shows what would change before anything does: teams that leave or come back, seats that change
hands, stages that are reset or end early."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from contest.forms import ReasonForm
from contest.models import Contest, Team
from contest.permissions import desk_page, me
from contest.refusal import refusals_told
from contest.words import number_in
from tournaments.forms.review import SEAT_FORMS
from tournaments.models import Stage
from tournaments.organising import actions, impact, substitutes
from tournaments.view_models.queries import asked_number


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_team_leave(request: HttpRequest, contest: Contest, team_id: int, act: str) -> HttpResponse:
    """What an action would change in the whole contest; POST does it. `act`: a key of actions.TEAM."""
    action = actions.TEAM[act]
    team = get_object_or_404(contest.teams.select_related("contest"), pk=team_id)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_told(request):
            action.do(team, me(request), form.cleaned_data["reason"])
            team.refresh_from_db(fields=["state"])
            messages.success(request, f"{team.name} is now {team.get_state_display().lower()}.")
        return redirect("desk-team", contest.slug, team.pk)
    context = {
        "contest": contest,
        "team": team,
        "act": act,
        "action": action,
        "form": form,
        "impact": action.preview(team) if action.possible(team) else None,
    }
    return render(request, "tournaments/desk/team_leave.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_stage_seat(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    """What would change if a team took a seat in a stage; the address names the teams. POST gives it the seat. `act`: a
    key of actions.SEATS."""
    stage = get_object_or_404(contest.stages.select_related("contest", "source"), pk=stage_id)
    form = SEAT_FORMS[act](stage, request.GET or None)
    reason = ReasonForm(request.POST if request.method == "POST" else None)
    why_not, seen = substitutes.why_not(stage), None
    if form.is_bound and form.is_valid() and not why_not:
        team, instead_of = form.cleaned_data["team"], form.cleaned_data.get("instead_of")
        with refusals_told(form):
            if request.method == "POST" and reason.is_valid():
                words = reason.cleaned_data["reason"]
                substitutes.substitute(stage, me(request), team, words, instead_of=instead_of)
                messages.success(request, actions.SEATS[act].done.format(team))
                return redirect("desk-stage", contest.slug, stage.pk)
            seen = impact.of_substitute(stage, substitutes.put_in(stage, team, instead_of)[0])
    context = {"contest": contest, "stage": stage, "act": act, "action": actions.SEATS[act], "form": form}
    context |= {"reason_form": reason, "why_not": why_not, "impact": seen}
    status = 422 if form.errors or reason.errors else 200
    return render(request, "tournaments/desk/stage_seat.html", context, status=status)


@require_safe
@desk_page
def desk_stage_team(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    """Lead from the page of a stage, where `?team=` is chosen, to the page of the action."""
    team = get_object_or_404(Team, pk=asked_number(request, "team"), contest=contest)
    return redirect(f"desk-team-{act}", contest.slug, team.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_stage_ending(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    """What an action would change in the whole contest; POST does it. `act`: a key of actions.ENDINGS."""
    action = actions.ENDINGS[act]
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
