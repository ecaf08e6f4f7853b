"""First games that teach: a casual table with the deal of a game's own lesson (games/coach.py)."""

from __future__ import annotations

from django.conf import settings

from games.coach import Lesson, coach_of
from games.engine import Game
from tournaments.casual.tables import Place, Wish
from tournaments.models import CasualSeat


def of(game: Game) -> Lesson | None:
    """Return the lesson of a game, if it has one and people may play here."""
    coach = coach_of(game) if settings.CASUAL_GAMES else None
    return coach.lesson if coach else None


def wish(game: Game, lesson: Lesson) -> Wish:
    """Return the table of a lesson. Nobody else can sit down at it, and the time is generous."""
    seats = game.seats[1]
    places = [Place(CasualSeat.Kind.PERSON)] * seats
    for step, house in enumerate(lesson.house, 1):
        places[(lesson.seat + step) % seats] = Place(CasualSeat.Kind.HOUSE, house=house)
    return Wish(
        game=game,
        preset=game.preset().name,
        options=game.options(lesson.options),
        places=places,
        seat=lesson.seat,
        seed=lesson.seed,
        how={"openings": [dict(lesson.opening)]} if lesson.opening else {},
        lesson=True,
    )
