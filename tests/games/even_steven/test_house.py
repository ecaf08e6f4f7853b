"""The house players of Even Steven: legal, deterministic, fair, each stronger than the one before, the last perfect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import get
from games.engine import House
from games.even_steven.house import HOUSE
from games.even_steven.rules import INDEX, PACK, winnable
from games.format import dumps
from games.players import HousePlayer
from games.referee import play
from games.rng import Portable, pack
from tests.games.cast import seats, without_times

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


@cache
def deals() -> list[tuple[list[int], int]]:
    """Deals that can be won, of every size."""
    dealt = [(pack(7, number), 1 + number % 13) for number in range(1, 4000)]
    return [(cards, size) for cards, size in dealt if winnable(cards[:size], cards[size : 2 * size])]


@cache
def share(name: str) -> list[bool]:
    return [wins(BY_NAME[name], cards, size, number) for number, (cards, size) in enumerate(deals())]


def test_the_weakest_is_random_and_the_strongest_perfect() -> None:
    assert NAMES[0] == "random"
    assert [house.skill for house in HOUSE][-1] == "perfect"


@settings(max_examples=50, deadline=None)
@given(cards=st.permutations(range(52)), size=st.integers(1, 13))
def test_thrifty_never_loses_unnecessarily(cards: list[int], size: int) -> None:
    assert wins(BY_NAME["thrifty"], cards, size) == winnable(cards[:size], cards[size : 2 * size])


def test_thrifty_wins_whatever_can_be_won() -> None:
    assert all(share("thrifty"))
    assert {size for _, size in deals()} == set(range(1, 14))


@pytest.mark.parametrize(("weak", "strong"), list(pairwise(NAMES)))
def test_it_is_stronger_than_the_one_before(weak: str, strong: str) -> None:
    """Among winnable games it wins more, by four standard errors of the difference on the same deals."""
    differences = [mine - other for mine, other in zip(share(strong), share(weak), strict=True)]
    mean = sum(differences) / len(differences)
    error = (sum((each - mean) ** 2 for each in differences) / len(differences)) ** 0.5 / len(differences) ** 0.5
    assert mean > 4 * error


@pytest.mark.parametrize("name", NAMES)
def test_the_same_random_numbers_give_the_same_record(name: str) -> None:
    def record() -> str:
        players = seats(HousePlayer(BY_NAME[name]))
        match = play(GAME, players, seed=8, options=GAME.options(), preset="bospre-2009", games=10)
        return dumps(without_times(match.record))

    assert record() == record()


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


@pytest.mark.parametrize(
    ("name", "hand", "card", "chosen"),
    [
        ("thrifty", "Kd 8c As 5s", "3s", "5s"),
        ("thrifty", "Kd 8c As 5s", "8d", "8c"),
        ("thrifty", "4h 2d", "9s", "2d"),
        ("wary", "Kd 8c As 5s", "8d", "Kd"),
        ("wary", "8c 5s", "8d", "8c"),
        ("wary", "4h 2d", "9s", "2d"),
        ("careless", "4h 2d As", "9s", "As"),
        ("hoarder", "Ah As 9c", "8d", "9c"),
        ("hoarder", "Ah 7c", "8d", "Ah"),
        ("sorter", "Ah Kd 8c", "8d", "8c"),
        ("sorter", "Ah 2c 6d", "7d", "Ah"),
    ],
)
def test_what_they_play(name: str, hand: str, card: str, chosen: str) -> None:
    assert plays(name, hand, card) == {chosen}


def plays(name: str, hand: str, card: str) -> set[str]:
    """What it ever plays in a position, with different random numbers."""
    found = set()
    for number in range(60):
        player = BY_NAME[name].make(0, GAME.options(), Portable(1, number, 0))
        player.tell({"event": "deal", "card": card})
        found.add(PACK[int(str(player.choose([INDEX[each] for each in hand.split()])))])
    return found
