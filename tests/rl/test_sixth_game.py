"""A game that has no encoding of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from pettingzoo.test import api_test, seed_test

import games
import kibitz_rl
from games.encoding import OTHERS, PlainEncoding
from games.engine import Game
from tests.rl.playing import allowed, field, make, over, play_randomly

pytestmark = pytest.mark.long("more")

FOLDER = Path(__file__).resolve().parents[1] / "sixth_game"


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    monkeypatch.syspath_prepend(FOLDER)
    loaded = games.load("oh_hell")
    yield loaded
    del games.GAMES[loaded.slug], games.PACKAGE_OF[loaded.slug]


def test_it_passes_the_tests_of_pettingzoo(game: Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(kibitz_rl.env(game.slug), num_cycles=100)
        seed_test(lambda: kibitz_rl.env(game.slug), num_cycles=50)


def test_its_bids_are_actions_that_everybody_sees(game: Game) -> None:
    env, cards = kibitz_rl.env(game.slug), len(game.pack)
    env.reset(seed=1)
    assert allowed(env) == [cards + bid for bid in range(6)]
    bidder = env.agent_selection
    env.step(cards + 3)
    seat = int(bidder.removeprefix("player_"))
    said = {agent: field(env, "said", agent) for agent in env.agents}
    assert {agent: told.index(4) for agent, told in said.items()} == {
        f"player_{other}": (seat - other) % 4 for other in range(4)
    }
    for _ in range(3):
        env.step(cards)
    assert set(allowed(env)) <= {card for card, held in enumerate(field(env, "hand", env.agent_selection)) if held}


def test_its_rewards_are_its_points(game: Game) -> None:
    env = kibitz_rl.env(game.slug)
    env.reset(seed=2)
    earned = play_randomly(env, Random(2))
    assert list(earned.values()) == env.events[-1]["scores"]
    assert any(earned.values())


def test_games_with_an_encoding_do_not_need_the_plain_one_but_could_do_with_it() -> None:
    """It knows the ordinary events of all games, except for decisions of several cards."""
    env, random = make("tricky_eights"), Random(3)
    env._encode = lambda seat, options: PlainEncoding(env.game, seat, options)
    env._spaces()
    env.reset(seed=3)
    while not over(env):
        assert allowed(env)
        env.step(random.choice(allowed(env)))
    env = make("hearts")
    env._encode = lambda seat, options: PlainEncoding(env.game, seat, options)
    env._spaces()
    with pytest.raises(ValueError, match="needs an encoding of its own"):
        env.reset(seed=3)
    assert OTHERS < 286
