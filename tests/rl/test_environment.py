"""The environments of all games: PettingZoo's own tests, the referee's deals, rewards, and what is refused."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from games import GAMES
from games.engine import Event
from games.record import games as games_of
from games.referee import play
from kibitz_rl import CardGame
from tests.games.cast import house, seats
from tests.rl.playing import allowed, make, numbers, over, play_randomly

pytestmark = pytest.mark.long("more")

SLUGS = list(GAMES)


@pytest.fixture
def quiet() -> Iterator[None]:
    """PettingZoo warns of observations that are dictionaries, unless they are from one of its own environments."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Observation (space|is not)")
        yield


@pytest.mark.parametrize("slug", SLUGS)
def test_it_passes_the_tests_of_pettingzoo(slug: str, quiet: None) -> None:
    api_test(make(slug), num_cycles=300)
    seed_test(lambda: make(slug), num_cycles=100)


@pytest.mark.parametrize("slug", SLUGS)
def test_it_can_be_stepped_in_parallel(slug: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(turn_based_aec_to_parallel(make(slug)), num_cycles=60)


def bare(event: Event) -> Event:
    """An event without the time it took. The order in which cards are passed means nothing to the rules."""
    plain = {key: value for key, value in event.items() if key not in ("ms", "cpu_ms", "seating")}
    return {**plain, "cards": sorted(plain["cards"])} if isinstance(plain.get("cards"), list) else plain


@pytest.mark.parametrize("slug", SLUGS)
def test_a_seed_plays_the_same_match_as_the_referee(slug: str) -> None:
    """The deals of two games, house players with their own chance, and everything that the rules answer."""
    game, seed = GAMES[slug], 1211
    env = make(slug, house=dict.fromkeys(range(1, game.seats[1]), "random"))
    opening = {"seating": list(range(game.seats[1]))}
    players = seats(*(house(game) for _ in range(game.seats[1])))
    options = game.with_games(env.options, 2)
    record = play(
        game, players, seed=seed, options=options, preset=game.presets[0].name, openings=[opening, opening]
    ).record
    played = list(games_of(record))
    assert len(played) == 2
    for number, events in enumerate(played):
        env.reset(seed=None if number else seed)
        for event in events:
            if event["event"] in game.decisions and event["seat"] == 0:
                for choice in numbers(env, event):
                    env.step(choice)
        assert over(env)
        assert list(map(bare, env.events)) == list(map(bare, events))


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("final", [False, True])
def test_rewards_add_up_to_the_points_of_the_game(slug: str, final: bool) -> None:
    env, random = make(slug, final_rewards=final), Random(3)
    for seed in range(4):
        env.reset(seed=seed)
        earned = play_randomly(env, random)
        sign = -1 if env.game.low_wins else 1
        points = env.game.points(env.events[-1])
        assert earned == {f"player_{seat}": sign * each for seat, each in enumerate(points)}


def test_points_are_given_with_the_trick_that_brings_them() -> None:
    env, random = make("tricky_eights"), Random(5)
    env.reset(seed=5)
    while env.events[-1]["event"] != "trick":
        assert not any(env.rewards.values())
        env.step(random.choice(allowed(env)))
    trick = env.events[-1]
    assert env.rewards == {f"player_{seat}": trick["points"] * (seat == trick["winner"]) for seat in range(4)}


@pytest.mark.parametrize("slug", SLUGS)
def test_an_illegal_action_raises_and_changes_nothing(slug: str) -> None:
    env, random = make(slug), Random(2)
    env.reset(seed=2)
    for _ in range(30):
        if over(env):
            env.reset()
        before = env.state().tolist(), len(env.events)
        legal = allowed(env)
        wrong = random.choice([it for it in range(env.action_space(env.agent_selection).n) if it not in legal])
        for action in (int(wrong), np.int64(wrong), -1, 10_000, None):
            with pytest.raises(ValueError, match=f"{env.agent_selection} cannot choose"):
                env.step(action)
        assert (env.state().tolist(), len(env.events)) == before
        env.step(np.int64(random.choice(legal)))


def test_it_must_be_reset_first() -> None:
    env = make("hearts")
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)


def test_house_players_are_not_agents() -> None:
    env, random = make("hearts", house={0: "avoider", 2: "random", 3: "random"}), Random(4)
    assert env.possible_agents == ["player_1"]
    env.reset(seed=4)
    assert list(play_randomly(env, random)) == ["player_1"]
    assert {event["seat"] for event in env.events if event["event"] == "play"} == {0, 1, 2, 3}
    with pytest.raises(ValueError, match="no seat 7"):
        make("hearts", house={7: "random"})
    with pytest.raises(ValueError, match="nobody is left"):
        make("even_steven", house={0: "random"})


def test_an_opening_can_be_given() -> None:
    env = make("even_steven")
    env.reset(seed=1, options={"opening": {"cards": 3, "seed": 99}})
    assert len(allowed(env)) == 3
    again = make("even_steven")
    again.reset(seed=2, options={"opening": {"cards": 3, "seed": 99}})
    assert env.state().tolist() == again.state().tolist()


def test_a_game_can_be_read() -> None:
    env, random = make("intensity", render_mode="ansi"), Random(6)
    env.reset(seed=6)
    play_randomly(env, random)
    lines = env.render().splitlines()
    assert len(lines) >= len(env.events)
    assert all(lines)


@pytest.mark.parametrize("slug", SLUGS)
def test_options_reach_the_rules(slug: str) -> None:
    with pytest.raises(ValueError, match="no option"):
        make(slug, options={"nonsense": 1})
    assert isinstance(make(slug, preset=GAMES[slug].presets[0].name), CardGame)
