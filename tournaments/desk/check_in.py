"""Check-in on the day of the contest: a list to tick off, made for a phone."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from contest.forms import CheckInForm
from contest.models import Contest
from contest.paging import page_of
from contest.permissions import desk_page, me
from contest.refusal import refusals_told
from contest.words import number_in
from tournaments.organising import admission
from tournaments.view_models.check_in import arrivals, check_ins, teams_in


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_check_in(request: HttpRequest, contest: Contest) -> HttpResponse:
    """The list. POST says whether a `team` is `present`, and keeps the filter of the address."""
    if request.method == "POST":
        return _press(request, contest)
    form = CheckInForm(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {"q": "", "state": ""}
    page = page_of(request, teams_in(contest, chosen["q"], chosen["state"]), size=100)
    coming = check_ins(contest)
    context = {
        "contest": contest,
        "form": form,
        "chosen": chosen,
        "page": page,
        "arrivals": arrivals(contest, list(page)),
        "check_ins": coming,
        "is_closed": any(it.stage.has_closed_check_in(timezone.now()) for it in coming),
        "present": teams_in(contest, "", "present").count(),
        "total": teams_in(contest, "", "").count(),
    }
    return render(request, "tournaments/desk/check_in.html", context)


def _press(request: HttpRequest, contest: Contest) -> HttpResponse:
    team = get_object_or_404(contest.teams, pk=number_in(request.POST.get("team", "")))
    present = request.POST.get("present") == "1"
    with refusals_told(request):
        admission.check_in(team, me(request), present=present)
        messages.success(request, f"{team} is {'' if present else 'not '}checked in.")
    return redirect(f"{request.get_full_path()}#team-{team.pk}")
