"""The page of a stage with rounds: pairings, ranking, cross table, progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from contest.models import Team
from contest.paging import page_of
from contest.permissions import access
from tournaments.kinds.planned import champion_of
from tournaments.kinds.stage_views import StageView
from tournaments.organising.timetable import name_of
from tournaments.results.visibility import Sight
from tournaments.view_models.progress import progress_of
from tournaments.view_models.queries import asked_number, poll_address
from tournaments.view_models.rankings import Line, cross_of, ranking_of
from tournaments.view_models.tables import TableView, table_view

TABLES = 48  # on a page
TOP = 50  # lines of the ranking here; the standings page has all


@dataclass(frozen=True, slots=True)
class Round:
    """`state`: all its tables are decided (`done`), some are being played (`now`), or neither (`later`)."""

    number: int
    name: str
    state: str
    decided: int
    tables: int


def page(request: HttpRequest, view: StageView, reader: Sight) -> HttpResponse:
    """The current round. `?round=N` selects another, `?team=N` all tables of a team, `?rev=N` the live part."""
    stage, contest = view.stage, view.stage.contest
    rounds = rounds_of(view)
    ranking = ranking_of(view)
    own = access(request, contest).team
    asked = view.teams.get(asked_number(request, "team") or 0)
    shown = _shown(request, view, rounds)
    followed = asked or (own if own and own.pk in view.teams else None)
    chosen = [
        table
        for table in view.plan.tables()
        if (asked.pk in table.teams if asked else shown is not None and table.round == shown.number)
    ]
    listed = page_of(request, chosen, TABLES)
    wanted = sum(len(table.matches) for table in view.plan.tables())
    tables = [table_view(view, table) for table in listed]
    for table in tables:
        table.under = "" if asked or shown is None else shown.name
    query = urlencode({name: request.GET[name] for name in ("round", "team", "page") if request.GET.get(name)})
    is_live = not stage.has_ended
    all_rounds = max(view.plan.length, len(rounds))
    all_known = any(each.state == "later" for each in rounds) or not view.draws_by_rounds
    is_shown = stage.has_started and not stage.awaits_release
    context: dict[str, Any] = {
        "contest": contest,
        "stage": stage,
        "rounds": rounds,
        "drawn_by_rounds": view.draws_by_rounds,
        "all_rounds": all_rounds,
        "more_rounds": is_live and not all_known and all_rounds == len(rounds),
        "shown": shown,
        "asked": asked,
        "mine": followed.pk if followed else None,
        "own": _own(view, followed, ranking.lines),
        "page": listed,
        "tables": tables,
        "ranking": ranking,
        "lines": [it for at, it in enumerate(ranking.lines) if at < TOP or (followed and it.team.pk == followed.pk)],
        "cross": cross_of(view, ranking.lines),
        "progress": progress_of(stage, view.matches.values(), wanted) if is_shown else None,
        "champion": champion_of(view),
        "teams": [(team.pk, team.name) for team in sorted(view.teams.values(), key=lambda team: team.key)],
        "is_live": is_live,
        "poll": poll_address(stage, reader, query),
    }
    template = "tournaments/_rounds.html" if "rev" in request.GET else "tournaments/rounds.html"
    return render(request, template, context)


def rounds_of(view: StageView) -> list[Round]:
    found = []
    for number, tables in enumerate(view.plan.rounds, 1):
        decided = sum(table.decided for table in tables)
        begun = any(view.at(table.key) for table in tables)
        state = "done" if decided == len(tables) else "now" if begun else "later"
        found.append(Round(number, name_of(view.stage, number, view.plan), state, decided, len(tables)))
    return found


def _shown(request: HttpRequest, view: StageView, rounds: list[Round]) -> Round | None:
    """The requested round; otherwise the first that is not over, or the last."""
    asked = asked_number(request, "round")
    for each in rounds:
        if each.number == asked:
            return each
    return rounds[min(view.complete, len(rounds) - 1)] if rounds else None


def _own(view: StageView, team: Team | None, lines: list[Line]) -> dict[str, Any] | None:
    """The rank of a team, and the table where it plays or will play next."""
    if team is None:
        return None
    line = next((line for line in lines if line.team.pk == team.pk), None)
    coming = next((table for table in view.plan.tables() if team.pk in table.teams and not table.decided), None)
    table: TableView | None = table_view(view, coming) if coming else None
    others = [seat.name for seat in table.seats if not seat.team or seat.team.pk != team.pk] if table else []
    return {"team": team, "line": line, "table": table, "others": others}
