from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import get
from games.cards import CARDS, mask, suit_of
from games.engine import CHANCE, OVER
from games.passes import Passes
from games.rng import pack
from games.trick_rules import LED, TOP, playable, playable_cards

HANDS = st.sets(st.sampled_from(CARDS), min_size=1)


@given(HANDS, st.sampled_from(CARDS))
def test_who_holds_the_suit_must_follow_it(hand: set[int], led: int) -> None:
    following = {card for card in hand if suit_of(card) == suit_of(led)}
    assert set(playable_cards(mask(hand), led)) == (following or hand)


@given(HANDS)
def test_the_leader_plays_what_he_likes(hand: set[int]) -> None:
    assert playable(mask(hand), None) == mask(hand)


@given(st.lists(st.sampled_from(CARDS), min_size=1, max_size=4, unique=True))
def test_the_tables_agree_with_the_rule(cards: list[int]) -> None:
    following = [card for card in cards if LED[cards[0]] >> card & 1]
    assert TOP[cards[0]] >= max(following)


HELD = (3, 5, 8, 13, 21)


@pytest.mark.parametrize("cards", [(), (7, 9), (4, 1, 6), HELD, tuple(range(13))])
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
    passes = Passes(HELD)
    assert (3, 8, 21) in passes
    assert passes.index((3, 8, 13)) == 3
    assert all(way not in passes for way in ((8, 3, 21), (3, 8), (3, 8, 22), None, 3))


def test_the_same_hand_passes_the_same() -> None:
    assert Passes(HELD) == Passes(tuple(HELD))
    assert hash(Passes(HELD)) == hash(Passes(HELD))
    assert Passes(HELD) != Passes(HELD[1:])
    assert Passes(HELD) != list(Passes(HELD))


@pytest.mark.parametrize("slug", ["hearts", "intensity", "tricky_eights"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_the_open_table_knows_what_the_rules_know(slug: str, seed: int) -> None:
    """At every step of a random game."""
    game, chance, packs = get(slug), Random(seed), 0
    short = {"target": 40} if "target" in game.options() else {}
    state, view = game.start(game.options(short)), game.view(None)
    while state.turn != OVER:
        if state.turn == CHANCE:
            packs += 1
            events = list(state.deal(pack(seed, packs, len(game.pack))))
        else:
            legal = state.legal()
            assert view.turn == state.turn
            assert view.legal() == (None if isinstance(legal, Passes) else tuple(legal))
            action = chance.choice(list(legal))
            events = [state.event(action), *state.apply(action)]
        for event in events:
            view.tell(event)
        assert [mask(hand or []) for hand in view.hands] == state.hands
    view.tell(state.result() | ({"cpu_ms": [1, 2, 3, 4]} if slug == "hearts" else {}))
    position = view.position()
    assert (position["phase"], position["winner"]) == ("over", state.result()["winner"])
    assert position["totals"] == state.scores()
