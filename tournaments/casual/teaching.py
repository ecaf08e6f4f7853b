"""What a coach says at a casual table. A coach that fails never stops a game."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from games.coach import coach_of
from games.engine import Event, State
from tournaments.models import CasualGame

logger = logging.getLogger(__name__)


def advice(game: CasualGame, state: State, seat: int, heard: Sequence[Event]) -> dict[str, Any]:
    """Return `{"advice": …}` for the seat in turn, or nothing where the game has no coach."""
    coach = coach_of(game.game)
    if coach is None:
        return {}
    try:
        return {"advice": coach.explain(state, seat, heard, lesson=game.lesson).data()}
    except Exception:
        logger.exception("%s: the coach of %s failed", game, game.game_slug)
        return {}


def farewell(game: CasualGame, seat: int, heard: Sequence[Event]) -> dict[str, Any]:
    """Return what a coach says after the result; empty where the game has none."""
    coach = coach_of(game.game)
    if coach is None:
        return {}
    try:
        return coach.farewell(seat, heard, lesson=game.lesson).data()
    except Exception:
        logger.exception("%s: the coach of %s failed", game, game.game_slug)
        return {}
