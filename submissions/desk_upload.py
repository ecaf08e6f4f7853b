"""An organiser uploads a bot for a team: where bots come by mail, or a team cannot."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from contest.models import Contest
from contest.permissions import me, organiser_page
from submissions import intake
from submissions.forms import CappedUploadHandler, UploadForm
from submissions.intake import UploadRefused


@csrf_exempt  # only until the upload handler is in place, as for a team's own page
@require_http_methods(["GET", "HEAD", "POST"])
def upload_for_team(request: HttpRequest, slug: str, team: int) -> HttpResponseBase:
    handler = CappedUploadHandler(request)
    request.upload_handlers.insert(0, handler)
    try:
        request.POST  # noqa: B018 - reads the form
    except RequestDataTooBig:
        messages.error(request, "The pasted text is far too large, so nothing was stored. Send a file.")
        return redirect("desk-team-upload", slug, team)
    return _page(request, slug, team=team)


@csrf_protect
@organiser_page
def _page(request: HttpRequest, contest: Contest, team: int) -> HttpResponse:
    entered = get_object_or_404(contest.teams, pk=team)
    entered.contest, now = contest, timezone.now()
    form = UploadForm(contest)
    if request.method == "POST":
        handler = next(it for it in request.upload_handlers if isinstance(it, CappedUploadHandler))
        form = UploadForm(contest, request.POST, request.FILES, skipped=handler.skipped)
        if form.is_valid():
            try:
                receipt = form.receive(entered, me(request), for_team=True)
            except UploadRefused as refusal:
                form.refuse(refusal)
            else:
                number = receipt.submission.number
                messages.success(request, f"Version {number} of {entered} was received and is in the queue.")
                for notice in receipt.notices:
                    messages.info(request, notice)
                return redirect("version", contest.slug, entered.pk, number)
    context = {
        "contest": contest,
        "team": entered,
        "form": form,
        "closed": intake.closed(entered, now, late=True),
        "late": intake.closed(entered, now),
        "next_upload_at": intake.next_upload_at(entered, now),
    }
    return render(request, "submissions/desk_upload.html", context, status=422 if form.errors else 200)
