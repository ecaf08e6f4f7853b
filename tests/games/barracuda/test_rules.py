"""The rules of Barracuda: the hands drawn in the Barracuda rules, every ruling, and properties of random games.

Rulings are those of docs/rulings.md, Barracuda.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.barracuda import GAME
from games.barracuda.rules import COPIES, PACK, RANKS, State
from games.engine import CHANCE, OVER, FaultKind, OptionError
from games.players import HousePlayer
from games.record import verify
from games.referee import play as play_match
from tests.games.barracuda.table import deal, kinds, play, start
from tests.games.cast import Dealer, FirstLegal, fault, playout, seats

SEEDS = st.integers(0, 2**40)


# The pack and the deal (docs/rulings.md, Barracuda 1)


def test_the_pack_is_two_packs_of_which_only_the_rank_counts() -> None:
    assert len(PACK) == 104
    assert set(Counter(PACK).values()) == {8}
    assert {int(card) for card in PACK} == set(range(1, 14))


def test_the_first_five_cards_are_lefts_and_stand_from_high_to_low() -> None:
    state = start(leader=1)
    (event,) = state.deal([0, 12, 25, 3, 8, *range(26, 39)])
    assert event == {"event": "hand", "number": 1, "leader": 1, "hands": [[13, 13, 9, 4, 1], [5, 4, 3, 2, 1]]}


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_the_hands_of_a_shuffle_are_parts_of_one_pack(seed: int) -> None:
    _, events = playout(GAME, seed, GAME.options({"target": 100}))
    hands = [event["hands"] for event in events if event["event"] == "hand"]
    for first in range(0, len(hands), 10):
        cards = Counter(card for pair in hands[first : first + 10] for hand in pair for card in hand)
        assert set(cards) <= set(range(1, RANKS + 1))
        assert max(cards.values()) <= COPIES


def test_a_hand_that_is_not_in_the_pack_any_more_is_refused() -> None:
    state = start()
    deal(state, "13 13 13 13 12", "13 13 13 13 12")
    play(state, "13 13 13 13 13 13 13 13 12 12")
    with pytest.raises(ValueError, match="not in the pack any more"):
        deal(state, "13 1 1 1 1", "2 2 2 2 2")
    assert state.number == 1
    deal(state, "12 1 1 1 1", "2 2 2 2 2")


# Tricks


def test_the_higher_card_takes_the_trick_and_the_lead() -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    assert play(state, "9 13")[-1] == {"event": "trick", "winner": 1, "points": 1}
    assert state.turn == 1
    assert play(state, "3 2")[-1] == {"event": "trick", "winner": 1, "points": 1}
    assert play(state, "4 8")[-1] == {"event": "trick", "winner": 0, "points": 1}
    assert state.turn == 0


def test_equal_cards_are_nobodys_trick_and_the_lead_stays() -> None:
    state = start(leader=1)
    deal(state, "12 9 8 2 1", "9 6 6 4 3")
    assert play(state, "9 9")[-1] == {"event": "trick", "winner": None, "points": 0}
    assert state.turn == 1
    assert state.tricks == [0, 0]


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, chance=st.randoms(use_true_random=False))
def test_what_is_legal_is_what_the_hand_says(seed: int, chance: Random) -> None:
    dealer = Dealer(GAME, seed)
    state: State = dealer.state
    challenged = False
    while state.turn != OVER:
        if state.turn == CHANCE:
            dealer.deal()
            challenged = False
            continue
        legal = list(state.legal())
        cards = sorted(set(state.hands[state.turn]), reverse=True)
        assert legal in (["accept", "reject"], cards if challenged else [*cards, "challenge"])
        assert [card for card in range(-1, 20) if state.is_legal(card)] == [it for it in cards if it in legal][::-1]
        action = chance.choice(legal)
        challenged |= action == "challenge"
        state.apply(action)


# Points, and who leads the next hand (docs/rulings.md, Barracuda 2, 4)


def test_more_tricks_are_a_point_and_lead_the_next_hand() -> None:
    """The first picture in the rules: a normal hand, one point for the player on the left."""
    state = start(leader=1)
    deal(state, "13 12 11 10 9", "8 7 6 5 4")
    events = play(state, "8 13 12 7 11 6 10 5 9 4")
    assert kinds(events)[-2:] == ["trick", "score"]
    assert events[-1] == {"event": "score", "hand": [1, 0], "total": [1, 0]}
    assert state.turn == CHANCE
    assert deal(state, "13 12 11 10 9", "8 7 6 5 4")[0]["leader"] == 0


def test_one_trick_to_none_is_more() -> None:
    state = start()
    deal(state, "9 8 7 6 5", "9 8 7 6 4")
    assert play(state, "9 9 8 8 7 7 6 6 5 4")[-1]["hand"] == [1, 0]


def test_a_tied_hand_is_nobodys_and_its_leader_leads_again() -> None:
    state = start(leader=1)
    deal(state, "9 8 7 6 5", "9 8 7 6 5")
    assert play(state, "9 9 8 8 7 7 6 6 5 5")[-1] == {"event": "score", "hand": [0, 0], "total": [0, 0]}
    assert deal(state, "9 8 7 6 5", "9 8 7 6 5")[0] == {
        "event": "hand",
        "number": 2,
        "leader": 1,
        "hands": [[9, 8, 7, 6, 5]] * 2,
    }


def test_the_lead_of_games_takes_turns() -> None:
    assert [GAME.opening(1, number, 2) for number in (1, 2, 3)] == [{"leader": 0}, {"leader": 1}, {"leader": 0}]
    assert GAME.start(GAME.options(), number=2).first == 1
    for leader in (2, -1, None, "0", True):
        with pytest.raises(ValueError):
            GAME.start(GAME.options(), opening={"leader": leader})


@pytest.mark.parametrize(
    ("scores", "played", "over"),
    [([4, 0], 4, False), ([5, 0], 5, True), ([9, 13], 22, False), ([20, 17], 37, False), ([21, 20], 41, True)],
)
def test_a_round_is_first_to_21_games_or_five_ahead(scores: list[int], played: int, over: bool) -> None:
    assert GAME.decided(GAME.options(), scores, played, {}) is over


def test_or_as_many_games_as_were_asked_for() -> None:
    options = GAME.with_games(GAME.options(), 7)
    assert GAME.options(options) == options
    assert [GAME.decided(options, [played, 0], played, {}) for played in (6, 7)] == [False, True]
    with pytest.raises(OptionError, match="games is a whole number of games, 1 to 999"):
        GAME.with_games(options, 1000)


def test_a_match_is_a_round_and_its_scores_are_games() -> None:
    house = GAME.house[0]
    record = play_match(
        GAME, seats(HousePlayer(house), HousePlayer(house)), seed=5, options=GAME.options(), preset="barracuda-2014"
    ).record
    winners = [event["winner"] for event in record["events"] if event["event"] == "result"]
    scores = record["result"]["scores"]
    assert scores == [winners.count(0), winners.count(1)]
    assert max(scores) == 21 or abs(scores[0] - scores[1]) == 5
    assert [event["leader"] for event in record["events"] if event["event"] == "game"] == [
        number % 2 for number in range(len(winners))
    ]
    assert verify(record) is None


# Challenges (docs/rulings.md, Barracuda 3)


def test_a_rejected_challenge_is_a_point_for_the_challenger_and_ends_the_hand() -> None:
    """The second picture in the rules. No events for tricks that were not played (docs/record.md)."""
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    events = play(state, "9 ! no")
    assert events == [
        {"event": "play", "seat": 0, "card": 9},
        {"event": "challenge", "seat": 1},
        {"event": "reject", "seat": 0},
        {"event": "score", "hand": [0, 1], "total": [0, 1]},
    ]
    assert deal(state, "13 12 11 10 9", "8 7 6 5 4")[0]["leader"] == 1


def test_an_accepted_challenge_decides_the_game() -> None:
    """The third picture in the rules: at the end of the hand the entire game is over."""
    state = start()
    deal(state, "13 12 11 10 9", "8 7 6 5 4")
    events = play(state, "! yes 13 8 12 7 11 6 10 5 9 4")
    assert events[-1] == {"event": "score", "hand": [0, 0], "total": [0, 0]}
    assert state.turn == OVER
    assert state.result() == {"event": "result", "scores": [0, 0], "winner": 0}
    assert GAME.points(state.result()) == [1, 0]


def test_a_tied_challenge_counts_for_nothing_but_its_number_and_its_cards() -> None:
    """The last picture in the rules: every trick is a tie."""
    state = start(leader=1)
    deal(state, "9 8 7 6 5", "9 8 7 6 5")
    events = play(state, "! yes 9 9 8 8 7 7 6 6 5 5")
    assert events[-1] == {"event": "score", "hand": [0, 0], "total": [0, 0]}
    assert state.turn == CHANCE
    assert GAME.dealt(state) == 10
    again = deal(state, "9 8 7 6 5", "9 8 7 6 5")[0]
    assert (again["number"], again["leader"]) == (2, 1)
    assert "challenge" in state.legal()


def test_after_it_is_accepted_the_challenger_is_asked_again() -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    play(state, "9 !")
    assert (state.turn, state.legal()) == (0, ("accept", "reject"))
    play(state, "yes")
    assert (state.turn, state.legal()) == (1, (13, 6, 4, 3))
    play(state, "13")
    assert (state.turn, state.legal()) == (1, (6, 4, 3))


@pytest.mark.parametrize(
    ("moves", "action", "objection"),
    [
        ("", 13, "wanted to play 13, which it does not hold"),
        ("", 400, "wanted to play 400, which it does not hold"),
        ("", "accept", "wanted to accept a challenge, but none was offered to it"),
        ("9", "reject", "wanted to reject a challenge, but none was offered to it"),
        ("!", 6, "played 6, but had to accept or reject the challenge"),
        ("!", "challenge", "offered a challenge, but had to accept or reject the challenge"),
        ("! yes", "accept", "wanted to accept a challenge, but none was offered to it"),
    ],
)
def test_objections(moves: str, action: Any, objection: str) -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    play(state, moves)
    assert not state.is_legal(action)
    assert state.objection(action) == objection


# Forfeits (docs/rulings.md, Barracuda 5)


def test_who_leads_nothing_loses_its_highest_card_and_the_trick() -> None:
    """The picture with the lost connection: 6 and 1 go, and the trick is the left player's."""
    state = start(leader=1)
    deal(state, "12 9 8 2 1", "6 6 4 3 2")
    events = play(state, "x")
    assert events[1:] == [
        {"event": "forfeit", "seat": 1, "lost": 6, "other": 1},
        {"event": "trick", "winner": 0, "points": 1},
    ]
    assert state.hands == [[12, 9, 8, 2], [6, 4, 3, 2]]
    assert state.turn == 0


