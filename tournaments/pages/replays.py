"""A match's games as replays, and its record and logs as downloads."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from contest.broadcast.following import asks_for_news, nothing_to_follow
from contest.middleware import NoLonger
from contest.models import Contest
from contest.replay import build_replay, siblings
from contest.replay.paper import paper
from games.record import games, seating_of
from tournaments.exports.archive import bundle
from tournaments.kinds import secrecy
from tournaments.models import Match
from tournaments.notes import Place
from tournaments.results.visibility import Sight, public
from tournaments.view_models import replays
from tournaments.view_models.from_here import form_of
from tournaments.view_models.notes import Draft, notes_of
from tournaments.view_models.records import or_gone, record_of, why_pruned
from tournaments.view_models.replays import about, replay_of, shelf_of
from tournaments.view_models.visible_matches import is_anybody_out, log_of, open_record, seats_told, visible_match

PAGE = "replay"


@require_safe
def replay(request: HttpRequest, match_id: int, game: int) -> HttpResponse:
    """One game at one position: `?ply=17&view=table|hidden|0…`; with `?film=…` all of them (contest.replay.films)."""
    match, sight = visible_match(request, match_id)
    if asks_for_news(request):
        return _news(request, match, sight, game)
    shelf = shelf_of(match, sight, game, PAGE)
    if shelf and (part := shelf.answer(request, lambda view: replay_of(match, sight, game, view, PAGE))):
        return part
    if page := paper(request, lambda view: replay_of(match, sight, game, view, PAGE), lambda: about(match, sight)):
        return page
    return shown(request, match, sight, game)


def address_of(match_id: int, game: int) -> str:
    return reverse(PAGE, args=[match_id, game])


def shown(
    request: HttpRequest, match: Match, sight: Sight, game: int, draft: Draft | None = None, refused: str = ""
) -> HttpResponse:
    """The page of a replay. `draft`: a note that was sent to it and not accepted. `refused`: why a version was not
    asked at the position."""
    shelf = shelf_of(match, sight, game, PAGE)
    record = record_of(match, sight)
    context: dict[str, Any] = {
        "match": match,
        "contest": match.contest,
        "game_number": game,
        "shown": secrecy.shown(match, sight),
        "shows_seed": secrecy.shows_seed(match, sight),
    }
    if record is None:
        return _not_over(request, match, sight, game, context)
    try:
        drawn = replay_of(match, sight, game, request.GET.get("view"), PAGE)
    except LookupError as error:
        raise Http404(str(error)) from error
    others = siblings(drawn.games, lambda number: address_of(match.pk, number), game)
    if "game" in request.GET:
        return redirect(others.find(request.GET["game"]).href)
    ply = request.POST.get("ply") or request.GET.get("ply")  # asked for, or at which a note was to be written
    context |= build_replay(drawn, ply, shelf.addresses(drawn) if shelf else None)
    context["siblings"] = others
    address = reverse("note-write", args=[match.pk, game])
    context["notes"] = notes_of(request, Place(match.contest, match=match, game=game), drawn, address, draft)
    asked = reverse("from-match", args=[match.pk, game])
    context["from_here"] = form_of(request, asked, game, match=match, why_not=refused)
    context["heading"] = match.heading(context["seats"][0].name)
    out = seats_told(match, sight) if is_anybody_out(match) else []  # what else it tells is on the match's page
    context["told"] = [(seat.name, told) for seat, told in out if told.badge]
    context["names"] = " – ".join(format(seat.name) for seat in context["seats"])
    context["frame"] = frame_to_copy(request, match, sight, game)
    return render(request, "replay/replay.html", context, status=422 if draft or refused else 200)


def _news(request: HttpRequest, match: Match, sight: Sight, game: int) -> HttpResponse:
    """What a browser that follows the game does not know yet."""
    if not secrecy.can_be_followed(match, sight):
        return nothing_to_follow()
    if not replays.may_have(match, game):
        raise Http404("this match has no such game")
    return replays.news_of(request, match, sight, game, request.GET.get("view"))


def _not_over(request: HttpRequest, match: Match, sight: Sight, game: int, context: dict[str, Any]) -> HttpResponse:
    """A match without a record: a game that is being played, or something to wait for."""
    follows = secrecy.can_be_followed(match, sight)
    shown = replays.replay_so_far(match, sight, game, request.GET.get("view"), PAGE) if follows else None
    if shown is None:
        pruned = why_pruned(match)
        if game > 1:
            raise NoLonger(pruned) if pruned else Http404("this game has not been played")
        context |= {"follows": follows, "pruned": pruned}
        return render(request, "replay/waiting.html", context, status=410 if pruned else 200)
    newest = replays.newest_game(match)
    if "live" in request.GET and newest != game:
        return redirect(f"{address_of(match.pk, newest)}?live=1")
    ply = shown.clamp(request.GET["ply"]) if request.GET.get("ply") else shown.last
    context |= build_replay(shown, ply)
    context["live"] = "newest" if ply == shown.last else "back"
    context["heading"] = match.heading(context["seats"][0].name)
    context["others"] = [(number, address_of(match.pk, number)) for number in range(1, newest + 1)]
    return render(request, "replay/running.html", context)


@require_safe
def fault(request: HttpRequest, match_id: int, seat: int) -> HttpResponse:
    """Redirect to a seat's first fault, or to the one for which the referee disqualified it."""
    match, sight = visible_match(request, match_id)
    if (record := record_of(match, sight)) is not None:
        for number, events in enumerate(games(record), 1):
            for ply, event in enumerate(events):
                if event["event"] == "fault" and seating_of(record, events)[event["seat"]] == seat:
                    return redirect(f"{reverse('replay', args=[match.pk, number])}?ply={ply}")
    raise or_gone(match, "this seat has no fault that may be shown")


