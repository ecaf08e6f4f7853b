"""The rules of Hearts: the Hearts challenge with its answers, every ruling, and properties of random games."""

from __future__ import annotations

from itertools import permutations
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import mask
from games.hearing import Hearing
from games.hearts import GAME
from games.hearts.rules import INDEX
from games.hearts.view import View, why
from games.passes import Passes
from games.rng import pack
from tests.games.cast import playout
from tests.games.hearts.table import SUITS, deal, legal, passes, play, start, three

SEEDS = st.integers(0, 2**40)


# The pass (docs/rulings.md, Hearts 1)


def test_passing_rotates_left_right_across_none_and_starts_again() -> None:
    state = start(target=30_000)
    directions = []
    for number in range(1, 6):
        event = state.deal(pack(3, number))[0]
        assert event["number"] == number
        directions.append(event["pass"])
        while state.turn >= 0:
            state.apply(state.legal()[0])
    assert directions == ["left", "right", "across", "none", "left"]


@pytest.mark.parametrize(("number", "to"), [(0, [1, 2, 3, 0]), (1, [3, 0, 1, 2]), (2, [2, 3, 0, 1])])
def test_cards_go_where_the_direction_says(number: int, to: list[int]) -> None:
    state = start()
    state.number = number
    deal(state, *SUITS)
    given = ["2C 3C 4C", "KD QD AD", "AH 2H 9H", "QS 3S 7S"]
    for seat, names in enumerate(given):
        assert state.turn == seat
        assert state.event(three(names)) == {"event": "pass", "seat": seat, "to": to[seat], "cards": names.split()}
        passes(state, names)
    for seat, names in enumerate(given):
        assert state.hands[to[seat]] & mask(three(names)) == mask(three(names))
        assert not state.hands[seat] & mask(three(names))
    assert state.turn == to[0]  # whoever got the two of clubs leads


def test_there_are_286_passes_and_any_order_of_three_is_legal() -> None:
    state = start()
    deal(state, *SUITS)
    choices = state.legal()
    assert isinstance(choices, Passes)
    assert len(choices) == len(set(choices)) == comb(13, 3)
    assert choices[0] == three("2C 3C 4C")
    assert choices[-1] == three("QC KC AC")
    assert choices[3:5] == list(choices)[3:5]
    for order in permutations(three("5C QC 9C")):
        assert state.is_legal(order)


@pytest.mark.parametrize(
    ("names", "objection"),
    [
        ("2C 3C 3C", "wanted to pass 3C twice"),
        ("2C 3C 4D", "wanted to pass 4D, which it does not hold"),
        ("2C 3C", "passed (0, 1), which are not three cards"),
        ("2C 3C 4C 5C", "passed (0, 1, 2, 3), which are not three cards"),
    ],
)
def test_a_bad_pass_is_refused(names: str, objection: str) -> None:
    state = start()
    deal(state, *SUITS)
    assert not state.is_legal(three(names))
    assert state.objection(three(names)) == objection


def test_in_the_fourth_hand_nothing_is_passed() -> None:
    state = start()
    event = deal(state, *SUITS, unpassed=True)[0]
    assert event["pass"] == "none"
    assert state.turn == 0
    assert legal(state) == "2C"


# Leading and following (docs/rulings.md, Hearts 2; A4, A5, A6 of the Hearts challenge)


def test_the_two_of_clubs_is_led_first() -> None:
    state = start()
    deal(state, "AS 3C", "4C AH", "2C AC KC", unpassed=True)
    assert state.turn == 2
    assert legal(state) == "2C"
    assert state.objection(INDEX["AC"]) == "led AC, but the two of clubs must be led to the first trick"


def test_who_can_follow_must() -> None:
    state = start()
    deal(state, "2C", "5C QC AH", unpassed=True)
    play(state, "2C")
    assert set(legal(state).split()) >= {"5C", "QC"}
    assert not state.is_legal(INDEX["AH"])
    assert state.objection(INDEX["AH"]).startswith("played AH, but had to follow suit: clubs were led and it held ")
    assert state.objection(INDEX["2C"]) == "wanted to play 2C, which it does not hold"


def unbroken(hand: str) -> Any:
    """Seat 0 holds this and leads the second trick; the first had only clubs."""
    state = start()
    clubs = ["3C 4C", "5C 6C", "7C 8C"]
    deal(state, f"2C {hand}", *clubs, unpassed=True)
    state.hands = [mask(three(f"2C {hand}")), *(mask(three(two)) for two in clubs)]
    play(state, "2C 3C 5C 7C")
    assert state.turn == 3
    state.turn = 0  # as if these two seats had taken it
    return state


def test_hearts_may_not_be_led_until_a_point_card_was_played() -> None:
    state = unbroken("4H 9H 8D KS")
    assert legal(state) == "8D KS"
    assert state.objection(INDEX["4H"]) == (
        "led 4H, but no point card was played on an earlier trick, and it also held 8D, KS"
    )


def test_the_queen_of_spades_may_be_led_at_any_time() -> None:
    assert legal(unbroken("4H 9H 8D QS")) == "8D QS"


