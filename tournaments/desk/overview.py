"""The desk's overview: what needs attention, what is coming up, what is being played, and the workers."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from contest.models import Contest
from contest.permissions import desk_page
from tournaments.attention.overview import overview_of


@require_safe
@desk_page
def desk(request: HttpRequest, contest: Contest) -> HttpResponse:
    """The overview. It depends on the clock and the workers too, so a poll gets 204 only if the page is the same."""
    shown = render_to_string("tournaments/desk/_overview_now.html", overview_of(contest), request)
    mark = hashlib.sha256(shown.encode()).hexdigest()[:16]
    fragment = "HX-Request" in request.headers
    if fragment and request.GET.get("seen") == mark:
        return HttpResponse(status=204)
    context = {"contest": contest, "shown": shown, "mark": mark}
    return render(request, f"tournaments/desk/{'_overview' if fragment else 'overview'}.html", context)
