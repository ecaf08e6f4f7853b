"""Downloads for organisers: tables for spreadsheets and programs, and everything in one ZIP."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest import export as people
from contest import spreadsheets
from contest.models import Act, Contest
from contest.permissions import desk_page, me
from tournaments.exports import export
from tournaments.exports.archive import ABOUT, all_standings, archive
from tournaments.results.visibility import everything

KINDS = {"csv": "text/csv; charset=utf-8", "json": "application/json", "zip": "application/zip"}


FILES: dict[str, tuple[str, Callable[[Contest], Iterable[str]]]] = {
    "standings.csv": (
        "The standings of the whole contest, by rating or, for judged problems, by penalty time.",
        lambda it: spreadsheets.lines(export.standing_rows(export.of_contest(everything(it)))),
    ),
    "standings.json": (
        "The same standings, and the ranking of every stage.",
        lambda it: [people.dumps(all_standings(everything(it)))],
    ),
    "matches.csv": (
        "One row per player and match: points, place, faults, times, version, seed.",
        lambda it: spreadsheets.lines(export.match_rows(export.matches(everything(it)))),
    ),
    "matches.json": (
        "The same data grouped by match, with the options and limits.",
        lambda it: people.listed(export.matches(everything(it))),
    ),
    "trail.csv": ("The audit log: who did what, when and why.", lambda it: spreadsheets.lines(people.trail_rows(it))),
}
"""By file name: a description, and a function that writes the contents."""


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
    return _sent(contest, name, FILES[name][1](contest))


@require_safe
@desk_page
def desk_data_all(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    """Stream the ZIP. The audit log records who downloaded it, because it holds addresses and sources."""
    if request.method != "GET":
        return _sent(contest, "everything.zip", ())
    with transaction.atomic():
        Act.record(contest, me(request), "export everything", contest.name)
    return _sent(contest, "everything.zip", archive(contest, me(request)))


def _sent(contest: Contest, name: str, pieces: Iterable[str | bytes]) -> StreamingHttpResponse:
    response = StreamingHttpResponse(pieces, content_type=KINDS[name.rpartition(".")[2]])
    response["Content-Disposition"] = f'attachment; filename="{contest.slug}-{name}"'
    return response
