"""The rules of Even Steven: the sample games of the problem, the verdict, the shuffle, and what a view shows."""

from __future__ import annotations

from copy import deepcopy
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import get
from games.engine import CHANCE, OVER, Event, FaultKind
from games.even_steven.judge import SAMPLE, parse_games
from games.even_steven.rules import INDEX, MODULUS, PACK, State, View, covers, shuffled, winnable
from games.record import positions, verify
from games.referee import play
from tests.games.cast import house, seats
from tests.games.even_steven import samples as printed

GAME = get("even_steven")
SEEDS = st.integers(1, MODULUS - 1)
SIZES = st.integers(1, 13)


def cards(names: str) -> list[int]:
    return [INDEX[name] for name in names.split()]


def names(some: Any) -> str:
    return " ".join(PACK[card] for card in some)


def dealt(hand: str, stock: str) -> State:
    """A game with these cards."""
    state = GAME.start(GAME.options(), opening={"cards": len(hand.split())})
    state.deal(GAME.packed({"event": "hand", "number": 1, "hands": [hand.split()], "stock": stock.split()}))
    return state


def played(hand: str, stock: str, plays: str) -> Event:
    """The result of a game with these plays."""
    state = dealt(hand, stock)
    for card in cards(plays):
        assert state.is_legal(card)
        state.apply(card)
    assert state.turn == OVER
    return state.result()


# The seed -------------------------------------------------------------------------------------------------------------


def test_the_sample_is_what_the_seed_prints() -> None:
    assert SAMPLE == printed.DEALER_INPUT


@settings(max_examples=50)
@given(seed=SEEDS, size=SIZES)
def test_the_shuffle_as_the_ruling_words_it(seed: int, size: int) -> None:
    deck = [
        rank + suit for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"] for suit in "cdhs"
    ]
    x = seed
    for i in range(52):
        x = 16807 * x % 2147483647
        j = i + x % (52 - i)
        deck[i], deck[j] = deck[j], deck[i]
    pack = shuffled(seed, size)
    assert sorted(pack) == list(range(52))
    assert [PACK[card] for card in pack[: 2 * size]] == deck[: 2 * size]


def test_games_of_the_same_seed_share_nothing_that_can_be_spoilt() -> None:
    """Their deal is cached: changes to one game or its events must not appear in the next."""
    opening = {"seed": 1181783497, "cards": 9}
    first, second = (GAME.start(GAME.options(), opening=opening) for _ in range(2))
    hand, deal = first.deal(GAME.shuffle(0, 1, opening))
    before = deepcopy([hand, deal])
    hand["hands"][0].clear()
    hand["stock"].clear()
    deal.clear()
    first.apply(first.legal()[0])
    assert list(second.deal(GAME.shuffle(0, 1, opening))) == before
    assert [PACK[int(str(card))] for card in second.legal()] == before[0]["hands"][0]


def test_suits_do_not_count_and_the_ace_is_high() -> None:
    assert covers(INDEX["2c"], INDEX["2s"])
    assert covers(INDEX["As"], INDEX["Kh"])
    assert covers(INDEX["10c"], INDEX["9s"])
    assert not covers(INDEX["9s"], INDEX["10c"])
    assert not covers(INDEX["Ks"], INDEX["Ac"])


# A game ---------------------------------------------------------------------------------------------------------------


def test_cards_that_were_never_dealt_count_for_the_verdict() -> None:
    """The next N cards of the pack, however early the game was lost."""
    assert played("Ac 5d", "6c 2h", "5d")["verdict"] == "lose unnecessarily"
    assert played("Ac 5d", "6c 6h", "5d")["verdict"] == "lose necessarily"


def test_a_card_is_dealt_after_each_that_is_covered() -> None:
    state = GAME.start(GAME.options(), opening={"cards": 2, "seed": 653723903})
    events = state.deal(GAME.shuffle(0, 1, {"cards": 2, "seed": 653723903}))
    assert events == (
        {"event": "hand", "number": 1, "hands": [["Kd", "8c"]], "stock": ["As", "5s"]},
        {"event": "deal", "card": "As"},
    )
    state = dealt("Kd 8c", "6s 5s")
    assert state.apply(INDEX["8c"]) == ({"event": "deal", "card": "5s"},)
    assert state.apply(INDEX["Kd"]) == ()
    assert state.turn == OVER


