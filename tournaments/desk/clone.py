"""The page that copies a contest."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from contest.clone import Wish
from contest.models import Contest
from contest.permissions import may_create_contests, me, organiser_page
from contest.setup_forms import CloneForm
from tournaments.forms.clone import clone_defaults
from tournaments.organising.clone import clone, known_games


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_clone(request: HttpRequest, contest: Contest) -> HttpResponse:
    """For organisers who may create contests."""
    if not may_create_contests(request.user):
        raise PermissionDenied("Only staff can create contests on this portal.")
    form = CloneForm(request.POST if request.method == "POST" else None, initial=clone_defaults(contest))
    if request.method == "POST" and form.is_valid():
        made = clone(contest, me(request), Wish(**form.cleaned_data))
        message = f"“{made}” created. It is private: only its organisers and teams see it. Check the dates, make it "
        messages.success(request, f"{message}public below, and publish its stages, which are drafts.")
        for stage in known_games(made):
            messages.warning(request, f"“{stage}” still has the hidden games of “{contest}”. Replace them.")
        return redirect("desk-settings", made.slug)
    context = {
        "contest": contest,
        "form": form,
        "stages": contest.stages.order_by("pk"),
        "team_count": contest.teams.filter(state__in=("approved", "pending")).count(),
        "announced": contest.announcements.count(),
    }
    return render(request, "tournaments/desk/clone.html", context, status=422 if form.errors else 200)
