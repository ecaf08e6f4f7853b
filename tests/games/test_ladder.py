"""The rungs of every game, and the scale that they are rated in."""

from __future__ import annotations

import pytest

from benchmarks import house as measuring
from games import GAMES, duels, ladder
from games.engine import Game


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_rungs_are_house_players_from_random_up(game: Game) -> None:
    names = [house.name for house in game.house]
    assert game.ladder[0] == names[0] == "random"
    assert [name for name in names if name in game.ladder] == list(game.ladder), "in the order of the house"
    assert len(game.ladder) <= 8
    ratings = [rung.rating for rung in ladder.rungs(game)]
    assert len(ratings) == len(game.ladder)
    assert ratings == sorted(ratings), "each is stronger than the one before"


@pytest.mark.parametrize(("slug", "name"), [(game.slug, house.name) for game in GAMES.values() for house in game.house])
def test_a_house_player_decides_the_same_whenever_it_has_the_same_seed_and_seat(slug: str, name: str) -> None:
    """And a rung as it did when it was measured. If you changed a player on purpose, measure its game again. The
    referee stops at an illegal decision of a house player."""
    game = GAMES[slug]
    known = ladder.measured(game)["players"].get(name, {}).get("digest") or measuring.digest(game, name)
    assert measuring.digest(game, name) == known


def test_ratings_follow_from_the_shares_of_matches_won() -> None:
    found = ladder.fit(["a", "b", "c"], [("b", "a", 100, 0.75), ("c", "b", 100, 0.6)])
    assert found["a"] == ladder.START
    assert found["b"] - found["a"] == pytest.approx(190.8, abs=1)
    assert found["c"] - found["b"] == pytest.approx(70.4, abs=1)


def test_a_duel_counts_what_processor_time_costs_as_a_tournament_does() -> None:
    game = GAMES["hearts"]
    seating = (0, 1, 0, 1)
    (record,) = duels.matches(game, ("house:avoider", "house:random"), 1, [seating])
    assert duels.won(game, [seating], [record]) == 1
    next(it for it in record["events"] if it["event"] == "result")["cpu_ms"] = [500.0, 0.0, 500.0, 0.0]
    assert duels.won(game, [seating], [record]) == 0
