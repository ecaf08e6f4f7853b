"""The rungs of a game: house players of known strength, in one scale (docs/house.md).

A rating is worth what it is in chess: of two players who are 400 apart, the stronger wins ten matches for each that it
loses. `random` has 1000. Two players meet as in a duel (games.duels): on the same deals in several seatings. The deals
of a duel are its observations, and everything here is a pure function of them.

`house/ratings.json` in the folder of a game has the ratings, and what they were measured from. `benchmarks/house.py`
writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt
from typing import Any

from games.engine import Game, House

START = 1000.0
"""The rating of `random`."""

SCALE = 400 / log(10)

WIDE = 400.0
"""How far a program may be from where the matches point before anything is known: the standard deviation of the prior,
around the middle of the ladder. It keeps the rating of a program that won everything finite."""

CONFIDENT = 1.96


@dataclass(frozen=True, slots=True)
class Rung:
    """A house player of the ladder."""

    house: House
    rating: float
    error: float  # half of the 95 % confidence interval

    @property
    def name(self) -> str:
        return self.house.name


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rating, and half of its 95 % confidence interval."""

    rating: float
    error: float


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
    found = [(game.house_player(name), players[name]) for name in game.ladder if name in players]
    return tuple(Rung(house, figures["rating"], figures["error"]) for house, figures in found)


def share(difference: float) -> float:
    """Return the share of matches that a player wins who is rated higher by that much."""
    return 1 / (1 + exp(-difference / SCALE))


def estimate(rungs: Sequence[Rung], duels: Sequence[tuple[str, float]]) -> Estimate:
    """Return the rating of a program from its duels: each has the name of a rung, and the share of the matches of one
    deal that the program won.

    It is the most likely rating. How much the deals differ from what it promises gives its error, not how many matches
    they had: the matches of a deal belong together. The errors of the rungs' own ratings are small, and left out.
    """
    ratings = {rung.name: rung.rating for rung in rungs}
    middle = (rungs[0].rating + rungs[-1].rating) / 2
    rating = middle
    for _ in range(100):  # Newton's method, in steps that cannot run away
        pull = (middle - rating) / WIDE**2
        hold = 1 / WIDE**2
        for name, won in duels:
            promised = share(rating - ratings[name])
            pull += (won - promised) / SCALE
            hold += promised * (1 - promised) / SCALE**2
        step = max(-200.0, min(200.0, pull / hold))
        rating += step
        if abs(step) < 0.01:
            break
    return Estimate(rating, CONFIDENT * _deviation(ratings, duels, rating))


def _deviation(ratings: Mapping[str, float], duels: Sequence[tuple[str, float]], rating: float) -> float:
    """Return the standard deviation of the estimate: the larger of what the deals show and what half a deal of surprise
    in each of the matches would make."""
    hold, spread = 1 / WIDE**2, 1 / WIDE**2
    for name, won in duels:
        promised = share(rating - ratings[name])
        hold += promised * (1 - promised) / SCALE**2
        spread += max((won - promised) ** 2, promised * (1 - promised) / 4) / SCALE**2
    return sqrt(spread) / hold


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


# Which duels to play -------------------------------------------------------------------------------------------------

BATCH = 4
"""Deals that are chosen together: what they bring is looked at after all of them."""

PRECISE = 60.0
"""The half width of an interval that is narrow enough: less than a step of a ladder."""


def batch(rungs: Sequence[Rung], duels: Sequence[tuple[str, float]]) -> list[str]:
    """Return the rungs to meet on the next deals. The first are spread over the ladder. After that, they are the
    neighbours of where the program stands, above and below, which say most about it."""
    last = len(rungs) - 1
    if not duels:
        return [rungs[round(place * last / (BATCH - 1))].name for place in range(BATCH)]
    above = next((place for place, rung in enumerate(rungs) if rung.rating > estimate(rungs, duels).rating), last)
    above = max(1, above)
    return [rungs[above - place % 2].name for place in range(BATCH)]


def is_decided(found: Estimate, deals: int) -> bool:
    """Whether a place on the ladder is known well enough."""
    return deals >= 3 * BATCH and found.error <= PRECISE


def between(rungs: Sequence[Rung], rating: float) -> tuple[Rung | None, Rung | None]:
    """Return the rungs next to a rating, below and above it. None: it is beyond the end of the ladder."""
    below = [rung for rung in rungs if rung.rating <= rating]
    above = [rung for rung in rungs if rung.rating > rating]
    return (below[-1] if below else None), (above[0] if above else None)


def place(rungs: Sequence[Rung], found: Estimate) -> str:
    """Say where a program stands, in a sentence."""
    below, above = between(rungs, found.rating)
    here = f"You are at {found.rating:.0f} ± {found.error:.0f}"
    if below is None:
        return f"{here}, below `{rungs[0].name}` ({rungs[0].rating:.0f})."
    if above is None:
        return f"{here}, above the whole ladder: `{below.name}` is at {below.rating:.0f}."
    return f"{here}, between `{below.name}` ({below.rating:.0f}) and `{above.name}` ({above.rating:.0f})."
