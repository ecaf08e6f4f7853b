"""What is done at a casual table: moving, joining, leaving, playing again, and reading its record."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from contest import guesses
from contest.broadcast import channel
from contest.broadcast.following import asks_for_news, news, nothing_to_follow
from contest.refusal import Refused, refusals_told
from contest.replay import build_replay
from contest.replay.paper import paper
from contest.words import number_in
from games.record import log
from tournaments.casual import moves, tables
from tournaments.casual.limits import Who
from tournaments.casual.who import invitation_of, remember, table_page
from tournaments.kinds import secrecy
from tournaments.models import CasualGame, CasualSeat
from tournaments.view_models.casual import names_of, replay_of, shelf_of, watched

LARGEST = 4096  # bytes of a move
NO_SEAT = "You have no seat at this table."

Seat = CasualSeat | None


# Playing --------------------------------------------------------------------------------------------------------------


@require_POST
@table_page
def move(request: HttpRequest, game: CasualGame, who: Who, seat: Seat) -> HttpResponse:
    """A decision: `{"decision": 7, "cards": ["9d"]}` or `{"decision": 7, "answer": 0}`, as JSON or from a form. JSON is
    answered by `{}`, or 409 and `{"why": …}`; a form leads back to the table."""
    is_json = request.content_type == "application/json"
    try:
        data = _data(request, is_json=is_json)
        if seat is None:
            raise Refused(NO_SEAT)
        moves.answer(game, seat, data.get("decision"), data)
    except Refused as refusal:
        if is_json:
            return JsonResponse({"why": str(refusal)}, status=409)
        messages.error(request, str(refusal))
    return JsonResponse({}) if is_json else redirect(game)


def _data(request: HttpRequest, *, is_json: bool) -> Mapping[str, Any]:
    """What was sent. Raises Refused."""
    if int(request.headers.get("Content-Length") or 0) > LARGEST:
        raise Refused("This is no decision.")
    if is_json:
        try:
            found = json.loads(request.body)
        except (ValueError, RecursionError):
            raise Refused("This is no decision.") from None
        if not isinstance(found, dict):
            raise Refused("This is no decision.")
        return found
    sent: dict[str, Any] = {"decision": number_in(request.POST.get("decision", ""))}
    if "answer" in request.POST:
        return sent | {"answer": number_in(request.POST["answer"])}
    return sent | {"cards": request.POST.getlist("cards")}


def _act(request: HttpRequest, game: CasualGame, seat: Seat, act: Callable[[CasualGame, CasualSeat], object]) -> None:
    """Do something at one's own seat; say so if it is refused."""
    with refusals_told(request):
        if seat is None:
            raise Refused(NO_SEAT)
        act(game, seat)


@require_POST
@table_page
def leave(request: HttpRequest, game: CasualGame, who: Who, seat: Seat) -> HttpResponse:
    """Stand up: the house plays on. Whoever left can come back by `join`."""
    _act(request, game, seat, tables.leave)
    return redirect("play")


@require_POST
@table_page
def begin(request: HttpRequest, game: CasualGame, who: Who, seat: Seat) -> HttpResponse:
    """Give the free seats to house players, and begin."""
    _act(request, game, seat, tables.begin_now)
    return redirect(game)


@require_POST
@table_page
def join(request: HttpRequest, game: CasualGame, who: Who, seat: Seat) -> HttpResponse:
    """Sit down (`seat`, `name`), or come back."""
    index, key = number_in(request.POST.get("seat", "")), request.POST.get("key", "") or invitation_of(request, game)
    with refusals_told(request):
        mine = tables.join(game, who, key=key, index=index, name=request.POST.get("name", ""))
        remember(request, game, mine)
    return redirect(game)


@require_POST
def join_by_code(request: HttpRequest) -> HttpResponseBase:
    """Find a table by the code that somebody read out."""
    attempt = guesses.at_code(request, "casual")
    if attempt is None:
        return guesses.too_many(request)
    code = request.POST.get("code", "").strip().upper()
    game = CasualGame.objects.filter(code=code, state=CasualGame.State.OPEN).first()
    if game is None:
        messages.error(request, "No open table has this code. It may have begun without you.")
        return redirect("play")
    attempt.was_right()
    return redirect(f"{game.get_absolute_url()}?key={game.key}")


@require_POST
@table_page
def again(request: HttpRequest, game: CasualGame, who: Who, seat: Seat) -> HttpResponse:
    """The same table once more: with a new deal, or with `same=yes` on the same one, from the next seat. The other
    people are invited."""
    with refusals_told(request):
        if seat is None or not game.is_over:
            raise Refused(NO_SEAT if seat is None else "This game is not over.")
        table, mine = tables.play_again(game, seat, who, same="same" in request.POST)
        remember(request, table, mine)
        return redirect(table)
    return redirect(game)