def test_a_card_that_the_opponent_had_laid_goes_back_first() -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    assert play(state, "1 x")[2] == {"event": "forfeit", "seat": 1, "lost": 13, "other": 1}
    assert state.hands == [[12, 9, 8, 2], [6, 6, 4, 3]]
    assert play(state, "12 x")[2] == {"event": "forfeit", "seat": 1, "lost": 6, "other": 2}
    assert state.hands == [[12, 9, 8], [6, 4, 3]]


def test_the_opponent_of_who_fails_has_the_next_lead() -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    play(state, "9 13 3 x")
    assert (state.turn, state.tricks) == (1, [0, 2])


def test_a_hand_of_nothing_but_faults_ends() -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    events = play(state, "x x x x x")
    forfeits = [event for event in events if event["event"] == "forfeit"]
    assert [(event["seat"], event["lost"], event["other"]) for event in forfeits] == [
        (0, 12, 3),
        (1, 13, 1),
        (0, 9, 4),
        (1, 6, 2),
        (0, 8, 6),
    ]
    assert events[-1] == {"event": "score", "hand": [0, 1], "total": [0, 1]}


def test_failing_to_answer_a_challenge_rejects_it() -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    events = play(state, "! x")
    assert events[2:] == [
        {"event": "reject", "seat": 1, "by": "referee"},
        {"event": "score", "hand": [1, 0], "total": [1, 0]},
    ]


