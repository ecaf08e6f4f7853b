"""Duels: two players on the same deals, in several seatings, so that luck with the cards does not decide.

In games of four, two play two; in games of two, each plays in each seat; in games for one, they play one after the
other, several games in a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from games.build import seated
from games.engine import Game
from games.format import Record, counted_places, with_penalties
from games.programs import pinned
from games.record import games as split
from games.record import seating_of
from games.referee import play

SEATINGS = {
    1: ((0,), (1,)),
    2: ((0, 1), (1, 0)),
    4: ((0, 1, 0, 1), (1, 0, 1, 0), (0, 0, 1, 1), (1, 1, 0, 0)),
}
"""The seatings of a pair, by the number of players. Each has its mirror next to it."""

ALONE = 20
"""Games in a match for one player; many are decided by the deal."""


@dataclass(frozen=True)
class Duel:
    """All seatings of a pair on the deal of one seed."""

    won: float  # share of the matches that the first player of the pair won
    lead: float  # points a hand by which each of its seats was better than each of the other's
    scores: tuple[float, float]  # a hand
    ms: tuple[list[float], list[float]]  # of every decision


def matches(game: Game, pair: tuple[str, str], seed: int, seatings: Sequence[Sequence[int]]) -> list[Record]:
    """Play a pair of bots (games.build) in these seatings. Raises OptionError, BuildError, MachineryError."""
    found = []
    for seating in seatings:
        count = ALONE if len(seating) == 1 else 1
        with pinned():
            seats = [seated(game, pair[who]) for who in seating]
            match = play(
                game, seats, seed=seed, options=game.options(game.duel_options), preset=game.preset().name, games=count
            )
        found.append(match.record)
    return found


def duel(game: Game, pair: tuple[str, str], seed: int) -> Duel:
    """Play a pair in all seatings of one seed."""
    seatings = SEATINGS[game.seats[1]]
    records = matches(game, pair, seed, seatings)
    ms: tuple[list[float], list[float]] = ([], [])
    for seating, record in zip(seatings, records, strict=True):
        for player, spent in _times(record):
            ms[seating[player]].append(spent)
    if game.seats[1] == 1:
        one, other = (record["result"]["scores"][0] / hands(record) for record in records)
    else:
        sides = [_sides(seating, record) for seating, record in zip(seatings, records, strict=True)]
        one, other = (fmean(side[who] for side in sides) for who in (0, 1))
    lead = (one - other) * (-1 if game.low_wins else 1)
    return Duel(won(game, seatings, records), lead, (one, other), ms)


def won(game: Game, seatings: Sequence[Sequence[int]], records: Sequence[Record]) -> float:
    """Return the share of the matches that the first of a pair won, as tournaments count them, so with the cost of
    processor time. A shared win counts half."""
    if game.seats[1] == 1:
        one, other = (with_penalties(game, record, record["result"]["scores"])[0] for record in records)
        return 0.5 if one == other else float((one > other) != game.low_wins)
    return fmean(_share(game, seating, record) for seating, record in zip(seatings, records, strict=True))


def _share(game: Game, seating: Sequence[int], record: Record) -> float:
    """The share of the win of the first of the pair; of nobody's win, half."""
    places = zip(seating, counted_places(game, record), strict=True)
    return fmean([who == 0 for who, place in places if place == 1] or [0.5])


def hands(record: Record) -> int:
    return sum(event["event"] == "hand" for event in record["events"]) or 1


def _times(record: Record) -> Iterator[tuple[int, float]]:
    """The player and the milliseconds of every decision."""
    for events in split(record):
        seating = seating_of(record, events)
        yield from ((seating[event["seat"]], event["ms"]) for event in events if "ms" in event)


def _sides(seating: Sequence[int], record: Record) -> list[float]:
    """Points per hand and seat for each of the pair."""
    scores = record["result"]["scores"]
    return [
        fmean(score for score, who in zip(scores, seating, strict=True) if who == side) / hands(record)
        for side in (0, 1)
    ]
