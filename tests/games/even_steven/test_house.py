"""The house players of Even Steven: fair, and the last perfect."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import get
from games.engine import House
from games.even_steven.house import HOUSE
from games.even_steven.rules import winnable
from games.rng import Portable, pack

GAME = get("even_steven")
NAMES = [house.name for house in HOUSE]
BY_NAME = {house.name: house for house in HOUSE}


def wins(house: House, cards: Sequence[int], size: int, name: int = 1) -> bool:
    """Whether it wins the game with these cards. It gets what its seat sees."""
    player = house.make(0, GAME.options(), Portable(name, 1, 0))
    state = GAME.start(GAME.options(), opening={"cards": size})
    events = state.deal(cards)
    while state.turn == 0:
        for event in events:
            seen = GAME.see(event, 0)
            assert seen is not None
            player.tell(seen)
        action = player.choose(state.legal())
        assert state.is_legal(action)
        events = state.apply(action)
    return state.scores() == [1]


@settings(max_examples=50, deadline=None)
@given(cards=st.permutations(range(52)), size=st.integers(1, 13))
def test_thrifty_never_loses_unnecessarily(cards: list[int], size: int) -> None:
    assert wins(BY_NAME["thrifty"], cards, size) == winnable(cards[:size], cards[size : 2 * size])


@pytest.mark.parametrize("name", NAMES)
def test_cards_to_come_do_not_change_what_it_does(name: str) -> None:
    for number in range(1, 20):
        cards = pack(11, number)
        rest = cards[7:]
        Random(number).shuffle(rest)
        choices = [first_choice(BY_NAME[name], dealt) for dealt in (cards, cards[:7] + rest)]
        assert choices[0] == choices[1]


def first_choice(house: House, cards: Sequence[int]) -> object:
    """With six cards in the hand, at the seventh."""
    player = house.make(0, GAME.options(), Portable(3, 1, 0))
    state = GAME.start(GAME.options(), opening={"cards": 6, "seed": None})
    for event in state.deal(cards):
        player.tell(GAME.see(event, 0) or {})
    return player.choose(state.legal())