def test_failing_in_an_accepted_challenge_can_lose_the_game() -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    play(state, "! yes x 13 1 6 8 x 6 2")
    assert state.turn == OVER
    assert state.result()["winner"] == 1


@pytest.mark.parametrize("kind", FaultKind)
def test_no_fault_disqualifies_or_fines(kind: FaultKind) -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    remedy = state.fault(kind)
    assert remedy.settled
    assert not remedy.disqualified
    assert remedy.points is None


def test_a_match_full_of_faults_is_played_to_its_end_and_verifies() -> None:
    wrong: dict[int, Any] = {number: fault() for number in range(2, 400, 3)}
    wrong[4] = 99
    record = play_match(
        GAME, seats(FirstLegal(wrong), FirstLegal()), seed=3, options=GAME.options(), preset="open", games=4
    ).record
    assert verify(record) is None
    assert record["result"]["disqualified"] == []
    found = [event["event"] for event in record["events"]]
    following = {found[place + 1] for place, kind in enumerate(found) if kind == "fault"}
    assert following <= {"forfeit", "reject"}


def test_both_out_ends_the_game_without_a_winner() -> None:
    state = start()
    deal(state, "12 9 8 2 1", "13 6 6 4 3")
    state.disqualify(0)
    assert state.turn == 0
    state.disqualify(1)
    assert state.turn == OVER
    assert state.result()["winner"] is None


