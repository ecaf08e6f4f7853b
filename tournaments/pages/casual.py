"""Casual games: where people choose, sit down, and play. What is done at a table: casual_moves."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

import games
from contest.refusal import Refused
from games.coach import coach_of
from games.engine import Game, OptionError
from tournaments.casual import tables
from tournaments.casual.limits import Who
from tournaments.casual.who import remember, table_page, who_of
from tournaments.forms.casual import TableForm
from tournaments.models import CasualGame, CasualSeat
from tournaments.view_models.casual import seat_page

LISTED = 20  # open tables


def _must_be_on() -> None:
    if not settings.CASUAL_GAMES:
        raise Http404("casual games are switched off")


def _game(slug: str) -> Game:
    try:
        return games.get(slug)
    except OptionError as error:
        raise Http404(str(error)) from error


# Choosing -------------------------------------------------------------------------------------------------------------


@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """All games, the tables where somebody waits, and one's own."""
    _must_be_on()
    return _choose(request, None, None)


@require_safe
def play_game(request: HttpRequest, game: str) -> HttpResponse:
    """One game: who plays, how fast, and with explanations or not."""
    _must_be_on()
    chosen, who = _game(game), who_of(request)
    return _choose(request, chosen, TableForm(chosen, who.user, coached=_explains(request, chosen, who)))


def _explains(request: HttpRequest, game: Game, who: Who) -> bool:
    """Whether explanations are on unless one says no: where a page says so, and in somebody's first game."""
    if coach_of(game) is None:
        return False
    played = bool(who.keys) or (who.user is not None and CasualSeat.objects.filter(user=who.user).exists())
    return "explain" in request.GET or not played


def _choose(request: HttpRequest, chosen: Game | None, form: TableForm | None, status: int = 200) -> HttpResponse:
    who = who_of(request)
    waiting = CasualGame.objects.lobby().exclude(pk__in=[int(pk) for pk in who.keys]).prefetch_related("seats")
    if chosen is not None:
        waiting = waiting.filter(game_slug=chosen.slug)
    context = {
        "games": games.GAMES.values(),
        "chosen": chosen,
        "game": chosen,
        "form": form,
        "mine": CasualGame.objects.held_by(who.user, list(who.keys.values())).going_on(),
        "inviting": CasualGame.objects.inviting(who.user, list(who.keys.values())),
        "open_tables": waiting[:LISTED],
        "may_play": who.user is not None or settings.CASUAL_GUESTS,
    }
    return render(request, "casual/choose.html", context, status=status)


@require_POST
def play_new(request: HttpRequest) -> HttpResponse:
    """Set a table. `game` alone is enough."""
    _must_be_on()
    game, who = _game(request.POST.get("game", "")), who_of(request)
    form = TableForm(game, who.user, _with_explanations(request, game, who))
    if not form.is_valid():
        return _choose(request, game, form, 422)
    lesson = tables.lesson_of(game) if "lesson" in request.POST else None
    wish = tables.with_lesson(game, lesson) if lesson else form.wish()
    try:
        table, seat = tables.set_up(wish, who, form.cleaned_data.get("name", ""))
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _choose(request, game, form, 422)
    remember(request, table, seat)
    return redirect(table)


def _with_explanations(request: HttpRequest, game: Game, who: Who) -> dict[str, object]:
    """What was sent; the one click that chooses nothing gets the explanations of a first game."""
    sent = request.POST.dict()
    if "pace" not in sent and _explains(request, game, who):
        sent["coached"] = "on"
    return dict(sent)


# A table --------------------------------------------------------------------------------------------------------------


@require_safe
@table_page
def table(request: HttpRequest, game: CasualGame, who: Who, seat: CasualSeat | None) -> HttpResponse:
    """A table as one's own seat sees it; for others a free seat at it, or what may be seen of it."""
    if seat is None and not game.is_open:
        if game.record or game.is_playing:
            return redirect("casual-replay", game.pk, 1)
        messages.info(request, "This game was given up. Start another one, or sit down at an open table.")
        return redirect("play")
    link = request.build_absolute_uri(f"{game.get_absolute_url()}?key={game.key}")
    page = seat_page(
        game, seat, invitation=link, guest=who.user is None, kept=None if seat else tables.kept_seat(game, who)
    )
    response = render(request, "casual/table.html", {"page": page})
    response["Cache-Control"] = "private, no-store"
    return response
