"""The desk's page about roles and the link for spectators."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from contest import contests
from contest.forms import RoleForm
from contest.models import Contest, Membership, Role
from contest.permissions import access, me, organiser_page, owner_page, role_page
from contest.refusal import refusals_told

KINDS = Role.Kind.values


@require_http_methods(["GET", "HEAD", "POST"])
@owner_page
def desk_people(request: HttpRequest, contest: Contest) -> HttpResponse:
    """List everyone with a role. Owners can add someone."""
    form = RoleForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_told(form, "who"):
            user = contests.find_user(form.cleaned_data["who"])
            contests.give_role(contest, me(request), user, form.cleaned_data["role"])
            messages.success(request, f"{user.called} is now {form.cleaned_data['role']} of this contest.")
            return redirect("desk-people", contest.slug)
    roles = sorted(contest.roles.select_related("user"), key=lambda role: (KINDS.index(role.role), role.pk))
    playing = Membership.objects.filter(contest=contest, user__roles__contest=contest).select_related("team")
    teams = {membership.user_id: membership.team for membership in playing}
    code = contest.spectator_code
    context = {
        "contest": contest,
        "form": form,
        "rows": [(role, teams.get(role.user_id)) for role in roles],
        "kinds": [(kind, kind.capitalize()) for kind in KINDS],
        "playing": len(teams),
        "link": request.build_absolute_uri(reverse("spectate", args=[contest.slug, code])) if code else "",
    }
    return render(request, "contest/desk_people.html", context, status=422 if form.errors else 200)


@require_POST
@owner_page
def desk_person(request: HttpRequest, contest: Contest, role_id: int) -> HttpResponse:
    """Change someone's role."""
    role = get_object_or_404(contest.roles.select_related("user"), pk=role_id)
    wanted = request.POST.get("role", "")
    if wanted not in KINDS:
        messages.error(request, "This role does not exist.")
        return redirect("desk-people", contest.slug)
    with refusals_told(request):
        contests.give_role(contest, me(request), role.user, wanted)
        messages.success(request, f"{role.user.called} is now {wanted} of this contest.")
    return redirect("desk-people", contest.slug)


@require_POST
@owner_page
def desk_person_remove(request: HttpRequest, contest: Contest, role_id: int) -> HttpResponse:
    role = get_object_or_404(contest.roles.select_related("user", "contest"), pk=role_id)
    return _taken(request, contest, role, f"{role.user.called} no longer has a role in this contest.")


@require_POST
@role_page
def desk_leave(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Give up one's own role."""
    role = get_object_or_404(contest.roles.select_related("user", "contest"), user=me(request))
    return _taken(request, contest, role, "You no longer have a role in this contest.")


def _taken(request: HttpRequest, contest: Contest, role: Role, said: str) -> HttpResponse:
    with refusals_told(request):
        contests.take_role(role, me(request))
        messages.success(request, said)
        if role.user_id == me(request).pk and not (here := access(request, contest)).is_superuser:
            stays = contest.visibility != Contest.Visibility.PRIVATE or here.membership
            return redirect("contest", contest.slug) if stays else redirect("home")
    return redirect("desk-people", contest.slug)


@require_POST
@organiser_page
def desk_spectators(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Create, replace or (`revoke`) remove the link for spectators."""
    with refusals_told(request):
        if "revoke" in request.POST:
            contests.revoke_spectator_link(contest, me(request))
            messages.success(request, "The link no longer works.")
        else:
            contests.renew_spectator_link(contest, me(request))
            messages.success(request, "Here is the link. Share it with anyone who should watch.")
    return redirect("desk-people", contest.slug)