# Properties


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, target=st.integers(1, 12))
def test_scores_add_up_and_the_game_ends_when_it_must(seed: int, target: int) -> None:
    state, events = playout(GAME, seed, GAME.options({"target": target}))
    total, tricks, accepted, winner = [0, 0], [0, 0], False, None
    for event in events:
        assert winner is None, "nothing happens after the end"
        kind = event["event"]
        if kind == "hand":
            tricks, accepted, challenged = [0, 0], False, None
        elif kind == "challenge":
            assert challenged is None
            challenged = event["seat"]
        elif kind == "accept":
            accepted = True
        elif kind == "trick" and event["winner"] is not None:
            tricks[event["winner"]] += 1
        elif kind == "score":
            total = [old + new for old, new in zip(total, event["hand"], strict=True)]
            assert event["total"] == total
            assert sum(event["hand"]) <= 1
            if accepted:
                assert event["hand"] == [0, 0]
                if tricks[0] != tricks[1]:
                    winner = int(tricks[0] < tricks[1])
            elif max(total) == target:
                winner = total.index(target)
    assert state.result() == {"event": "result", "scores": total, "winner": winner}


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_cards_are_conserved_whatever_fails(seed: int) -> None:
    """Every dealt card is played, lost, given up, or still held when a challenge is rejected."""
    chance, dealer = Random(seed), Dealer(GAME, seed)
    state: State = dealer.state
    dealt: list[Counter[int]] = [Counter(), Counter()]
    laid: list[tuple[int, int]] = []
    while state.turn != OVER:
        if state.turn == CHANCE:
            dealt = [Counter(hand) for hand in dealer.deal()[0]["hands"]]
            laid = []
            continue
        seat = state.turn
        if chance.random() < 0.2:
            before = state.table
            events = list(state.fault(FaultKind.CRASH).events)
            if events[0]["event"] == "forfeit":
                if before:
                    laid.remove((1 - seat, before))
                laid += [(seat, events[0]["lost"]), (1 - seat, events[0]["other"])]
        else:
            action = chance.choice(list(state.legal()))
            if type(action) is int:
                laid.append((seat, action))
            events = list(state.apply(action))
        for owner in (0, 1):
            gone = Counter(card for who, card in laid if who == owner)
            assert gone + Counter(state.hands[owner]) == dealt[owner]
        if state.turn >= 0 and not state.table:
            assert len(state.hands[0]) == len(state.hands[1])


# Options


def test_the_options_of_the_seed() -> None:
    assert GAME.options() == {
        "target": 10,
        "clock": 2,
        "bonus": 0.05,
        "bonus_moves": 100,
        "games_to_win": 21,
        "lead": 5,
    }
    assert GAME.options({"clock": 0.5, "games": 3})["games"] == 3
    assert set(GAME.option_fields) == {*GAME.options(), "games"}
