from itertools import combinations

import pytest

from games.passes import Passes

HAND = (3, 5, 8, 13, 21)


@pytest.mark.parametrize("cards", [(), (7, 9), (4, 1, 6), HAND, tuple(range(13))])
def test_every_three_cards_are_there_once_and_in_order(cards: tuple[int, ...]) -> None:
    passes, listed = Passes(cards), list(combinations(cards, 3))
    assert list(passes) == listed
    assert len(passes) == len(listed)
    assert bool(passes) == bool(listed)
    assert [passes[index] for index in range(-len(listed), len(listed))] == listed * 2
    assert passes[1:-1] == listed[1:-1]
    with pytest.raises(IndexError):
        passes[len(listed)]


def test_what_can_be_passed_is_found_among_them() -> None:
    passes = Passes(HAND)
    assert (3, 8, 21) in passes
    assert passes.index((3, 8, 13)) == 3
    assert all(way not in passes for way in ((8, 3, 21), (3, 8), (3, 8, 22), None, 3))


def test_the_same_hand_passes_the_same() -> None:
    assert Passes(HAND) == Passes(tuple(HAND))
    assert hash(Passes(HAND)) == hash(Passes(HAND))
    assert Passes(HAND) != Passes(HAND[1:])
    assert Passes(HAND) != list(Passes(HAND))