# Reading --------------------------------------------------------------------------------------------------------------


@require_safe
@table_page
def state(request: HttpRequest, game: CasualGame, who: Who, seat: Seat) -> HttpResponse:
    """Where the table stands, for a browser that has lost it: who sits there, and the open question of one's own."""
    seats = [
        {"seat": each.index, "name": each.name, "kind": each.kind, "free": each.is_free, "here": not each.left_at}
        for each in game.seats.all()
    ]
    told = {"state": game.state, "asked": game.asked_seat if game.is_playing else None, "seats": seats}
    own = {"seat": seat.index, "question": moves.open_question(game, seat)} if seat else {"seat": None}
    return JsonResponse(told | own | moves.clock(game), headers={"Cache-Control": "private, no-store"})


@require_safe
@table_page
def live(request: HttpRequest, game: CasualGame, who: Who, seat: Seat) -> HttpResponse:
    """The broadcast: one's own view, or that of a spectator without cards."""
    return _follow(request, game, seat)


def _follow(request: HttpRequest, game: CasualGame, seat: Seat) -> HttpResponse:
    told = channel.told(game.channel)
    if game.record:  # it is there before all of the broadcast is, and whoever looks on sees the last card
        begun, notes = (told.begun, told.notes) if told else ("record", [])
        told = channel.Channel(game.channel, game.loaded(), begun=begun, notes=notes)
    elif not game.is_playing:
        return nothing_to_follow()
    view = secrecy.views_of_table(game.game.seats[1])[0] if seat is None else str(seat.index)
    response = news(request, told, 1, view, over=bool(game.record))
    response["Cache-Control"] = "private, no-store"
    return response


@require_safe
@table_page
def replay(request: HttpRequest, table: CasualGame, who: Who, seat: Seat, game: int) -> HttpResponse:
    """The replay of a game that is over: `?ply=17&view=table|hidden|0…`; with `?film=…` all positions. While it is
    played, what everybody at the table may know of it, for those who have no seat."""
    if asks_for_news(request):
        return _follow(request, table, seat)
    if not table.record:
        watches = table.is_playing and seat is None and game == 1
        return _watch(request, table) if watches else redirect(table)
    shelf = shelf_of(table, game)
    if part := shelf.answer(request, lambda view: replay_of(table, game, view)):
        return part
    about = (names_of(table), f"casual game {table.pk}")
    if page := paper(request, lambda view: replay_of(table, game, view), lambda: about):
        return page
    try:
        shown = replay_of(table, game, request.GET.get("view"))
    except LookupError as error:
        raise Http404(str(error)) from error
    context = build_replay(shown, request.GET.get("ply"), shelf.addresses(shown))
    names = {each.index: each.name for each in table.seats.all()}
    more = {
        "table": table,
        "seat": seat,
        "names": names_of(table),
        "house_made": [(names[int(index)], count) for index, count in table.notes.get("house", {}).items()],
        "differs": [(names[int(index)], told["text"]) for index, told in table.notes.get("differs", {}).items()],
    }
    return render(request, "casual/replay.html", more | context)


def _watch(request: HttpRequest, table: CasualGame) -> HttpResponse:
    shown = watched(table, request.GET.get("view"))
    ply = shown.clamp(request.GET["ply"]) if request.GET.get("ply") else shown.last
    more = {"table": table, "names": names_of(table)}
    more["live"] = "newest" if ply == shown.last else "back"
    response = render(request, "casual/watch.html", more | build_replay(shown, ply))
    response["Cache-Control"] = "private, no-store"
    return response


@require_safe
@table_page
def record(request: HttpRequest, table: CasualGame, who: Who, seat: Seat) -> HttpResponse:
    if not table.record:
        raise Http404("this game is not over")
    response = HttpResponse(table.text(), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="casual-{table.pk}.json"'
    return response


@require_safe
@table_page
def game_log(request: HttpRequest, table: CasualGame, who: Who, seat: Seat, game: int, name: str) -> HttpResponse:
    """The game's own log, under the name from its rules, such as te.log."""
    if not table.record or name != table.game.log_name:
        raise Http404("there is no such log")
    try:
        text = log(table.loaded(), game)
    except LookupError as error:
        raise Http404(str(error)) from error
    path = PurePath(name)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{path.stem}-casual-{table.pk}-{game}{path.suffix}"'
    return response