def test_every_card_of_the_hand_may_be_played_whether_it_covers_or_not() -> None:
    state = dealt("4h 2d Qs Jc", "8c Qc 9s 6s")
    assert names(state.legal()) == "4h 2d Qs Jc"
    state.apply(INDEX["Qs"])
    assert names(state.legal()) == "4h 2d Jc"


@pytest.mark.parametrize("opening", [{"cards": 0}, {"cards": 14}, {"cards": 2.0}, {"seed": 0}, {"seed": MODULUS}])
def test_openings_that_no_dealer_takes(opening: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"hand has 1 to 13|seed is greater"):
        GAME.start(GAME.options(), opening={"cards": 4, "seed": 5, **opening})


def test_a_seed_deals_its_own_cards_and_no_others() -> None:
    state = GAME.start(GAME.options(), opening={"cards": 4, "seed": 5})
    with pytest.raises(ValueError, match="seed 5 deals other cards"):
        state.deal(shuffled(6, 4))
    assert state.turn == CHANCE
    with pytest.raises(ValueError, match="as many cards"):
        GAME.packed({"event": "hand", "hands": [["4h", "2d"]], "stock": ["4h", "3c"]})


def test_the_limit_is_for_an_answer_however_many_lines_were_sent() -> None:
    assert GAME.seconds(GAME.options(), 1) == GAME.seconds(GAME.options(), 3) == 5


# The verdict, computed in two ways ------------------------------------------------------------------------------------


def can_win(hand: list[int], stock: list[int]) -> bool:
    """By trying everything."""
    return any(all(map(covers, order, stock)) for order in permutations(hand))


@settings(max_examples=50, deadline=None)
@given(pack=st.permutations(range(52)), size=st.integers(1, 6))
def test_a_hand_can_win_exactly_when_some_order_of_it_does(pack: list[int], size: int) -> None:
    hand, stock = pack[:size], pack[size : 2 * size]
    assert winnable(hand, stock) == can_win(hand, stock)


@settings(max_examples=50, deadline=None)
@given(ranks=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6))
def test_the_same_with_many_equal_values(ranks: list[tuple[int, int]]) -> None:
    hand, stock = [4 * mine for mine, _ in ranks], [4 * other for _, other in ranks]
    assert winnable(hand, stock) == can_win(hand, stock)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, size=SIZES, chance=st.randoms(use_true_random=False))
def test_whatever_is_played_the_verdict_is_right(seed: int, size: int, chance: Random) -> None:
    opening = {"seed": seed, "cards": size}
    state = GAME.start(GAME.options(), opening=opening)
    pack = GAME.shuffle(0, 1, opening)
    state.deal(pack)
    covered = True
    for place in range(size):
        card = chance.choice(list(state.legal()))
        state.apply(card)
        covered = covers(int(str(card)), pack[size + place])
        if not covered:
            break
    verdict = state.result()["verdict"]
    assert state.turn == OVER
    assert (verdict == "win") == covered
    assert (verdict == "lose necessarily") == (not winnable(pack[:size], pack[size : 2 * size]))


# Faults ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        (FaultKind.ILLEGAL, "incorrect output"),
        (FaultKind.GARBLED, "incorrect output"),
        (FaultKind.OUTPUT, "incorrect output"),
        (FaultKind.TIMEOUT, "program crashed"),
        (FaultKind.CRASH, "program crashed"),
        (FaultKind.MEMORY, "program crashed"),
        (FaultKind.VIOLATION, "program crashed"),
    ],
)
def test_every_fault_ends_the_run_with_its_verdict(kind: FaultKind, verdict: str) -> None:
    state = dealt("Kd 8c", "6s 5s")
    remedy = state.fault(kind)
    assert (remedy.settled, remedy.disqualified, remedy.points) == (True, False, None)
    result = state.result()
    assert (state.turn, result["verdict"], result["scores"], result["winner"]) == (OVER, verdict, [0], None)
    assert GAME.decided({}, [0], 1, result) is True


@pytest.mark.parametrize("verdict", ["win", "lose necessarily", "lose unnecessarily"])
def test_no_result_of_a_game_ends_the_run(verdict: str) -> None:
    assert GAME.decided({}, [0], 1, {"event": "result", "scores": [0], "verdict": verdict}) is None


