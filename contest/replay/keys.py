"""The keys by which a replay is stepped through, for the list that a reader can open (static/js/replay.js)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contest.replay.parts import ReplaySeat
from games.engine import Game


@dataclass(frozen=True, slots=True)
class Key:
    """Keys that belong together, perhaps with others that do the same, and what they do."""

    keys: Sequence[str]
    does: str
    others: Sequence[str] = ()


def keys(game: Game, seats: Sequence[ReplaySeat], *, has_swings: bool) -> list[Key]:
    several = len(seats) > 1
    found = [
        Key(("←", "→"), "previous, next step", ("J", "L")),
        Key(("↑", "↓"), f"previous, next {game.trick_word}"),
        Key(("[", "]"), f"previous, next {game.hand_word}") if game.hand_word else None,
        Key(("Home", "End"), "start, end"),
        Key(("Space",), "play, pause", ("K",)),
        Key(("+", "−"), "faster, slower"),
        Key([str(seat.index + 1) for seat in seats], f"view of {', '.join(seat.label for seat in seats)}"),
        Key(("O", "X"), "all hands, no hands"),
        Key(("F",), "turn the table") if several else None,
        Key(("E",), "next fault"),
        Key(("S",), f"next {game.hand_word or 'hand'} that decided the game") if has_swings else None,
        Key(("⇧ L",), "search the moves"),
        Key(("Z",), "full screen"),
        Key(("P",), "sheet to print"),
        Key(("C",), "copy the link to this position"),
        Key(("?",), "this list"),
    ]
    return [key for key in found if key]
