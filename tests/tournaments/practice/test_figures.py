"""Win rates and points of practice, computed a second way; and their intervals."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

import games
from contest.models import Contest, Team
from submissions.models import Submission
from tournaments.formats.confidence import errors_for, wilson
from tournaments.models import PracticeGame, PracticeOrder, PracticePlayer
from tournaments.practice.figures import figures

FOURS = games.get("tricky_eights")
TEAM = 7


def any_order(random: Random) -> tuple[PracticeOrder, list[PracticeGame]]:
    """An order that was never stored, with random results: players 1 to 3 may be the same opponent."""
    contest = Contest(game_slug=FOURS.slug, preset=FOURS.preset().name)
    order = PracticeOrder(pk=1, contest=contest, team=Team(pk=TEAM, name="Aces"), wanted=1)
    kinds = [random.choice(["house:random", "team:9", "version:2"]) for _ in range(3)]
    players = [_player(order, 0, "version:1"), *(_player(order, n, kind) for n, kind in enumerate(kinds, 1))]
    order._prefetched_objects_cache = {"players": _Fixed(players)}  # type: ignore[attr-defined]
    found = []
    for number in range(1, random.randint(1, 12) + 1):
        lineup = random.sample(range(4), 4)
        scores = [random.randint(0, 4) for _ in range(4)]
        places = [1 + sum(other > score for other in scores) for score in scores]
        results: list[dict[str, Any]] = [
            {"score": score, "penalty": 0.5, "place": place} for score, place in zip(scores, places, strict=True)
        ]
        own = lineup.index(0)
        won = 1 / places.count(1) if places[own] == 1 else 0.0
        seating = random.sample(range(4), 4) if random.random() < 0.5 else None
        found.append(
            PracticeGame(
                order=order,
                number=number,
                lineup=lineup,
                state=random.choice(["done", "done", "done", "failed", "cancelled"]),
                results=results,
                points=scores[own] + 0.5,
                place=places[own],
                won=won,
                opening={"seating": seating} if seating else {},
                seed=1,
            )
        )
    return order, found


class _Fixed(list[PracticePlayer]):
    def all(self) -> list[PracticePlayer]:
        return self


def _player(order: PracticeOrder, number: int, key: str) -> PracticePlayer:
    kind, _, which = key.partition(":")
    if kind == "house":
        return PracticePlayer(order=order, number=number, house=which)
    team = order.team if kind == "version" else Team(pk=int(which), name=f"Team {which}")
    version = Submission(pk=number + 1, number=int(which) if kind == "version" else 1, team=team)
    return PracticePlayer(order=order, number=number, team=team, submission=version)


@pytest.mark.parametrize("seed", range(12))
def test_figures_a_second_way(seed: int) -> None:
    order, found = any_order(Random(seed))
    told = figures(order, found)
    played = [game for game in found if game.state == "done"]
    assert told.all.games == len(played)
    keys = {player.number: player.key for player in order.players.all()}
    seats, opponents = defaultdict(list), defaultdict(list)
    wins = []
    for game in played:
        at = {number: index for index, number in enumerate(game.lineup)}
        scores = {number: game.results[index]["score"] for number, index in at.items()}
        best = [number for number, score in scores.items() if score == max(scores.values())]
        wins.append((0 in best) / len(best))
        table = game.opening.get("seating", [0, 1, 2, 3])
        seats[[table[seat] for seat in range(4)].index(at[0])].append(wins[-1])
        met = defaultdict(list)
        for number in (1, 2, 3):
            met[keys[number]].append(scores[0] - scores[number])
        for key, differences in met.items():
            better = [1.0 if it > 0 else 0.5 if it == 0 else 0.0 for it in differences]
            opponents[key].append((fmean(better), fmean(differences)))
    if not played:
        assert (told.all.won, told.all.points, told.seats, told.opponents) == (None, None, [], [])
        return
    points = [game.points or 0 for game in played]
    assert told.all.won == pytest.approx(fmean(wins))
    assert told.all.points == pytest.approx(fmean(points))
    if len(played) < 4:
        assert (told.all.low, told.all.high, told.all.margin) == (None, None, None)
    else:
        margin = errors_for(len(points)) * stdev(points) / len(points) ** 0.5
        assert told.all.margin == pytest.approx(margin, abs=1e-6)
        assert (told.all.low, told.all.high) == pytest.approx(wilson(len(wins), fmean(wins)))
    assert {int(line.key): line.won for line in told.seats} == pytest.approx(
        {seat: fmean(those) for seat, those in seats.items()}
    )
    assert {line.key: (line.won, line.points, line.games) for line in told.opponents} == {
        key: (
            pytest.approx(fmean(won for won, _ in those)),
            pytest.approx(fmean(points for _, points in those)),
            len(those),
        )
        for key, those in opponents.items()
    }
