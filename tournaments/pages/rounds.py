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
from tournaments.kinds.sheets import Sheet
from tournaments.results.visibility import Sight
from tournaments.view_models.progress import progress_of
from tournaments.view_models.queries import asked_number, asked_team, is_followed, poll_address
from tournaments.view_models.rankings import Line, cross_of, ranking_of
from tournaments.view_models.tables import Box, box_of

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


def page(request: HttpRequest, sheet: Sheet, reader: Sight) -> HttpResponse:
    """The current round. `?round=N` selects another, `?team=N` all tables of a team, `?rev=N` the live part."""
    stage, contest = sheet.stage, sheet.stage.contest
    rounds = rounds_of(sheet)
    ranking = ranking_of(sheet)
    own = access(request, contest).team
    asked = sheet.teams.get(asked_team(request) or 0)
    shown = _shown(request, sheet, rounds)
    followed = asked or (own if own and own.pk in sheet.teams else None)
    tables = [
        table
        for table in sheet.plan.tables()
        if (asked.pk in table.teams if asked else shown is not None and table.round == shown.number)
    ]
    listed = page_of(request, tables, TABLES)
    wanted = sum(len(table.matches) for table in sheet.plan.tables())
    boxes = [box_of(sheet, table) for table in listed]
    for box in boxes:
        box.under = "" if asked or shown is None else shown.name
    query = urlencode({name: request.GET[name] for name in ("round", "team", "page") if request.GET.get(name)})
    is_live = not stage.has_ended
    all_rounds = max(sheet.plan.length, len(rounds))
    all_known = any(each.state == "later" for each in rounds) or not sheet.draws_by_rounds
    is_shown = stage.has_started and not stage.awaits_release
    context: dict[str, Any] = {
        "contest": contest,
        "stage": stage,
        "revision": reader.revision,
        "rounds": rounds,
        "drawn_by_rounds": sheet.draws_by_rounds,
        "all_rounds": all_rounds,
        "more_rounds": is_live and not all_known and all_rounds == len(rounds),
        "shown": shown,
        "asked": asked,
        "mine": followed.pk if followed else None,
        "own": _own(sheet, followed, ranking.lines),
        "page": listed,
        "boxes": boxes,
        "ranking": ranking,
        "lines": _top(ranking.lines, followed),
        "cross": cross_of(sheet, ranking.lines),
        "progress": progress_of(stage, sheet.matches.values(), wanted) if is_shown else None,
        "champion": champion_of(sheet),
        "is_followed": is_followed(stage, reader),
        "teams": sorted(sheet.teams.values(), key=lambda team: team.name.casefold()),
        "is_live": is_live,
        "poll": poll_address(stage, reader, query),
    }
    template = "tournaments/_rounds.html" if "rev" in request.GET else "tournaments/rounds.html"
    return render(request, template, context)


def rounds_of(sheet: Sheet) -> list[Round]:
    stage, sizes = sheet.stage, [len(tables) for tables in sheet.plan.rounds]
    found = []
    for number, tables in enumerate(sheet.plan.rounds, 1):
        decided = sum(table.decided for table in tables)
        begun = any(sheet.at(table.key) for table in tables)
        state = "done" if decided == len(tables) else "now" if begun else "later"
        name = stage.played_in.round_name(number, sizes, stage.options)
        found.append(Round(number, name, state, decided, len(tables)))
    return found


def _shown(request: HttpRequest, sheet: Sheet, rounds: list[Round]) -> Round | None:
    """The requested round; otherwise the first that is not over, or the last."""
    asked = asked_number(request, "round")
    for each in rounds:
        if each.number == asked:
            return each
    return rounds[min(sheet.complete, len(rounds) - 1)] if rounds else None


def _top(lines: list[Line], followed: Team | None) -> list[Line]:
    """The top of the ranking, and the followed team."""
    return lines[:TOP] + [line for line in lines[TOP:] if followed and line.team.pk == followed.pk]


def _own(sheet: Sheet, team: Team | None, lines: list[Line]) -> dict[str, Any] | None:
    """The rank of a team, and the table where it plays or will play next."""
    if team is None:
        return None
    line = next((line for line in lines if line.team.pk == team.pk), None)
    coming = next((table for table in sheet.plan.tables() if team.pk in table.teams and not table.decided), None)
    box: Box | None = box_of(sheet, coming) if coming else None
    others = [row.name for row in box.rows if not row.team or row.team.pk != team.pk] if box else []
    return {"team": team, "line": line, "box": box, "others": others}
