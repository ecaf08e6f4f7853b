"""The desk's page of builds: what is being built, who waits since when, and what organisers can do about it."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from contest.forms import OptionalReasonForm
from contest.models import Contest
from contest.permissions import desk_page, organiser_page
from contest.refusal import Refused
from submissions import lifecycle, turns
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
    try:
        act(version)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"{version} {words}.")
    return redirect("desk-builds", contest.slug)
