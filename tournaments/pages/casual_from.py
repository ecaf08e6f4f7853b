"""Play from here: somebody takes over a seat at a position of a replay. The deal is the same, the past is forced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_POST

from contest.models import User
from contest.permissions import access, get_contest
from contest.refusal import Refused
from contest.replay import Replay
from contest.replay.films import Shelf
from contest.words import number_in
from games import get
from games.engine import Game, OptionError
from games.record import Record
from games.resume import Start, start_at
from submissions.models import LONG_OF_SUBMISSION, Submission
from submissions.views import VersionPage, version_page
from tournaments.casual import tables
from tournaments.casual.limits import Who
from tournaments.casual.tables import Place, Wish
from tournaments.casual.who import remember, table_page, who_of
from tournaments.models import CasualGame, CasualSeat, MatchSeat, PracticeGame, PracticeOrder, PracticePlayer
from tournaments.view_models import practice
from tournaments.view_models.replays import replay_of, shelf_of
from tournaments.view_models.visible_matches import visible_match

HOUSE = "house:"


@dataclass(frozen=True)
class Origin:
    """A game of a record that this reader may see as a whole. `versions`: who played, by player, where a version did.
    `public`: everybody may see it."""

    record: Record
    number: int
    title: str
    address: str
    public: bool
    versions: Mapping[int, Submission]


@require_POST
def play_from(request: HttpRequest) -> HttpResponseBase:
    """`at` is the address of a replay, `ply` the position, `seat` whose place is taken (whose turn it is, by default).
    With `house` in the form, house players take all other seats."""
    place = page_at(request, request.POST.get("at", ""))
    if place.name in CHECKS:
        return _from_check(request, **place.values)
    if place.name == "casual-replay":
        return _from_table(request, **place.values)
    if place.name not in SOURCES:
        raise Http404("no such replay")
    title, shelf, make = SOURCES[place.name](request, **place.values)
    if not shelf.whole:
        messages.error(request, "This record has games that are still hidden, so nobody can play on from it.")
        return redirect(place.path)
    try:
        replay = make("table")
    except LookupError as error:
        raise Http404(str(error)) from error
    versions = _versions(place.name, place.values)
    return _take_over(request, Origin(replay.record, replay.number, title, place.path, shelf.public(), versions))


Source = tuple[str, Shelf, Callable[[str], Replay]]
"""The title of a game, its films, and what draws it in a view."""


def _match(request: HttpRequest, match_id: int, game: int = 1) -> Source:
    match, sight = visible_match(request, match_id)
    shelf = shelf_of(match, sight, game, "replay")
    if shelf is None:
        raise Http404("this match has not been played")
    title = match.title + (f", game {game}" if match.games > 1 else "")
    return title, shelf, lambda view: replay_of(match, sight, game, view, "replay")


def _practice(request: HttpRequest, slug: str, order_id: int, game: int) -> Source:
    contest = get_contest(request, slug)
    order = practice.visible_order(access(request, contest), order_id)
    kept = practice.record_of(order, game)
    own = next((player.name for player in order.players.all() if player.number == kept.game.own), "")
    title = f"{order}, game {game}" if order.kind == PracticeOrder.Kind.PRACTICE else f"{order}: {own}"
    return title, practice.shelf_of(kept), lambda view: practice.replay_of(kept, view)


SOURCES: dict[str, Callable[..., Source]] = {"replay": _match, "match": _match, "practice-game": _practice}
"""By the name of a page: the game that is there."""


CHECKS = ("check-game", "check-game-of")


@version_page
def _from_check(request: HttpRequest, place: VersionPage, game: int, of: int = 1) -> HttpResponse:
    """From a game in which an entry was checked: only its team and people with a role may read it."""
    played = place.submission.check_games.filter(number=game).first()
    if played is None:
        raise Http404("no such game")
    address = f"{place.base}check/{game}/" + (f"{of}/" if of > 1 else "")
    title = f"Check game {game} of version {place.submission.number}"
    versions = {played.seat: place.submission}
    return _take_over(request, Origin(played.record_data(), of, title, address, False, versions))


@table_page
def _from_table(request: HttpRequest, table: CasualGame, who: Who, seat: CasualSeat | None, game: int) -> HttpResponse:
    """From a casual game that is over."""
    if not table.record:
        raise Http404("this game is not over")
    versions = {each.index: each.submission for each in table.seats.all() if each.submission is not None}
    address = reverse("casual-replay", args=[table.pk, game])
    return _take_over(request, Origin(table.loaded(), game, f"{table}", address, not table.private, versions))


def _versions(kind: str, at: Mapping[str, Any]) -> dict[int, Submission]:
    """The versions that played, by player of the record."""
    if kind == "replay":
        seats = MatchSeat.objects.filter(match=at["match_id"], submission__isnull=False)
        seats = seats.select_related("submission").defer(*LONG_OF_SUBMISSION)
        return {seat.index: seat.submission for seat in seats if seat.submission}
    if kind == "practice-game":
        game = PracticeGame.objects.get(order=at["order_id"], number=at["game"])
        players = PracticePlayer.objects.filter(order=at["order_id"], submission__isnull=False)
        players = players.select_related("submission").defer(*LONG_OF_SUBMISSION)
        by_number = {player.number: player.submission for player in players}
        return {index: found for index, number in enumerate(game.lineup) if (found := by_number.get(number))}
    return {}


def _take_over(request: HttpRequest, origin: Origin) -> HttpResponse:
    who = who_of(request)
    ply, seat = number_in(request.POST.get("ply", "")), number_in(request.POST.get("seat", ""))
    back = f"{origin.address}?ply={ply}"
    try:
        wish = _wish(origin, ply or 0, seat, who.user, house="house" in request.POST)
        table, mine = tables.set_up(wish, who, request.POST.get("name", ""))
    except (Refused, OptionError) as refusal:
        text = str(refusal)
        messages.error(request, f"{text[:1].upper()}{text[1:].rstrip('.')}.")
        return redirect(back)
    remember(request, table, mine)
    return redirect(table)


def _wish(origin: Origin, ply: int, seat: int | None, user: User | None, *, house: bool) -> Wish:
    record = origin.record
    game = get(record["game"])
    start = start_at(record, origin.number, ply)
    seat = start.turn if seat is None else seat
    if seat not in range(len(start.seating)):
        raise Refused("There is no such seat.")
    if start.seating[seat] in start.out:
        raise Refused("This seat was disqualified before this position, so the referee plays it. Choose another one.")
    places = [
        Place(CasualSeat.Kind.PERSON) if index == seat else _place(game, origin, player, user, house=house)
        for index, player in enumerate(start.seating)
    ]
    return Wish(
        game=game,
        preset=record["rules"],
        options=game.options(record["options"], record["rules"]),
        places=places,
        seat=seat,
        seed=record["seed"],
        how=_seated(start),
        past=[start.past[player] for player in start.seating],
        source={"title": origin.title, "href": f"{origin.address}?ply={ply}", "game": origin.number, "ply": ply},
        private=not origin.public,
    )


def _seated(start: Start) -> dict[str, Any]:
    """At a casual table players have the numbers of their seats."""
    how = start.arguments()
    if start.opening is not None and "seating" in start.opening:
        how["openings"] = [{**start.opening, "seating": list(range(len(start.seating)))}]
    return how


def _place(game: Game, origin: Origin, player: int, user: User | None, *, house: bool) -> Place:
    """Who continues for a player: the same house player, one's own version, or a house player for anybody else."""
    bot, kind = str(origin.record["seats"][player]["bot"]), CasualSeat.Kind
    version = origin.versions.get(player)
    if version is not None and not house and tables.may_use(version, user):
        return Place(kind.VERSION, submission=version)
    name = bot.removeprefix(HOUSE)
    known = bot.startswith(HOUSE) and name in {each.name for each in game.house}
    return Place(kind.HOUSE, house=name if known else tables.stand_in(game))


@dataclass(frozen=True, slots=True)
class Address:
    """Which page an address leads to."""

    name: str  # of the page in urls.py
    values: Mapping[str, Any]  # for its view
    path: str


def page_at(request: HttpRequest, address: str) -> Address:
    """The page at an address, with or without the host of this portal. Raises Http404 for all other addresses. Whether
    the reader may see the page is not asked."""
    try:
        asked = urlsplit(address.strip())
        found = resolve(asked.path or "/")
    except (ValueError, Resolver404):
        raise Http404("no such page") from None
    if asked.netloc not in ("", request.get_host()):
        raise Http404("a page of another site")
    return Address(found.url_name or "", found.kwargs, asked.path)
