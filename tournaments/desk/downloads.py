"""Downloads for organisers: tables, and everything in one ZIP; and the page that copies a contest."""

from __future__ import annotations

from itertools import chain

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from contest import spreadsheets
from contest.clone import Wish
from contest.models import Contest
from contest.permissions import desk_page, may_create_contests, me, organiser_page
from contest.setup_forms import CloneForm, clone_defaults
from tournaments import kinds
from tournaments.exports.archive import ABOUT, EVERYTHING, FILES, recorded, sent
from tournaments.organising.clone import clone, known_games


@require_safe
@desk_page
def desk_data(request: HttpRequest, contest: Contest) -> HttpResponse:
    begun = contest.stages.filter(started_at__isnull=False).order_by("-started_at", "-pk")
    context = {
        "contest": contest,
        "ranked": [stage for stage in begun if stage.has_started and kinds.of(stage).has_plan],
        "files": [(name, about) for name, (about, _) in FILES.items()],
        "inside": ABOUT.items(),
        "played": contest.matches.done().count(),
    }
    return render(request, "tournaments/desk/data.html", context)


@require_safe
@desk_page
def desk_data_file(request: HttpRequest, contest: Contest, name: str) -> HttpResponseBase:
    """Stream one of FILES."""
    if name not in FILES:
        raise Http404(f"there is no file {name}")
    pieces = FILES[name][1](contest)
    return sent(contest, name, chain([spreadsheets.BOM], pieces) if name.endswith(".csv") else pieces)


@require_safe
@desk_page
def desk_data_all(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    return sent(contest, EVERYTHING, recorded(contest, me(request)) if request.method == "GET" else ())


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
