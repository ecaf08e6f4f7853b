"""The page of a stage that follows a plan, as a bracket or round by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.kinds.planned import champion_of, stage_view
from tournaments.kinds.stage_views import StageView
from tournaments.models import Stage
from tournaments.pages import rounds
from tournaments.results.visibility import Sight
from tournaments.view_models.brackets import RoundView, bracket_of
from tournaments.view_models.posters import poster_of
from tournaments.view_models.queries import asked_number
from tournaments.view_models.timetables import starts_of


def page(request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
    """A bracket or round by round. With `?rev=N` only its live part."""
    view = stage_view(stage, reader)
    return _bracket(request, view, reader) if view.is_bracket else rounds.page(request, view, reader)


def _bracket(request: HttpRequest, view: StageView, reader: Sight) -> HttpResponse:
    rounds = bracket_of(view)
    large = [each for each in rounds if each.is_large]
    own = reader.access.team
    context = {
        **_drawing(view, reader, rounds),
        "rounds": rounds,
        "teams": _in_seed_order(rounds),
        "large": large,
        "large_first": any(not table.decided for each in large for table in each.tables),
        "tree": [each for each in rounds if not each.is_large],
        "own": own,
        "mine": asked_number(request, "team") if "team" in request.GET else own and own.pk,
    }
    template = "tournaments/_bracket.html" if "rev" in request.GET else "tournaments/bracket.html"
    return render(request, template, context)


def poster(request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
    """All of a bracket on one screen or sheet of paper. With `?rev=N` only its live part. Raises Http404 where there is
    none."""
    view = stage_view(stage, reader)
    if not view.is_bracket:
        raise Http404("not a bracket")
    template = "tournaments/_poster.html" if "rev" in request.GET else "tournaments/poster.html"
    return render(request, template, _drawing(view, reader, bracket_of(view)))


def _drawing(view: StageView, reader: Sight, rounds: Sequence[RoundView]) -> dict[str, Any]:
    stage = view.stage
    return {
        "contest": stage.contest,
        "stage": stage,
        "revision": reader.revision,
        "poster": poster_of(stage, rounds, starts_of(stage, reader)),
        "champion": champion_of(view),
        "is_live": not stage.has_ended,
    }


def _in_seed_order(rounds: Sequence[RoundView]) -> list[tuple[int, str]]:
    seats = [seat for table in rounds[0].tables for seat in table.seats] if rounds else []
    known = sorted((seat.seed or 0, seat.team.pk, seat.name) for seat in seats if seat.team)
    return [(pk, f"{seed}. {name}" if seed else name) for seed, pk, name in known]
