"""The games of a version's check: replays, records and logs."""

from __future__ import annotations

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from contest.replay import Replay, build_replay, siblings
from contest.replay.films import Shelf
from contest.replay.paper import paper
from games import record as records
from submissions import check
from submissions.models import CheckGame
from submissions.views import VersionPage, version_page


def _check_game(place: VersionPage, number: int) -> CheckGame:
    game = get_object_or_404(place.submission.check_games, number=number)
    game.submission = place.submission
    return game


@require_GET
@version_page
def check_game(request: HttpRequest, place: VersionPage, game: int, of: int = 1) -> HttpResponse:
    """The replay of a check game with the bot's standard error. `of` is the game's number within its record."""
    played = _check_game(place, game)
    record = played.record_data()
    address = f"{place.base}check/{game}/"

    def href(number: int) -> str:
        return address if number == 1 else f"{address}{number}/"

    rules = reverse("rules", args=[place.contest.slug])
    pieces = [(at, text) for at, text in played.stderr_pieces()]

    def replay(view: str | None) -> Replay:
        return Replay(record, of, view, href(of), {played.seat: pieces}, rules=rules)

    shelf = Shelf(f"check {played.pk} {hashlib.sha256(played.record).hexdigest()}", of, public=lambda: False)
    if part := shelf.answer(request, replay):
        return part
    about = (f"Check game {game}", f"version {place.submission.number}", place.contest.name)
    if page := paper(request, replay, lambda: about):
        return page
    try:
        shown = replay(request.GET.get("view"))
    except LookupError as error:
        raise Http404(str(error)) from None
    games = siblings(shown.games, href, of)
    if "game" in request.GET:
        return redirect(games.find(request.GET["game"]).href)
    context = build_replay(shown, request.GET.get("ply"), shelf.addresses(shown))
    more = place.context(
        here=f"Check game {game}",
        played=played,
        fault_href=place.base + played.fault_address,
        pieces=check.pieces(played),
        siblings=games,
        game_number=of,
        address=address,
    )
    return render(request, "submissions/check_game.html", more | context)


@require_GET
@version_page
def check_record(request: HttpRequest, place: VersionPage, game: int) -> HttpResponse:
    return HttpResponse(_check_game(place, game).record_text(), content_type="application/json")


@require_GET
@version_page
def check_log(request: HttpRequest, place: VersionPage, game: int, of: int = 1) -> HttpResponse:
    try:
        text = records.log(_check_game(place, game).record_data(), of)
    except LookupError as error:
        raise Http404(str(error)) from None
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
