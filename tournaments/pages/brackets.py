"""The bracket of a stage, updated live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.kinds.planned import champion_of
from tournaments.kinds.stage_views import StageView
from tournaments.results.visibility import Sight
from tournaments.view_models.brackets import RoundView, bracket_of
from tournaments.view_models.posters import poster_of
from tournaments.view_models.queries import asked_team, is_followed
from tournaments.view_models.tables import SeatView
from tournaments.view_models.timetables import starts_of


def page(request: HttpRequest, view: StageView, reader: Sight) -> HttpResponse:
    """With `?rev=N` only its live part."""
    stage = view.stage
    rounds = bracket_of(view)
    large = [each for each in rounds if each.is_large]
    context: dict[str, Any] = {
        "contest": stage.contest,
        "stage": stage,
        "revision": reader.revision,
        "rounds": rounds,
        "teams": _in_seed_order(rounds),
        "large": large,
        "large_first": any(not table.decided for each in large for table in each.tables),
        "tree": [each for each in rounds if not each.is_large],
        "poster": poster_of(view, starts_of(stage, reader)),
        "champion": champion_of(view),
        "is_followed": is_followed(stage, reader),
        "is_live": not stage.has_ended,
        "mine": asked_team(request),
    }
    template = "tournaments/_bracket.html" if "rev" in request.GET else "tournaments/bracket.html"
    return render(request, template, context)


def poster(request: HttpRequest, view: StageView, reader: Sight) -> HttpResponse:
    """All of it on one screen or sheet of paper. With `?rev=N` only its live part."""
    stage = view.stage
    context = {
        "contest": stage.contest,
        "stage": stage,
        "revision": reader.revision,
        "poster": poster_of(view, starts_of(stage, reader)),
        "champion": champion_of(view),
        "is_live": not stage.has_ended,
    }
    template = "tournaments/_poster.html" if "rev" in request.GET else "tournaments/poster.html"
    return render(request, template, context)


def _in_seed_order(rounds: Sequence[RoundView]) -> list[SeatView]:
    seats = [seat for table in rounds[0].tables for seat in table.seats if seat.team] if rounds else []
    return sorted(seats, key=lambda seat: seat.seed or 0)