@require_safe
def record(request: HttpRequest, match_id: int) -> HttpResponse:
    """The record exactly as stored."""
    match, sight = visible_match(request, match_id)
    kept = open_record(match, sight)
    response = HttpResponse(kept.text(), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="match-{match.pk}.json"'
    response["ETag"] = f'"{kept.sha256}"'
    return response


@require_safe
def bundled(request: HttpRequest, match_id: int) -> HttpResponse:
    """Record, logs and what identifies the players' versions, as one ZIP."""
    match, sight = visible_match(request, match_id)
    response = HttpResponse(bundle(match, open_record(match, sight)), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="match-{match.pk}.zip"'
    return response


@require_safe
def game_log(request: HttpRequest, match_id: int, game: int, name: str) -> HttpResponse:
    """The game's own log of one game, under the name from its rules, such as te.log."""
    match, sight = visible_match(request, match_id)
    if name != match.contest.game.log_name:
        raise Http404("there is no such log")
    text, path = log_of(match, sight, game), PurePath(name)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{path.stem}-{match.pk}-{game}{path.suffix}"'
    return response


EMBED = "embed"
FRAME = '<iframe src="{}" width="800" height="880" title="{}" loading="lazy" style="border:0"></iframe>'
"""In it, table and steps have room."""


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": settings.EMBED_ANCESTORS})  # type: ignore[arg-type]
def embed(request: HttpRequest, match_id: int, game: int) -> HttpResponse:
    """One game, as at the address of its replay. It looks the same to members and organisers."""
    match = get_object_or_404(Match.objects.select_related("contest", "stage", "table"), pk=match_id)
    sight = public(match.contest)
    if match.contest.visibility == Contest.Visibility.PRIVATE or not sight.sees(match):
        raise Http404("not public")
    shelf = shelf_of(match, sight, game, EMBED)
    if shelf is None:
        raise or_gone(match, "this match has not been played")
    if part := shelf.answer(request, lambda view: replay_of(match, sight, game, view, EMBED)):
        return part
    try:
        shown = replay_of(match, sight, game, request.GET.get("view"), EMBED)
    except LookupError as error:
        raise Http404(str(error)) from error
    context = build_replay(shown, request.GET.get("ply"), shelf.addresses(shown))
    context |= {
        "contest": match.contest,
        "names": " – ".join(format(seat.name) for seat in context["seats"]),
        "full": reverse("replay", args=[match.pk, game]),
    }
    return render(request, "tournaments/embed.html", context)


def frame_to_copy(request: HttpRequest, match: Match, sight: Sight, game: int) -> str:
    """HTML, as text, that shows a game in a page of another site. Blank where not everybody may see the game."""
    is_private = match.contest.visibility == Contest.Visibility.PRIVATE
    if match.status != Match.State.DONE or is_private or not sight.shares(match):
        return ""
    return FRAME.format(escape(request.build_absolute_uri(reverse(EMBED, args=[match.pk, game]))), escape(match.title))
