"""Putting a team out of a contest, or letting it in again: always with a look at what would follow before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from contest.forms import ReasonForm
from contest.models import Contest, Team, User
from contest.permissions import desk_page, me
from contest.refusal import Refused
from tournaments.organising import impact, stages
from tournaments.organising.impact import Outlook
from tournaments.view_models.queries import asked_team

State = Team.State


@dataclass(frozen=True, slots=True)
class Deed:
    """What is done, what it brings about, and in which states a team can have it done to it."""

    do: Callable[[Team, User, str], None]
    foresee: Callable[[Team], Outlook]
    to: tuple[str, ...]
    title: str
    text: str
    button: str
    otherwise: str


DEEDS = {
    "disqualify": Deed(
        stages.disqualify,
        impact.of_leaving,
        (State.PENDING, State.APPROVED, State.WITHDRAWN),
        "Disqualify",
        "The team ranks last and does not go on. What it has played stands; where it would have gone on, the next in "
        "line does. Everybody sees the reason.",
        "Disqualify",
        "This team does not take part anyway.",
    ),
    "withdraw": Deed(
        stages.withdraw,
        impact.of_leaving,
        (State.PENDING, State.APPROVED),
        "Withdraw",
        "At its own wish. The team ranks last and does not go on. What it has played stands; where it would have gone "
        "on, the next in line does.",
        "Withdraw",
        "This team does not take part anyway.",
    ),
    "reinstate": Deed(
        stages.reinstate,
        impact.of_returning,
        (State.DISQUALIFIED, State.WITHDRAWN),
        "Reinstate",
        "The team takes the places again that its results give it. Where others have played in its stead, they make "
        "room.",
        "Let it take part again",
        "This team is neither disqualified nor withdrawn.",
    ),
}


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_team_leave(request: HttpRequest, contest: Contest, team_id: int, act: str) -> HttpResponse:
    """What would follow in the whole contest; then doing it. `act`: a key of DEEDS."""
    deed = DEEDS[act]
    team = get_object_or_404(contest.teams.select_related("contest"), pk=team_id)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            deed.do(team, me(request), form.cleaned_data["reason"])
            team.refresh_from_db(fields=["state"])
            messages.success(request, f"“{team}”: {team.get_state_display().lower()}.")
        except Refused as refusal:
            messages.error(request, str(refusal))
        return redirect("desk-team", contest.slug, team.pk)
    possible = team.state in deed.to
    context = {
        "contest": contest,
        "team": team,
        "act": act,
        "deed": deed,
        "form": form,
        "outlook": deed.foresee(team) if possible else None,
    }
    return render(request, "tournaments/desk/team_leave.html", context, status=422 if form.errors else 200)


@require_safe
@desk_page
def desk_stage_team(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    """From the page of a stage, where a team is chosen by `?team=`."""
    team = get_object_or_404(Team, pk=asked_team(request), contest=contest)
    return redirect(f"desk-team-{act}", contest.slug, team.pk)
