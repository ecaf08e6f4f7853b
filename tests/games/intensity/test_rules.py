"""The rules of Intensity: every sentence of the assignment, the rulings, a naive version, and random games."""

from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import listed
from games.engine import CHANCE, OVER, FaultKind
from games.intensity import GAME
from games.intensity.rules import State
from games.rng import pack
from tests.games.intensity import naive

SEEDS = st.integers(0, 2**40)
FIRST_SAMPLE = [  # "The Intensity Referee" in the Intensity assignment
    [10, 22, 23, 24, 28, 29, 35, 38, 41, 42],
    [11, 12, 15, 17, 21, 25, 27, 43, 44, 47],
    [20, 26, 30, 32, 33, 36, 37, 39, 40, 45],
    [13, 14, 16, 18, 19, 31, 34, 46, 48, 49],
]


def start(hands: list[list[int]] = FIRST_SAMPLE, **changes: Any) -> State:
    state = GAME.start(GAME.options(changes))
    state.deal([card - 10 for hand in hands for card in hand])
    return state


def discarded(*ways: tuple[int, ...], **changes: Any) -> State:
    """After the discards; by default the first three cards of every hand."""
    state = start(**changes)
    for seat in range(4):
        state.apply(ways[seat] if seat < len(ways) else listed(state.hands[seat])[:3])
    return state


# The deal and the discards


def test_forty_cards_are_dealt_to_four_players() -> None:
    state = GAME.start(GAME.options())
    assert state.turn == CHANCE
    (event,) = state.deal(pack(1511, 1, 40))
    assert list(event) == ["event", "number", "hands"]
    assert sorted(card for hand in event["hands"] for card in hand) == list(range(10, 50))
    assert all(hand == sorted(hand) and len(hand) == 10 for hand in event["hands"])
    assert state.turn == 0


def test_position_i_passes_three_cards_to_the_next_and_all_at_once() -> None:
    state = start()
    for seat in range(4):
        assert state.turn == seat
        hand = listed(state.hands[seat])
        assert list(hand) == FIRST_SAMPLE[seat], "nothing received yet"
        event = state.event(hand[:3])
        assert event == {"event": "pass", "seat": seat, "to": (seat + 1) % 4, "cards": list(hand[:3])}
        assert state.apply(hand[:3]) == ()
    for seat in range(4):
        kept, got = FIRST_SAMPLE[seat][3:], FIRST_SAMPLE[(seat - 1) % 4][:3]
        assert list(listed(state.hands[seat])) == sorted(kept + got)
    assert state.turn == 0, "position 0 leads the first round"


def test_every_three_cards_of_the_hand_may_be_discarded() -> None:
    state = start()
    legal = state.legal()
    assert len(legal) == 120
    assert list(legal) == list(combinations(FIRST_SAMPLE[0], 3))
    assert all(state.is_legal(way) for way in legal)


@pytest.mark.parametrize(
    ("action", "objection"),
    [
        ((10, 11, 22), "discarded 10, 11 and 22, but does not hold 11"),
        ((10, 22, 50), "discarded 10, 22 and 50, but 50 is not a card"),
        ((10, 10, 22), "discarded 10, 10 and 22, but each card can be discarded only once"),
        ((10, 22), "discarded 10 and 22, but three cards are due"),
        ((10, 22, 23, 24), "discarded 10, 22, 23 and 24, but three cards are due"),
        (10, "discarded 10, but three cards are due"),
    ],
)
def test_what_may_not_be_discarded(action: Any, objection: str) -> None:
    state = start()
    assert not state.is_legal(action)
    assert state.objection(action) == objection


def test_discards_in_another_order_or_form_are_none() -> None:
    state = start()
    for action in ((22, 10, 23), [10, 22, 23], (10.0, 22, 23), (True, 22, 23), "10 22 23"):
        assert not state.is_legal(action)  # type: ignore[arg-type]


# Playing


def play(state: State, *cards: int) -> list[dict[str, Any]]:
    events = []
    for card in cards:
        assert state.is_legal(card), card
        events += state.apply(card)
    return events


def test_following_winning_and_leading_on() -> None:
    state = discarded((10, 22, 23), (11, 12, 15), (20, 26, 30), (13, 14, 16))
    # 0: 13 14 16 24 28 29 35 38 41 42   1: 10 17 21 22 23 25 27 43 44 47
    # 2: 11 12 15 32 33 36 37 39 40 45   3: 18 19 20 26 30 31 34 46 48 49
    assert play(state, 13, 17, 11) == []
    assert state.turn == 3
    assert state.legal() == (18, 19)
    assert state.objection(30) == "played 30, but had to play a card with first digit 1: it held 18 and 19"
    assert state.objection(13) == "played 13, which it does not hold"
    assert state.objection(50) == "played 50, which is not a card: they are numbered 10 to 49"
    assert play(state, 18) == [{"event": "trick", "winner": 3, "points": 0}]
    assert state.turn == 3, "the winner leads"
    assert not state.is_legal(30)
    assert state.objection(30) == (
        "led 30, a calf, but no calf was played in an earlier round and it held 19, 20, 26, 46, 48 and 49"
    )
    assert play(state, 20, 24, 21, 33) == [{"event": "trick", "winner": 0, "points": 1}]
    assert state.is_legal(35), "a calf was played in an earlier round"


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_a_naive_formulation_agrees_at_every_step_of_random_games(seed: int) -> None:
    chance = Random(seed)
    state = GAME.start(GAME.options())
    state.deal(pack(seed, 1, 40))
    hands: list[list[int]] = [[], [], [], []]
    table: list[int] = []
    earlier: list[int] = []
    while state.turn != OVER:
        action = chance.choice(list(state.legal()))
        if isinstance(action, int):
            mine = hands[state.turn]
            allowed = [card for card in range(60) if naive.may_play(card, mine, table, earlier)]
            assert list(state.legal()) == allowed
            assert [card for card in range(60) if state.is_legal(card)] == allowed
            assert all(state.objection(card) for card in range(60) if card not in allowed)
            mine.remove(action)
            table.append(action)
        state.apply(action)
        if len(table) == 4:
            earlier, table = earlier + table, []
        if not earlier and not table:
            hands = [list(listed(hand)) for hand in state.hands]
    _, scores = naive.tell(earlier)
    assert len(earlier) == 40
    assert state.result()["scores"] == scores


# The end, faults, tournament points


def test_the_fewest_points_win_and_a_shared_place_has_no_winner() -> None:
    state = discarded()
    while state.turn != OVER:
        state.apply(state.legal()[0])
    state.points = [3, 7, 0, 7]
    assert state.result() == {"event": "result", "scores": [3, 7, 0, 7], "winner": 2}
    state.points = [0, 10, 0, 7]
    assert state.result()["winner"] is None
    state.fines = [5, 0, 0, 0]
    assert state.result() == {"event": "result", "scores": [5, 10, 0, 7], "winner": 2}
    state.disqualify(2)
    assert state.result()["winner"] == 0


def test_the_fine_is_an_option() -> None:
    state = start(fine=2)
    assert state.fault(FaultKind.ILLEGAL).points == 2
    assert state.scores() == [2, 0, 0, 0]
