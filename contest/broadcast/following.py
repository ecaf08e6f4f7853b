"""Following a broadcast: a browser asks again and again for what is new since position n (static/js/broadcast.js).

    ?from=n&run=…&notes=k    it has n positions and has heard of k notes of this telling of the game

What is new is answered as JSON; 204 while there is nothing:

    run      names this telling of the game. A browser that has another one has nothing of it
    game     the number of the game
    film     the positions from n on, as a film of their own (contest/replay/growing.py); null: none are new
    notes    what is no event of the game, for the seat that follows: {"name", "data"}. Whoever comes gets the latest
             of each name; nobody gets a question that was decided meanwhile
    heard    how many notes there were
    more     whether there are further positions already
    over     whether the game is over: the next one has begun, or the record is written. The broadcast does not know
    next     the number of the game that follows in the same match, or null
    lost     alone: there is nothing to follow, or not any more
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from contest.broadcast.channel import Channel
from contest.replay.growing import Growing, film_from
from contest.words import number_in
from games.record import Record, games

AT_ONCE = 150  # positions that are drawn for one answer


def asks_for_news(request: HttpRequest) -> bool:
    return "from" in request.GET


def nothing_to_follow() -> HttpResponse:
    """The answer where there is nothing to follow any more: the browser asks for the page."""
    return JsonResponse({"lost": True})


def news(request: HttpRequest, told: Channel | None, game: int, view: str, *, over: bool = False) -> HttpResponse:
    """The answer to a browser that may follow this game with this view (“table”, “hidden” or the number of a seat).
    `over`: its record is written, and `told` has all of it."""
    if told is None or told.record is None:
        return HttpResponse(status=204)
    known = request.GET.get("run") == told.begun
    first = number_in(request.GET.get("from", "")) or 0 if known else 0
    replay = _replay(told.record, game, view)
    film = film_from(replay, first, AT_ONCE) if replay and first <= replay.last else None
    more = bool(replay and film and film["from"] + film["length"] <= replay.last)
    heard = number_in(request.GET.get("notes", "")) or 0 if known else 0
    notes: list[dict[str, Any]] = []
    if not more:
        notes = _notes(told, replay, view, heard)
        if not first:
            notes = list({note["name"]: note for note in notes}.values())
        heard = len(told.notes)
    following = game + 1 if not more and len(games(told.record)) > game else None  # once it has begun
    over = following is not None or (over and not more)
    if known and not film and not over and str(heard) == request.GET.get("notes"):
        return HttpResponse(status=204)
    return JsonResponse(
        {
            "run": told.begun, "game": game, "film": film, "notes": notes, "heard": heard, "more": more,
            "over": over, "next": following,
        },
        json_dumps_params={"ensure_ascii": False, "separators": (",", ":")},
    )  # fmt: skip


def _replay(record: Record, game: int, view: str) -> Growing | None:
    """The game so far. None: it has not begun."""
    if not record["events"] or len(games(record)) < game:
        return None
    return Growing(record, game, view, "", (view,), record.get("games", 1))


def _notes(told: Channel, replay: Growing | None, view: str, heard: int) -> list[dict[str, Any]]:
    """What this view is to hear beyond so many notes."""
    own = [note for note in told.notes[heard:] if note["seat"] is None or str(note["seat"]) == view]
    return [
        {"name": note["name"], "data": note["data"]}
        for note in own
        if note["name"] != "question" or not _is_decided(replay, view, note["at"])
    ]


def _is_decided(replay: Growing | None, view: str, at: int) -> bool:
    """Whether the seat has decided since the match had so many events."""
    decided = replay.stops.get(f"seat{view}", []) if replay else []
    return any(replay is not None and ply + replay.offset >= at for ply in decided)
