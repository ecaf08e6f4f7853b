"""An organiser uploads a bot for a team, for example one that arrived by mail."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from contest.body_limits import takes_uploads
from contest.models import Contest
from contest.permissions import organiser_page
from submissions import intake, upload_request
from submissions.forms import UploadForm


@takes_uploads
@csrf_exempt  # only until the upload handler is in place: `_page` is protected
@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def upload_for_team(request: HttpRequest, contest: Contest, team: int) -> HttpResponseBase:
    if not upload_request.read(request):
        messages.error(request, "The pasted text is far too large, and nothing was stored. Upload a file instead.")
        return redirect("desk-team-upload", contest.slug, team)
    return _page(request, contest, team=team)


@csrf_protect
def _page(request: HttpRequest, contest: Contest, team: int) -> HttpResponse:
    entered = get_object_or_404(contest.teams, pk=team)
    entered.contest, now = contest, timezone.now()
    form = upload_request.bound_form(request, contest) if request.method == "POST" else UploadForm(contest)
    if request.method == "POST" and upload_request.looks(request):
        return upload_request.look(request, form, entered)
    if request.method == "POST" and (receipt := upload_request.accept(request, form, entered, for_team=True)):
        return redirect("version", contest.slug, entered.pk, receipt.submission.number)
    context = {
        "contest": contest,
        "team": entered,
        "form": form,
        "upload_to": reverse("desk-team-upload", args=[contest.slug, entered.pk]),
        "closed": intake.closed(entered, now, late=True),
        "late": intake.closed(entered, now),
        "next_upload_at": intake.next_upload_at(entered, now),
    }
    return render(request, "submissions/desk_upload.html", context, status=422 if form.errors else 200)
