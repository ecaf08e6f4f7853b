"""A team's own page: its members, its name, leaving. The public page of a team belongs to tournaments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from contest import teams as team_actions
from contest.forms import TeamForm
from contest.models import Contest, Team, User
from contest.permissions import access, me, member_page
from contest.refusal import Refused, refusals_told


@require_http_methods(["GET", "HEAD", "POST"])
@member_page
def team_edit(request: HttpRequest, contest: Contest, team: Team) -> HttpResponse:
    """Name, members and code. Any member may change the name and leave; the rest is up to the captain."""
    form = edited(request, team)
    if form.is_bound and not form.errors:
        return redirect("team-edit", contest.slug)
    context = {
        "contest": contest,
        "team": team,
        "form": form,
        "me": access(request, contest).membership,
        "members": team.memberships.select_related("user"),
        "join_url": request.build_absolute_uri(f"{reverse('enter', args=[contest.slug])}?code={team.code}"),
        "full": team.memberships.count() >= contest.team_size,
        "way_out": way_out(team, timezone.now()),
    }
    return render(request, "contest/team_edit.html", context, status=422 if form.errors else 200)


def edited(request: HttpRequest, team: Team) -> TeamForm:
    """The form with a team's name and school. What was typed is saved, unless the form now has errors."""
    initial = {"name": team.name, "school": team.school}
    form = TeamForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        with refusals_told(form, "name"):
            team_actions.edit(team, me(request), **form.cleaned_data)
            messages.success(request, "Saved.")
    return form


@dataclass(frozen=True, slots=True)
class WayOut:
    """What a team's page says about withdrawing or coming back. `act` is what the captain can do, blank for nothing."""

    text: str
    act: str = ""
    warning: str = ""


def way_out(team: Team, now: datetime) -> WayOut:
    """How this team can leave the contest, or come back to it."""
    contest = team.contest
    if team.state == Team.State.WITHDRAWN:
        if contest.reentry_open(now):
            return WayOut("The team can come back until entry closes or play begins.", "reenter")
        if contest.play_started_at:
            return WayOut("The team has withdrawn, and the tournament has begun. To come back, ask an organiser.")
        return WayOut("The team has withdrawn, and entry has closed.")
    if team.state not in (Team.State.APPROVED, Team.State.PENDING):
        return WayOut("Only an organiser can change this.")
    if contest.ended_at:
        return WayOut("The contest is over.")
    text = "Nothing is deleted, but the team plays no more matches."
    if contest.play_started_at:
        return WayOut(text, "withdraw", "The tournament has begun, so only an organiser can let your team back in.")
    if contest.entry_open(now):
        return WayOut(f"{text} It can come back until entry closes or play begins.", "withdraw")
    return WayOut(text, "withdraw", "Entry has closed, so the team cannot come back.")


ACTS: dict[str, tuple[Callable[[Team, User], object], str]] = {  # what the captain does, and what is said then
    "code": (team_actions.change_code, "The new code is {0.code}. The old one no longer works."),
    "withdraw": (team_actions.withdraw, "“{0}” has withdrawn from the contest."),
    "reenter": (team_actions.reenter, "“{0}” is back in the contest."),
}


@require_POST
@member_page
def team_act(request: HttpRequest, contest: Contest, team: Team, act: str) -> HttpResponse:
    """Leave, or one of ACTS."""
    mine = access(request, contest).membership
    assert mine is not None
    with refusals_told(request):
        if act == "leave":
            team_actions.leave(mine)
            messages.success(request, f"You have left “{mine.team}”.")
            return redirect("contest", contest.slug)
        if act not in ACTS:
            raise Http404
        if not mine.is_captain:
            raise Refused("Only the captain can do this.")
        action, said = ACTS[act]
        action(mine.team, me(request))
        messages.success(request, said.format(mine.team))
    return redirect("team-edit", contest.slug)


@require_POST
@member_page
def member_act(request: HttpRequest, contest: Contest, team: Team, member: int, act: str) -> HttpResponse:
    """The captain makes another member captain, or removes a member."""
    action = {"captain": team_actions.make_captain, "remove": team_actions.remove}.get(act)
    if action is None:
        raise Http404
    membership = get_object_or_404(team.memberships.select_related("user", "team__contest"), pk=member)
    mine = access(request, contest).membership
    assert mine is not None
    with refusals_told(request):
        if not mine.is_captain:
            raise Refused("Only the captain can do this.")
        action(membership, me(request))
        done = "is now the captain." if act == "captain" else "is no longer in the team. Its joining code has changed."
        messages.success(request, f"{membership.user} {done}")
    return redirect("team-edit", contest.slug)
