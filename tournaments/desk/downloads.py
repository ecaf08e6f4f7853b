"""Downloads for organisers: tables for spreadsheets and programs, and everything in one ZIP."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest.models import Contest
from contest.permissions import desk_page, me
from tournaments.exports.archive import ABOUT, recorded
from tournaments.exports.files import EVERYTHING, FILES, sent


@require_safe
@desk_page
def desk_data(request: HttpRequest, contest: Contest) -> HttpResponse:
    context = {
        "contest": contest,
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
    return sent(contest, name, FILES[name][1](contest))


@require_safe
@desk_page
def desk_data_all(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    return sent(contest, EVERYTHING, recorded(contest, me(request)) if request.method == "GET" else ())