# Openings -------------------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(seed=st.integers(0, 2**40), number=st.integers(1, 1000))
def test_games_of_a_match_are_games_of_a_dealer(seed: int, number: int) -> None:
    opening = GAME.opening(seed, number, 1)
    assert parse_games(f"{opening['cards']} {opening['seed']}") == [opening]
    assert GAME.opening(seed, number, 1) == opening


# Who sees what --------------------------------------------------------------------------------------------------------


def sample_record(name: str = "thrifty") -> dict[str, Any]:
    return play(
        GAME,
        seats(house(GAME, name)),
        seed=1,
        options=GAME.options(),
        preset="bospre-2009",
        openings=GAME.sample,
    ).record


def test_the_player_sees_neither_seed_nor_stock_nor_whether_it_had_to_lose() -> None:
    record = sample_record()
    told = [GAME.see(event, 0) for event in record["events"]]
    text = str(told)
    assert "876390176" not in text
    assert "stock" not in text
    assert "NECESSARILY" not in text.upper()
    assert "'hands': [['4h', '2d', 'Qs', 'Jc']]" in text


def test_spectators_do_not_see_the_hand() -> None:
    hand = next(event for event in sample_record()["events"] if event["event"] == "hand")
    assert GAME.see(hand, None) == {"event": "hand", "number": 1, "hands": [None]}


def test_what_exactly_went_wrong_is_for_the_player_alone() -> None:
    fault = {"event": "fault", "seat": 0, "kind": "garbled", "detail": "…", "answer": "?"}
    assert GAME.see(fault, 0) == fault
    assert GAME.see(fault, None) == {"event": "fault", "seat": 0, "kind": "garbled"}


def test_positions_of_the_sample() -> None:
    record = sample_record()
    tables = [position.table for position in positions(record, 1, "table")]
    assert [table["phase"] for table in tables[:3]] == ["deal", "deal", "play"]
    assert tables[2] == {
        "phase": "play",
        "turn": 0,
        "number": 1,
        "size": 4,
        "hands": [["4h", "2d", "Qs", "Jc"]],
        "counts": [4],
        "coming": 3,
        "dealt": [{"card": "8c", "cover": None, "covered": None}],
        "open": "8c",
        "stock": ["Qc", "9s", "6s"],
        "legal": ["4h", "2d", "Qs", "Jc"],
        "covering": ["Qs", "Jc"],
        "mistake": None,
        "faults": [None],
        "verdict": "",
        "winner": None,
    }
    assert tables[-1]["dealt"][-1] == {"card": "9s", "cover": "2d", "covered": False}
    assert (tables[-1]["verdict"], tables[-1]["turn"], tables[-1]["legal"]) == ("lose necessarily", None, None)


def test_positions_from_the_seat_and_from_outside() -> None:
    record = sample_record()
    own = [position.table for position in positions(record, 1, 0)]
    assert own[2]["stock"] is None
    assert own[2]["legal"] == ["4h", "2d", "Qs", "Jc"]
    assert own[-1]["verdict"] == "lose"
    outside = [position.table for position in positions(record, 1, None)]
    assert (outside[2]["hands"], outside[2]["counts"], outside[2]["legal"]) == ([None], [4], None)
    assert outside[-1]["counts"] == [1]


@pytest.mark.parametrize(
    ("plays", "mistake"),
    [("5s 8c Kd As", None), ("As", None), ("As Kd", 1), ("As 8c 5s", 2), ("8c As", None), ("Kd As", 1)],
)
def test_the_mistake_is_the_first_play_after_which_nothing_helps(plays: str, mistake: int | None) -> None:
    view, stock = View(None), ["3s", "6h", "Kh", "5c"]
    view.tell({"event": "hand", "number": 1, "hands": [["Kd", "8c", "As", "5s"]], "stock": stock})
    for card, play_on_it in zip(stock, plays.split(), strict=False):
        view.tell({"event": "deal", "card": card})
        view.tell({"event": "play", "seat": 0, "card": play_on_it})
    assert view.mistake() == mistake


def test_a_game_that_had_to_be_lost_has_no_mistake() -> None:
    positions_ = positions(sample_record(), 1, "table")
    assert {position.table["mistake"] for position in positions_} == {None}
    assert verify(sample_record()) is None
