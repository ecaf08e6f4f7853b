"""Standings and matches as spreadsheets, with exactly what the pages show the reader."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from contest import spreadsheets
from contest.models import Contest
from contest.permissions import contest_page
from tournaments.exports import export
from tournaments.pages.stages import face_of
from tournaments.results.visibility import sight
from tournaments.view_models.queries import asked_number

MOST = 10_000
"""The most matches in one table: a ladder may have a million, and anybody can ask."""


@require_safe
@contest_page
def standings_csv(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    """The standings of the whole contest, or of the stage `?stage=N`."""
    reader = sight(request, contest)
    if not request.GET.get("stage"):
        found, name = export.of_contest(reader), f"{contest.slug}-standings.csv"
    else:
        number = asked_number(request, "stage")
        if number is None:
            raise Http404("no such stage")
        stage = reader.stage(number)
        name = f"{contest.slug}-standings-{stage.pk}.csv"
        found = face_of(stage).table(stage, reader)
    return spreadsheets.download(name, export.standing_rows(found))


@require_safe
@contest_page
def matches_csv(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    """A line for each player of the newest visible matches. Organisers can download all of them on the desk."""
    found = export.matches(sight(request, contest), newest=MOST)
    return spreadsheets.download(f"{contest.slug}-matches.csv", export.match_rows(found))
