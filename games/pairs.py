"""A pair of a trial: two versions in the same seat, against the same opponents, on the same deals (docs/trials.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from games import rng
from games.engine import Event, Game, Opening
from games.format import Record, with_penalties
from games.phrases import counted
from games.record import games as split_games
from games.record import seating_of
from games.trial import Decision, Design


class Measure(StrEnum):
    """What a trial compares. Both are per game."""

    POINTS = "points"
    WINS = "wins"


GAMES = 10
"""Games of a match where the unit of its scores is games won: one game alone would say little, and cost a process."""


REACH = 15
"""The loss that a single game may bring, in gains that a hundred pairs find: about four deviations."""


def games_of(game: Game) -> int:
    """Return how many games each version plays in a pair, unless told otherwise."""
    return GAMES if game.counts_games else 1


def bounds_of(game: Game, measure: Measure) -> tuple[float, float]:
    """Return the bounds of a trial, unless told otherwise."""
    return 0.0, game.gain if measure is Measure.POINTS else 0.1


def reach_of(game: Game, measure: Measure, games: int) -> float:
    """Return how much worse than the lower bound a pair of a trial may be. A pair that is still worse counts as this in
    the bets of the trial (games.trial)."""
    one = REACH * bounds_of(game, measure)[1] / sqrt(games)
    return min(one, 1.0) if measure is Measure.WINS or game.counts_games else one


def seed_of(seed: int, number: int) -> int:
    """Return the seed of the deals of pair `number` (from 1) in a trial with that seed."""
    return rng.choice(seed, 0, number, 2**31)


def seats_of(number: int, players: int) -> list[int]:
    """Return who plays where in pair `number` (from 1): 0 is the version, 1 and up are the opponents.

    The version goes through all seats in turn, and the opponents change places after each such round.
    """
    turn, place = divmod(number - 1, players)
    others = players - 1
    opponents = iter(1 + (turn + each) % others for each in range(others)) if others else iter(())
    return [0 if seat == place else next(opponents) for seat in range(players)]


def openings_of(games: int) -> list[Opening] | None:
    """Return how the games of both matches open, so that each has the same deals however long those before it were."""
    return [{"deal": number} for number in range(1, games + 1)] if games > 1 else None


def worth(game: Game, record: Record, player: int, measure: Measure, games: int) -> float:
    """Return what a version reached in a match of that many games, per game. Higher is better, whatever the game.

    A disqualified version has the worst points of the table and wins nothing: what the house played in its place is not
    its own.
    """
    out = player in record["result"]["disqualified"]
    if measure is Measure.WINS:
        won = sum(_share(game, record, events, player) for events in split_games(record))
        return 0.0 if out else won / games
    points = with_penalties(game, record, record["result"]["scores"])
    mine = (max if game.low_wins else min)(points) if out else points[player]
    return (-mine if game.low_wins else mine) / games


def _share(game: Game, record: Record, events: Sequence[Event], player: int) -> float:
    """Return a player's share of the win of one game: players who tie for the best points share it."""
    if not events or events[-1]["event"] != "result":
        return 0.0
    seating, points = seating_of(record, events), game.points(events[-1])
    by_player = [points[seating.index(each)] for each in range(len(seating))]
    if game.counts_games:
        return float(by_player[player])
    in_all = with_penalties(game, {**record, "events": events}, by_player)
    fair = {each: value for each, value in enumerate(in_all) if each not in record["result"]["disqualified"]}
    best = (min if game.low_wins else max)(fair.values(), default=None)
    winners = [each for each, value in fair.items() if value == best]
    return 1 / len(winners) if player in winners else 0.0


def amount(game: Game, measure: Measure, value: float, unit: bool = True) -> str:
    """Return a difference in words, with its sign: `+1.25 points a game`, `-3.0 % of the games`."""
    if measure is Measure.WINS or game.counts_games:
        return f"{100 * value:+.1f} %" + " of the games" * unit
    return f"{value:+.2f}" + f" {game.counts} a game" * unit


def verdict(game: Game, measure: Measure, design: Design, decision: Decision, pairs: int, new: str, old: str) -> str:
    """Return the answer of a trial in a sentence. `new` and `old` are what to call the versions."""
    low, high = (amount(game, measure, bound) for bound in (design.low, design.high))
    after = f"after {counted(pairs, 'pair')}"
    match decision:
        case Decision.BETTER:
            more = "" if design.low == 0 else f" by more than {low}"
            return f"{new} is better than {old}{more}: decided {after}."
        case Decision.NOT_BETTER:
            return f"{new} is not better than {old} by {high}: decided {after}."
        case Decision.NO_DIFFERENCE:
            return f"No difference between {new} and {old} {after}."
        case Decision.UNDECIDED:
            return f"Undecided {after}, the most that were asked for."


@dataclass(frozen=True, slots=True)
class Fork:
    """The first place at which two matches on the same deals differ."""

    game: int  # from 1
    index: int  # of the event in its game
    player: int | None  # who decided differently; None: nobody did, so the deals were not the same
    new: str  # what happened in the match of the new version, in a sentence
    old: str


def fork(game: Game, new: Record, old: Record) -> Fork | None:
    """Return where two matches first differ; None where every decision and every event is the same."""
    both = zip(split_games(new), split_games(old), strict=False)
    for number, (ours, theirs) in enumerate(both, 1):
        index = parting(ours, theirs)
        if index is None or index >= min(len(ours), len(theirs)):
            continue
        view, one, other = game.view(None), ours[index], theirs[index]
        for event in ours[:index]:
            view.tell(event)
        seat = one.get("seat", other.get("seat"))
        player = None if seat is None else seating_of(new, ours)[seat]
        return Fork(number, index, player, game.caption(one, view), game.caption(other, view))
    return None


def parting(ours: Sequence[Event], theirs: Sequence[Event]) -> int | None:
    """Return the index of the first event with which two games on the same deals part. None: they are the same.

    How a game opens does not count: the players may have changed places.
    """
    for index, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if _timeless(one) != _timeless(other) and {one["event"], other["event"]} != {"game"}:
            return index
    return None if len(ours) == len(theirs) else min(len(ours), len(theirs))


def _timeless(event: Event) -> Event:
    return {key: value for key, value in event.items() if key not in ("ms", "cpu_ms", "late_ms")}
