"""“Your bot from here”: order it on a replay, and read what the version answered."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from contest.models import Contest, Team
from contest.permissions import access, me, member_page
from contest.refusal import Refused
from contest.words import number_in
from tournaments.models import FromHere, PracticeOrder
from tournaments.pages import practice as practice_pages
from tournaments.pages import replays
from tournaments.pages.opponents import owners_page
from tournaments.practice import from_here
from tournaments.practice.from_here import Source
from tournaments.view_models import from_here as told
from tournaments.view_models import practice as practice_told
from tournaments.view_models.records import or_gone, record_of
from tournaments.view_models.visible_matches import visible_match


@require_POST
def ask_at_match(request: HttpRequest, match_id: int, game: int) -> HttpResponseBase:
    """Order what the form on a replay asks for."""
    match, sight = visible_match(request, match_id)
    record = record_of(match, sight)
    if record is None:
        raise or_gone(match, "this match has not been played")
    order = _order(request, match.contest, Source(record, game, _ply(request), match=match))
    if isinstance(order, PracticeOrder):
        return redirect(order)
    return replays.shown(request, match, sight, game, refused=order)


@require_POST
@member_page
def ask_at_practice(request: HttpRequest, contest: Contest, team: Team, order_id: int, game: int) -> HttpResponseBase:
    order = practice_told.visible_order(access(request, contest), order_id)
    if order.team_id != team.pk:
        raise Http404("a team asks from its own games")
    kept = practice_told.record_of(order, game)
    asked = _order(request, contest, Source(kept.loaded(), 1, _ply(request), practice=kept.game))
    if isinstance(asked, PracticeOrder):
        return redirect(asked)
    return practice_pages.shown(request, contest, order, kept, refused=asked)


def _order(request: HttpRequest, contest: Contest, source: Source) -> PracticeOrder | str:
    """The order; or why it is refused."""
    team = access(request, contest).team
    if team is None:
        raise Http404("only a team can ask its versions")
    try:
        return from_here.place(
            team,
            me(request),
            source,
            number_in(request.POST.get("version", "")),
            plays_out=request.POST.get("act") == "play",
        )
    except Refused as refusal:
        return str(refusal)


def _ply(request: HttpRequest) -> int:
    return number_in(request.POST.get("ply", "")) or 0


here_page = owners_page("order_id", told.visible)


@require_safe
@here_page
def answer(request: HttpRequest, contest: Contest, here: FromHere) -> HttpResponse:
    """What the version answered. With `?rev=` only the live part, or 204 while nothing has changed."""
    mine = access(request, contest)
    seen = told.seen(here)
    if request.GET.get("rev") == seen.revision:
        return HttpResponse(status=204)
    context = {
        "contest": contest,
        "order": here.order,
        "seen": seen,
        "here": here,
        "may_cancel": here.order.is_open and practice_told.may_cancel(mine, here.order),
    }
    template = "tournaments/_from_here_answer.html" if "rev" in request.GET else "tournaments/from_here.html"
    return render(request, template, context)
