"""The desk's pages of builds: what is being built, who waits, and an upload for a team."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from contest.body_limits import takes_uploads
from contest.forms import OptionalReasonForm
from contest.models import Contest
from contest.permissions import desk_page, organiser_page
from contest.refusal import refusals_told
from submissions import intake, lifecycle, turns, upload_request
from submissions.forms import UploadForm
from submissions.models import Submission


@require_GET
@desk_page
def builds(request: HttpRequest, contest: Contest) -> HttpResponse:
    queue = turns.desk(contest.pk, timezone.now())
    shown = [(line.version.pk, line.version.state, line.position) for line in (*queue.running, *queue.waiting)]
    rev = f"{zlib.crc32(repr((shown, queue.others, queue.slots)).encode()):08x}"
    if request.GET.get("rev") == rev:
        return HttpResponse(status=204)
    template = f"submissions/{'_' if request.GET.get('rev') else ''}desk_builds.html"
    return render(request, template, {"contest": contest, "queue": queue, "rev": rev})


@require_POST
@organiser_page
def move_up(request: HttpRequest, contest: Contest, team: int, number: int) -> HttpResponse:
    return _done(
        request, contest, team, number, lambda version: lifecycle.move_up(version, request.user), "is next in the queue"
    )


@require_POST
@organiser_page
def cancel(request: HttpRequest, contest: Contest, team: int, number: int) -> HttpResponse:
    form = OptionalReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    return _done(
        request,
        contest,
        team,
        number,
        lambda version: lifecycle.cancel(version, request.user, reason),
        "is cancelled",
    )


def _done(
    request: HttpRequest, contest: Contest, team: int, number: int, act: Callable[[Submission], None], words: str
) -> HttpResponse:
    found = Submission.objects.filter(team__contest=contest).select_related("team__contest")
    version = get_object_or_404(found, team=team, number=number)
    with refusals_told(request):
        act(version)
        messages.success(request, f"{version} {words}.")
    return redirect("desk-builds", contest.slug)


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
    if "look" in request.POST:
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
