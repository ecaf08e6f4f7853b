"""How a version did in practice: the share of games won and the points, with 95 % confidence intervals.

One game is one unit. The interval of a share is Wilson's, that of a mean Student's (tournaments.formats.confidence). A
shared first place counts as a part of a win: a half of two, a third of three. In a game for one player a win is a game
without a mistake. Against an opponent, a game is won by the better place, and a tie counts as a half; the points are
the difference. If an opponent has several seats in a game, they are averaged first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from games.engine import Game
from tournaments.formats.confidence import FEWEST, mean_and_margin, wilson
from tournaments.models import PracticeGame, PracticeOrder, PracticePlayer


@dataclass(frozen=True, slots=True)
class Line:
    """Some games: the share won and the average of the points. Intervals are None with fewer than four games."""

    title: str
    key: str  # of a seat or an opponent, for programs
    games: int
    won: float | None
    low: float | None
    high: float | None
    points: float | None
    margin: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    all: Line
    seats: list[Line]
    opponents: list[Line]  # `points` is how many more than the opponent
    faults: int


def line(title: str, key: object, units: Sequence[tuple[float, float]]) -> Line:
    """`units`: (won, points) of each game."""
    count = len(units)
    points = [value for _, value in units]
    mean, margin = mean_and_margin(count, sum(points), sum(value * value for value in points))
    won = fmean(won for won, _ in units) if units else None
    low, high = wilson(count, won) if won is not None and count >= FEWEST else (None, None)
    return Line(title, f"{key}", count, won, low, high, mean, margin)


def figures(order: PracticeOrder, games: Iterable[PracticeGame]) -> Figures:
    """The figures of the games that were played. `order`: with its players and its contest."""
    rules = order.contest.game
    players = {player.number: player for player in order.players.all()}
    played = [game for game in games if game.state == PracticeGame.State.DONE]
    return Figures(
        all=line("All games", "all", [_unit(game) for game in played]),
        seats=_by_seat(rules, played),
        opponents=_by_opponent(players, played),
        faults=sum(game.faults for game in played),
    )


def _unit(game: PracticeGame) -> tuple[float, float]:
    return game.won or 0.0, game.points or 0.0


def _by_seat(rules: Game, played: Sequence[PracticeGame]) -> list[Line]:
    found: dict[int, list[tuple[float, float]]] = {}
    for game in played:
        found.setdefault(game.seat, []).append(_unit(game))
    return [line(rules.seat_names[seat].capitalize(), seat, units) for seat, units in sorted(found.items())]


def _by_opponent(players: Mapping[int, PracticePlayer], played: Sequence[PracticeGame]) -> list[Line]:
    """Opponents in the order of their numbers. The same one under several numbers is one opponent."""
    units: dict[str, list[tuple[float, float]]] = {}
    for game in played:
        for key, met in _meetings(players, game).items():
            units.setdefault(key, []).append((fmean(won for won, _ in met), fmean(points for _, points in met)))
    names = {player.key: player.name for player in players.values()}
    return [line(name, key, units[key]) for key, name in names.items() if key in units]


def _meetings(players: Mapping[int, PracticePlayer], game: PracticeGame) -> dict[str, list[tuple[float, float]]]:
    """How the game ended against each opponent: (1, ½ or 0, difference of the points) for each of its seats."""
    found: dict[str, list[tuple[float, float]]] = {}
    mine = game.results[game.index]
    for number, theirs in zip(game.lineup, game.results, strict=True):
        if number == game.own:
            continue
        won = 0.5 if mine["place"] == theirs["place"] else float(mine["place"] < theirs["place"])
        found.setdefault(players[number].key, []).append((won, _counted(mine) - _counted(theirs)))
    return found


def _counted(result: Mapping[str, Any]) -> float:
    return float(result["score"] or 0) + float(result["penalty"] or 0)
