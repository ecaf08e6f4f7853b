"""The rules of Tricky Eights: the commented game of the Utah problem, every ruling, and properties of random games."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import CHANCE, OVER
from games.rng import pack
from games.tricky_eights import GAME
from games.tricky_eights.rules import INDEX, PACK, State
from games.tricky_eights.view import View
from tests.games.cast import playout
from tests.games.tricky_eights import commented_game as commented

SEEDS = st.integers(0, 2**40)


def start(**changes: Any) -> State:
    return GAME.start(GAME.options(changes))


def deal(state: State, hands: list[list[str]], pool: list[str]) -> None:
    state.deal([INDEX[name] for hand in hands for name in hand] + [INDEX[name] for name in pool])


def commented_game() -> tuple[State, list[dict[str, Any]]]:
    state, events = start(), []
    deal(state, commented.hands(), commented.POOL)
    for line in commented.TAKES + commented.TRICKS:
        for seat, card in commented.pairs(line):
            assert state.turn == seat
            assert state.is_legal(INDEX[card]), (line, card)
            events += state.apply(INDEX[card])
    return state, events


# The seed


def test_the_commented_game_of_the_seed() -> None:
    state, events = commented_game()
    tricks = [event for event in events if event["event"] == "trick"]
    assert ["nesw"[trick["winner"]] for trick in tricks] == commented.WINNERS
    assert [trick["points"] for trick in tricks] == commented.POINTS
    assert events[-1] == {"event": "score", "hand": commented.SCORE, "total": commented.SCORE}
    assert state.turn == CHANCE


def test_cards_are_written_as_the_seed_writes_them() -> None:
    assert [PACK[INDEX[name]] for name in ("cj", "ha", "d2", "st")] == ["cj", "ha", "d2", "st"]
    assert len(set(PACK)) == 52


# Dealing and turns (docs/rulings.md, Tricky Eights 1 and 2)


def test_north_deals_first_then_clockwise_and_the_dealer_takes_and_leads() -> None:
    state = start(target=1000)
    for number in range(1, 6):
        dealer = (number - 1) % 4
        event = state.deal(pack(7, number))[0]
        assert event["dealer"] == state.turn == dealer
        assert event["number"] == number
        for take in range(12):
            assert state.turn == (dealer + take) % 4
            state.apply(state.legal()[0])
        assert state.turn == dealer
        while state.turn >= 0:
            state.apply(state.legal()[0])


# Following suit


def test_who_can_follow_must() -> None:
    state = start()
    deal(state, commented.hands(), commented.POOL)
    for line in commented.TAKES:
        for _, card in commented.pairs(line):
            state.apply(INDEX[card])
    state.apply(INDEX["d9"])
    east = [PACK[card] for card in state.legal()]
    assert east == ["d2", "d3", "d4", "d7"]
    assert not state.is_legal(INDEX["hk"])
    assert state.objection(INDEX["hk"]) == (
        "played hk, but had to follow suit: diamonds were led and it held d2, d3, d4, d7"
    )
    assert state.objection(INDEX["sa"]) == "wanted to play sa, which it does not hold"


def test_an_objection_to_what_is_no_card() -> None:
    state = start()
    state.deal(pack(5, 1))
    assert state.objection("joker") == "wanted to take 'joker', which is not in the pool"
    for _ in range(12):
        state.apply(state.legal()[0])
    assert state.objection(99) == "wanted to play 99, which it does not hold"


# Scores and the end (docs/rulings.md, Tricky Eights 3)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_every_round_is_25_points_and_everything_adds_up(seed: int) -> None:
    state, events = playout(GAME, seed, GAME.options({"target": 60}))
    total = [0, 0, 0, 0]
    taken = [0, 0, 0, 0]
    for event in events:
        if event["event"] == "trick":
            taken[event["winner"]] += event["points"]
        elif event["event"] == "score":
            assert sum(event["hand"]) == 25
            assert event["hand"] == taken
            total = [old + new for old, new in zip(total, taken, strict=True)]
            assert event["total"] == total
            taken = [0, 0, 0, 0]
    assert state.result() == {"event": "result", "scores": total, "winner": total.index(max(total))}


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, target=st.integers(1, 120))
def test_the_game_ends_after_the_first_round_in_which_one_alone_is_best_and_there(seed: int, target: int) -> None:
    _, events = playout(GAME, seed, GAME.options({"target": target}))
    totals = [event["total"] for event in events if event["event"] == "score"]
    ended = [max(total) >= target and total.count(max(total)) == 1 for total in totals]
    assert ended == [False] * (len(totals) - 1) + [True]


def test_a_shared_best_score_is_played_on() -> None:
    state = start(target=25)
    deal(state, commented.hands(), commented.POOL)
    state.totals = [299 - 6, 0, 299 - 11, 0]
    for line in commented.TAKES + commented.TRICKS:
        for _, card in commented.pairs(line):
            state.apply(INDEX[card])
    assert state.totals == [299, 3, 299, 5]
    assert state.turn == CHANCE


# Faults


def test_a_disqualified_seat_cannot_win_but_its_points_end_the_game() -> None:
    state = start(target=1)
    state.deal(pack(1, 1))
    state.disqualify(0)
    while state.turn >= 0:
        state.apply(state.legal()[-1])
    assert state.turn == OVER
    best = max(state.totals[1:])
    assert state.result()["winner"] == (state.totals.index(best, 1) if state.totals[1:].count(best) == 1 else None)
    state.totals = [30, 5, 10, 9]
    assert state.result()["winner"] == 2
    state.totals = [30, 10, 10, 9]
    assert state.result()["winner"] is None


# Views


@settings(max_examples=10, deadline=None)
@given(seed=SEEDS, seat=st.integers(0, 3))
def test_a_seat_sees_its_own_hand_and_what_lies_open(seed: int, seat: int) -> None:
    _, events = playout(GAME, seed, GAME.options({"target": 1}))
    table, mine, spectator = View(None), View(seat), View(None)
    for event in events:
        table.tell(event)
        for view, whose in ((mine, seat), (spectator, None)):
            seen = GAME.see(event, whose)
            assert seen is not None
            view.tell(seen)
        everything = table.position()
        hidden = {"hands", "legal"}
        for position, whose in ((mine.position(), seat), (spectator.position(), None)):
            assert {key for key in position if position[key] != everything[key]} <= hidden
            assert [hand is None for hand in position["hands"]] == [owner != whose for owner in range(4)]
            if whose is not None:
                assert position["hands"][whose] == everything["hands"][whose]
            if position["phase"] == "play" and position["turn"] not in (None, whose):
                assert position["legal"] is None


def test_positions_of_the_commented_game() -> None:
    view = View(None)
    view.tell({"event": "hand", "number": 1, "dealer": 0, "hands": commented.hands(), "pool": commented.POOL})
    position = view.position()
    assert position["phase"] == "takes"
    assert position["turn"] == position["dealer"] == position["leader"] == 0
    assert position["hands"][2] == commented.SOUTH
    for line in commented.TAKES:
        for seat, card in commented.pairs(line):
            view.tell({"event": "take", "seat": seat, "card": card})
    position = view.position()
    assert position["pool"] == []
    assert position["taken"][2] == ["h5", "ck", "ha"]
    assert position["hands"][2] == [*commented.SOUTH, "h5", "ck", "ha"]
    assert position["counts"] == [13] * 4
    for line, winner, points in zip(commented.TRICKS[:5], commented.WINNERS, commented.POINTS, strict=False):
        for seat, card in commented.pairs(line):
            view.tell({"event": "play", "seat": seat, "card": card})
        view.tell({"event": "trick", "winner": "nesw".index(winner), "points": points})
    position = view.position()
    assert position["trick"] == 5
    assert position["tricks"] == [1, 1, 2, 1]
    assert position["points"] == [3, 1, 6, 3]
    assert position["totals"] == [0, 0, 0, 0]
    assert position["voids"] == [[], [], ["d"], []]
    assert position["last"] == {
        "number": 5,
        "cards": [{"seat": seat, "card": card} for seat, card in commented.pairs(commented.TRICKS[4])],
        "winner": 3,
        "points": 3,
        "why": [{"points": 1, "for": "the trick"}, {"points": 2, "for": "the eight of spades"}],
    }
    assert position["turn"] == position["leader"] == 3
