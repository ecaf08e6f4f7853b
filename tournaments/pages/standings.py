"""The standings: of the whole contest by rating, of a stage by its format."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from contest import spreadsheets
from contest.models import Contest
from contest.paging import page_for_paper
from contest.permissions import access, contest_page
from tournaments import kinds
from tournaments.exports import export
from tournaments.kinds.planned import stage_view
from tournaments.models import Stage
from tournaments.pages.stages import face_of
from tournaments.results import standings as order
from tournaments.results.visibility import Sight, sight
from tournaments.view_models.queries import asked_number
from tournaments.view_models.rankings import ranking_of
from tournaments.view_models.ratings import words_of


@require_safe
@contest_page
def standings(request: HttpRequest, contest: Contest) -> HttpResponse:
    """`?stage=N` for a stage, `?stage=rating` for all matches; by default the stage that began last. With `?rev=N` the
    live part, or 204 while revision N is the newest."""
    reader = sight(request, contest)
    if request.GET.get("rev") == reader.revision:
        return HttpResponse(status=204)
    by_rating = request.GET.get("stage") == RATING
    stage = None if by_rating else _asked_stage(request, reader) or _latest(reader)
    if request.GET.get("stage") and stage and face_of(stage).is_ranking:
        return redirect(stage)
    if reader.stages and not any(each.is_rated for each in reader.stages):  # there is nothing else
        return redirect(reader.stages[0])
    view = stage_view(stage, reader) if stage else None
    ranking = ranking_of(view) if view else None
    rows: list[Any] = ranking.lines if ranking else order.of_contest(reader)
    page = page_for_paper(request, rows)
    own = access(request, contest).team
    chosen = {name: request.GET[name] for name in ("stage", "page") if request.GET.get(name)}
    context: dict[str, Any] = {
        "contest": contest,
        "stages": reader.stages,
        "stage": stage,
        "page": page,
        "ranking": ranking,
        "is_bracket": view is not None and view.is_bracket,
        "lines": page.object_list,
        "mine": own.pk if own else None,
        "said": words_of(contest.game),
        "played": any(row.record.matches for row in rows),
        "is_live": any(each.state == Stage.State.RUNNING for each in reader.stages),
        "poll": f"{request.path}?{urlencode({'rev': reader.revision, **chosen})}",
    }
    template = "tournaments/_standings.html" if "rev" in request.GET else "tournaments/standings.html"
    return render(request, template, context)


RATING = "rating"


def _latest(reader: Sight) -> Stage | None:
    """The stage ranked on this page that began last. None: the rating tells most."""
    begun = [each for each in reader.stages if each.started_at and each.has_started]
    latest = max(begun, key=lambda each: (each.started_at, each.pk), default=None)
    if latest is None or face_of(latest).is_ranking or latest.pk in reader.concealed:
        return None
    return latest


def _asked_stage(request: HttpRequest, reader: Sight) -> Stage | None:
    """The requested stage. Raises Http404 if the reader may not know of it."""
    if not request.GET.get("stage"):
        return None
    number = asked_number(request, "stage")
    if number is None:
        raise Http404("no such stage")
    return reader.stage(number)


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
        found = kinds.of(stage).export(stage, reader)
    return spreadsheets.download(name, export.standing_rows(found))


@require_safe
@contest_page
def matches_csv(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    """A line for each player of the newest visible matches. Organisers can download all of them on the desk."""
    found = export.matches(sight(request, contest), newest=MOST)
    return spreadsheets.download(f"{contest.slug}-matches.csv", export.match_rows(found))
