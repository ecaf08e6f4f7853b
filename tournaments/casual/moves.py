"""What a person is asked, and their answer, for the pages and for the server.

Where a game stands is found by playing its decisions through the rules again: some milliseconds, and nothing but the
rows counts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from contest.refusal import Refused
from games import asking, resume
from games.coach import Advice, Coach, coach_of
from games.engine import Event, Game, State, View
from games.hearing import Hearing
from games.resume import Now
from tournaments.casual import news
from tournaments.models import CasualGame, CasualMove, CasualSeat

logger = logging.getLogger(__name__)


def coached(game: CasualGame, say: Callable[[Coach[Any]], Advice]) -> dict[str, Any]:
    """What the coach of a game says. Nothing where it has none, or where the coach fails."""
    coach = coach_of(game.game)
    if coach is None:
        return {}
    try:
        return say(coach).data()
    except Exception:
        logger.exception("%s: the coach of %s failed", game, game.game_slug)
        return {}


SOMEBODY_ELSE = "It is not your turn."
TOO_LATE = "This decision has been made already."


def arguments(game: CasualGame) -> dict[str, Any]:
    """What `referee.play` is told about a table, but for its players and its seed."""
    return {"options": game.options, "preset": game.preset, **game.how}


def decided(game: CasualGame, moves: Sequence[CasualMove], seats: int) -> list[list[Event]]:
    """Return by seat all that was decided at this table so far, with what it was taken from."""
    found = [list(each) for each in game.past] or [[] for _ in range(seats)]
    for move in moves:
        found[move.seat].append(move.decided)
    return found


def stand(game: CasualGame, moves: Sequence[CasualMove] | None = None) -> Now:
    """Return where a game stands after its decisions."""
    seats = list(game.seats.all())
    names = [(seat.name or "Free seat", seat.bot) for seat in seats]
    past = decided(game, list(game.moves.all()) if moves is None else moves, len(seats))
    return resume.now(game.game, names, past, seed=game.seed, **arguments(game))


def heard(game: Game, events: Sequence[Event], seat: int) -> list[Event]:
    """Return what a seat has heard of the current game."""
    told: list[Event] = []
    hearing = Hearing(game, [(seat, told.append)])
    for event in events:
        hearing.tell(event)
    return told


def hand_in(view: View, seat: int) -> list[Any]:
    """Return the cards that a seat holds, as its own view shows them."""
    hands = view.position().get("hands") or []
    return list((hands[seat] if seat < len(hands) else None) or [])


def question(game: CasualGame, state: State, told: Sequence[Event], number: int) -> dict[str, Any]:
    """Return the note `question`: what the seat in turn is asked, with its hand and, for learners, advice.

    `told`: what the seat has heard. Times are added by whoever knows them.
    """
    rules, seat = game.game, state.turn
    view = rules.view(seat)
    for event in told:
        view.tell(event)
    asked = asking.question(state, rules) | {"number": number, "hand": hand_in(view, seat)}
    advice = coached(game, lambda it: it.explain(state, seat, told, lesson=game.lesson)) if game.coached else {}
    return asked | ({"advice": advice} if advice else {})


def clock(game: CasualGame) -> dict[str, Any]:
    """Return the times of the open question, as the browser gets them."""
    left = game.left_ms()
    limit = None
    if game.due_at is not None and game.asked_at is not None:
        limit = round(1000 * (game.due_at - game.asked_at).total_seconds())
    due = None if game.due_at is None else round(1000 * game.due_at.timestamp())
    return {"left_ms": left, "limit_ms": limit, "due_ms": due}


def open_question(game: CasualGame, seat: CasualSeat, now: Now | None = None) -> dict[str, Any] | None:
    """Return what this person is asked now, or None."""
    if not game.is_playing or game.asked == 0 or game.asked_seat != seat.index or not seat.is_here:
        return None
    moves = list(game.moves.all())
    if len(moves) + 1 != game.asked:
        return None
    now = now or stand(game, moves)
    if now.over or now.state.turn != seat.index:
        return None
    told = heard(game.game, now.events, seat.index)
    return question(game, now.state, told, game.asked) | clock(game)


def answer(game: CasualGame, seat: CasualSeat, number: object, data: Mapping[str, Any]) -> None:
    """Make a person's decision. Raises Refused with the words for them: it is too late, not their turn, or not
    allowed."""
    if not game.is_playing:
        raise Refused("This game is over." if game.is_over else "This game has not begun.")
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refused("This is no decision.")
    moves = list(game.moves.all())
    if number <= len(moves):
        raise Refused(TOO_LATE)
    if number != len(moves) + 1 or game.asked != number or game.asked_seat != seat.index:
        raise Refused(SOMEBODY_ELSE)
    now = stand(game, moves)
    if now.over or now.state.turn != seat.index:
        raise Refused(SOMEBODY_ELSE)
    try:
        action = asking.read_answer(game.game, now.state, data)
    except asking.NotAllowed as refusal:
        raise Refused(str(refusal)) from None
    since = game.asked_at or timezone.now()
    ms = round(1000 * (timezone.now() - since).total_seconds(), 3)
    event = now.state.event(action) | {"ms": max(0.0, ms)}
    if not store(game, number, seat.index, event).pk:
        raise Refused(TOO_LATE)
    CasualSeat.objects.filter(pk=seat.pk).update(seen_at=timezone.now(), left_at=None, away=False)
    news.wake(game.pk)


def store(game: CasualGame, number: int, seat: int, event: Event, by: str = CasualMove.By.PLAYER) -> CasualMove:
    """Write a decision. If somebody else was faster, return theirs, without a primary key."""
    try:
        with transaction.atomic():
            return CasualMove.objects.create(game=game, number=number, seat=seat, event=event, by=by)
    except IntegrityError:
        found = CasualMove.objects.get(game=game, number=number)
        found.pk = None
        return found