def test_q5_with_nothing_but_point_cards_any_of_them_may_be_led() -> None:
    assert legal(unbroken("4H 9H QS")) == "4H 9H QS"
    assert legal(unbroken("4H 9H")) == "4H 9H"


def test_q6_point_cards_may_be_thrown_on_the_first_trick() -> None:
    state = start()
    deal(state, *SUITS, unpassed=True)
    play(state, "2C")
    assert len(state.legal()) == 13
    events = play(state, "5D AH QS")
    assert events[-1] == {"event": "trick", "winner": 0, "points": 14}
    assert len(state.legal()) == 12


# Points and the end (docs/rulings.md, Hearts 3)


def test_a_heart_counts_one_and_the_queen_thirteen() -> None:
    assert why([INDEX[name] for name in ("QS", "2H", "AH", "3C")]) == [
        {"points": 13, "for": "the queen of spades"},
        {"points": 2, "for": "two hearts"},
    ]
    assert why([INDEX["3C"]]) == []


def moon() -> list[dict[str, Any]]:
    state = start()
    deal(state, "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC", *SUITS[1:], unpassed=True)
    events = []
    for row in zip(*(suit.split() for suit in SUITS), strict=True):
        events += play(state, " ".join(row))
    return events


def test_shooting_the_moon_is_26_less_for_the_shooter_and_nothing_for_the_others() -> None:
    assert moon()[-1] == {"event": "score", "hand": [-26, 0, 0, 0], "total": [-26, 0, 0, 0]}


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_every_hand_is_26_points_and_everything_adds_up(seed: int) -> None:
    state, events = playout(GAME, seed, GAME.options({"target": 60}))
    total, taken = [0, 0, 0, 0], [0, 0, 0, 0]
    for event in events:
        if event["event"] == "trick":
            taken[event["winner"]] += event["points"]
        elif event["event"] == "score":
            assert sum(taken) == 26
            assert event["hand"] == ([-26 if points else 0 for points in taken] if 26 in taken else taken)
            total = [old + new for old, new in zip(total, event["hand"], strict=True)]
            assert event["total"] == total
            taken = [0, 0, 0, 0]
    winner = total.index(min(total)) if total.count(min(total)) == 1 else None
    assert state.result() == {"event": "result", "scores": total, "winner": winner}


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, target=st.integers(1, 90))
def test_the_game_ends_after_the_first_hand_in_which_somebody_has_the_points(seed: int, target: int) -> None:
    _, events = playout(GAME, seed, GAME.options({"target": target}))
    totals = [event["total"] for event in events if event["event"] == "score"]
    assert [max(total) >= target for total in totals] == [False] * (len(totals) - 1) + [True]


# Faults and options


def test_a_disqualified_seat_cannot_win_but_its_points_end_the_game() -> None:
    state = start()
    state.disqualify(1)
    state.totals = [30, 5, 110, 31]
    assert state.result()["winner"] == 0
    state.totals = [30, 5, 110, 30]
    assert state.result()["winner"] is None


def test_a_millisecond_costs_a_point_unless_the_options_say_otherwise() -> None:
    assert "points_per_ms" not in GAME.options()
    assert GAME.penalty(GAME.options(), 21.25) == 21.25
    assert GAME.penalty(GAME.options({"points_per_ms": 0.5}), 21) == 10.5
    assert GAME.penalty(GAME.options({"points_per_ms": 0}), 21) == 0


def test_everybody_sits_everywhere_with_everybody_in_24_games() -> None:
    seatings = [GAME.opening(5, number, 4)["seating"] for number in range(1, 25)]
    assert sorted(map(tuple, seatings)) == sorted(permutations(range(4)))
    assert seatings[0] == [0, 1, 2, 3]
    assert GAME.opening(5, 25, 4)["seating"] == seatings[0]
    assert GAME.fair_games() == 24


# Views


@settings(max_examples=6, deadline=None)
@given(seed=SEEDS, seat=st.integers(0, 3))
def test_a_seat_sees_its_own_hand_and_its_own_passes(seed: int, seat: int) -> None:
    _, events = playout(GAME, seed, GAME.options({"target": 1}))
    table, mine, spectator = View(None), View(seat), View(None)
    hearing = Hearing(GAME, [(seat, mine.tell), (None, spectator.tell)])
    for event in events:
        table.tell(event)
        hearing.tell(event)
        everything, own, blind = table.position(), mine.position(), spectator.position()
        assert [hand is None for hand in own["hands"]] == [owner != seat for owner in range(4)]
        assert blind["hands"] == [None] * 4
        if everything["phase"] != "pass":
            assert own["hands"][seat] == everything["hands"][seat]
            for giver, given_ in enumerate(own["passes"]):
                shown = given_ is not None and given_["cards"] is not None
                assert shown == (given_ is not None and seat in (giver, given_["to"]))
            assert all(given_ is None or given_["cards"] is None for given_ in blind["passes"])
            for key in ("current", "last", "points", "totals", "taken", "broken", "voids", "played", "counts", "moon"):
                assert own[key] == blind[key] == everything[key]
