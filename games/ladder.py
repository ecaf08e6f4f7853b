"""The rungs of a game: house players of known strength, in one scale (docs/house.md).

A rating is worth what it is in chess: of two players who are 400 apart, the stronger wins ten matches for each that it
loses. `random` has 1000. Two players meet as in a duel (games.duels): on the same deals in several seatings. The deals
of a duel are its observations.

`house/ratings.json` in the folder of a game has the ratings, and what they were measured from. `benchmarks/house.py`
writes it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Any

from games.engine import Game

START = 1000.0
"""The rating of `random`."""

SCALE = 400 / log(10)


@dataclass(frozen=True, slots=True)
class Rung:
    """A house player of the ladder."""

    name: str
    rating: float
    error: float  # half of the 95 % confidence interval


def measured(game: Game) -> dict[str, Any]:
    """Return the measurements of a game: `players` and `pairs`, both empty before there are any."""
    path = game.folder / "house" / "ratings.json"
    if not path.is_file():
        return {"players": {}, "pairs": []}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def rungs(game: Game) -> tuple[Rung, ...]:
    """Return the rungs that have a rating, from the weakest to the strongest. The file is read once."""
    players = measured(game)["players"]
    found = [(name, players[name]) for name in game.ladder if name in players]
    return tuple(Rung(name, figures["rating"], figures["error"]) for name, figures in found)


def fit(names: Sequence[str], pairs: Sequence[tuple[str, str, float, float]], rounds: int = 400) -> dict[str, float]:
    """Return the ratings of players from all their pairs: (one, other, number of matches, share that the first won).

    It is the maximum of the likelihood of Bradley and Terry's model, found by Zermelo's iteration. A share of 0 or 1
    counts as half a match less.
    """
    wins = dict.fromkeys(names, 0.0)
    kept = []
    for one, other, matches, won in pairs:
        won = min(max(won, 0.5 / matches), 1 - 0.5 / matches)
        wins[one] += matches * won
        wins[other] += matches * (1 - won)
        kept.append((one, other, matches))
    strength = dict.fromkeys(names, 1.0)
    for _ in range(rounds):
        sums = dict.fromkeys(names, 0.0)
        for one, other, matches in kept:
            part = matches / (strength[one] + strength[other])
            sums[one] += part
            sums[other] += part
        strength = {name: wins[name] / sums[name] if sums[name] else 1.0 for name in names}
        first = strength[names[0]]
        strength = {name: value / first for name, value in strength.items()}
    return {name: START + SCALE * log(strength[name]) for name in names}
