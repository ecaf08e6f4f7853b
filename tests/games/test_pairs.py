"""A pair: the same deals for both versions, in every seat in turn, and where the two first differ."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from games import GAMES, get
from games.build import seated
from games.engine import Game
from games.pairs import Measure, fork, games_of, openings_of, seats_of, seed_of, worth
from games.record import Record, games, seating_of, verify
from games.referee import play
from tests.games.cast import TRICKY

EVERY = [pytest.param(game, id=game.slug) for game in GAMES.values()]
SHORT: dict[str, dict[str, Any]] = {"tricky_eights": {"target": 40}}


def played(game: Game, version: str, number: int, count: int) -> Record:
    players = game.seats[0]
    bots = [version, *[game.house[1].name] * (players - 1)]
    return play(
        game,
        [seated(game, f"house:{bots[each]}") for each in seats_of(number, players)],
        seed=seed_of(5, number),
        options=game.options(SHORT.get(game.slug, {})),
        preset=game.preset().name,
        games=count,
        openings=openings_of(count),
    ).record


def hands(record: Record) -> list[list[Any]]:
    return [[event.get("hands") for event in events if event["event"] == "hand"] for events in games(record)]


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.parametrize("count", [1, 3])
def test_both_versions_get_the_same_deals(game: Game, count: int) -> None:
    new, old = (played(game, game.house[place].name, 2, count) for place in (-2, 0))
    assert verify(new) is None
    assert verify(old) is None
    for ours, theirs in zip(hands(new), hands(old), strict=True):
        both = min(len(ours), len(theirs))
        assert both
        assert ours[:both] == theirs[:both]


@pytest.mark.parametrize("game", EVERY)
def test_the_fork_is_the_first_decision_that_differs_and_the_version_made_it(game: Game) -> None:
    new, old = (played(game, game.house[place].name, 1, 2) for place in (-2, 0))
    where = fork(game, new, old)
    assert where is not None
    assert where.player == 0
    ours, theirs = games(new)[where.game - 1], games(old)[where.game - 1]
    one, other = ours[where.index], theirs[where.index]
    assert seating_of(new, ours)[one["seat"]] == 0
    assert game.chosen(one) != game.chosen(other)
    assert where.new != where.old


@pytest.mark.parametrize("game", EVERY)
def test_the_same_version_twice_has_no_fork_although_its_times_differ(game: Game) -> None:
    new, old = (played(game, game.house[1].name, 1, 2) for _ in range(2))
    assert fork(game, new, old) is None


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_version_goes_through_all_seats_and_its_opponents_through_the_others(players: int) -> None:
    every = [seats_of(number, players) for number in range(1, 1 + players * max(1, players - 1))]
    assert [each.index(0) for each in every[:players]] == list(range(players))
    assert all(sorted(each) == list(range(players)) for each in every)
    assert len(set(map(tuple, every))) == len(every)
    for seat in range(players):
        counts = Counter(each[seat] for each in every)
        assert len(set(counts.values())) == 1
    assert set(map(tuple, every)) <= set(permutations(range(players)))


def test_every_pair_has_deals_of_its_own() -> None:
    assert len({seed_of(1, number) for number in range(1, 1001)} | {seed_of(2, 1)}) == 1001


def result(
    scores: list[int], out: list[int], options: dict[str, Any] | None = None, slug: str = "tricky_eights"
) -> Record:
    game = get(slug)
    return {
        "game": slug,
        "options": game.options(options or {}),
        "seats": [{"name": "x", "bot": "x"}] * 4,
        "events": [{"event": "result", "scores": scores}],
        "result": {"scores": scores, "disqualified": out},
    }


def test_points_and_wins_of_a_game() -> None:
    record = result([300, 300, 10, 0], [])
    assert [worth(TRICKY, record, player, Measure.POINTS, 1) for player in range(4)] == [300, 300, 10, 0]
    assert [worth(TRICKY, record, player, Measure.WINS, 1) for player in range(4)] == [0.5, 0.5, 0, 0]


def test_a_disqualified_version_has_the_worst_points_and_wins_nothing() -> None:
    record = result([300, 200, 10, 0], [0])
    assert worth(TRICKY, record, 0, Measure.POINTS, 1) == 0
    assert worth(TRICKY, record, 0, Measure.WINS, 1) == 0
    assert worth(TRICKY, record, 1, Measure.WINS, 1) == 1


def test_lower_is_better_in_hearts_and_processor_time_costs_what_it_costs_in_a_contest() -> None:
    hearts = get("hearts")
    record = result([10, 12, 50, 100], [], slug="hearts")
    assert worth(hearts, record, 0, Measure.POINTS, 1) == -10
    record["events"][-1]["cpu_ms"] = [5, 0, 0, 0]
    assert worth(hearts, record, 0, Measure.POINTS, 1) == -15
    assert worth(hearts, record, 1, Measure.WINS, 1) == 1
    record["result"]["disqualified"] = [1]
    assert worth(hearts, record, 1, Measure.POINTS, 1) == -100


def test_games_won_are_a_share_of_the_games_planned() -> None:
    game = get("even_steven")
    record = played(game, "thrifty", 1, games_of(game))
    won = sum(events[-1]["verdict"] == "win" for events in games(record))
    for measure in Measure:
        assert worth(game, record, 0, measure, games_of(game)) == won / games_of(game)
