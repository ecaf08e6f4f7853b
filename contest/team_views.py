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
from contest.models import Contest, Membership, Team, User
from contest.permissions import access, me, member_page
from contest.refusal import Refused, refusals_told


@require_http_methods(["GET", "HEAD", "POST"])
@member_page
def team_edit(request: HttpRequest, contest: Contest, team: Team) -> HttpResponse:
    """Name, members and code. Any member may change the name and leave; the rest is up to the captain."""
    typed = request.POST if request.method == "POST" else None
    form = TeamForm(typed, initial={"name": team.name, "school": team.school})
    if typed is not None and form.is_valid():
        try:
            team_actions.edit(team, me(request), **form.cleaned_data)
            messages.success(request, "Saved.")
            return redirect("team-edit", contest.slug)
        except Refused as refusal:
            form.add_error("name", str(refusal))
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


ACTS: dict[str, tuple[Callable[[Membership, User], object], str]] = {  # what is done, and what is said then
    "code": (
        lambda it, by: team_actions.change_code(it.team, by),
        "The new code is {0.code}. The old one no longer works.",
    ),
    "leave": (lambda it, by: team_actions.leave(it), "You have left “{0}”."),
    "withdraw": (lambda it, by: team_actions.withdraw(it.team, by), "“{0}” has withdrawn from the contest."),
    "reenter": (lambda it, by: team_actions.reenter(it.team, by), "“{0}” is back in the contest."),
}


@require_POST
@member_page
def team_act(request: HttpRequest, contest: Contest, team: Team, act: str) -> HttpResponse:
    """One of ACTS. Every member may leave; the rest is up to the captain."""
    if act not in ACTS:
        raise Http404
    mine = access(request, contest).membership
    assert mine is not None
    if act != "leave" and not mine.is_captain:
        messages.error(request, "Only the captain can do this.")
        return redirect("team-edit", contest.slug)
    with refusals_told(request):
        action, said = ACTS[act]
        action(mine, me(request))
        messages.success(request, said.format(mine.team))
        return redirect("contest" if act == "leave" else "team-edit", contest.slug)
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
    if not mine.is_captain:
        messages.error(request, "Only the captain can do this.")
        return redirect("team-edit", contest.slug)
    with refusals_told(request):
        action(membership, me(request))
        done = "is now the captain." if act == "captain" else "is no longer in the team. Its joining code has changed."
        messages.success(request, f"{membership.user} {done}")
    return redirect("team-edit", contest.slug)
