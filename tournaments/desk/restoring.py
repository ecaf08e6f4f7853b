"""The page of the desk on which a void match is restored."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from contest.forms import ReasonForm
from contest.models import Contest
from contest.permissions import desk_page, me
from contest.refusal import Refused
from tournaments.models import Match
from tournaments.organising import impact, restoring


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_stage_restore(request: HttpRequest, contest: Contest, stage_id: int, match_id: int) -> HttpResponse:
    """What restoring a match would change; POST restores it."""
    found = Match.objects.select_related("contest", "stage__contest", "table").prefetch_related("seats__team")
    match = get_object_or_404(found, pk=match_id, stage=stage_id, contest=contest)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            restoring.restore(match, me(request), form.cleaned_data["reason"])
            messages.success(request, f"{match} counts again, with the result that it had.")
            return redirect("desk-stage", contest.slug, stage_id)
        except Refused as refusal:
            form.add_error(None, str(refusal))
    why_not, seen = restoring.why_not(match), None
    try:
        seen = None if why_not else impact.of_restoring(match)
    except Refused as refusal:
        why_not = str(refusal)
    context = {"contest": contest, "match": match, "stage": match.stage, "form": form, "impact": seen}
    status = 422 if form.errors else 200
    return render(request, "tournaments/desk/restore.html", context | {"why_not": why_not}, status=status)
