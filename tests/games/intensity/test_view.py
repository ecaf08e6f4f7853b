"""What each seat knows of a game of Intensity agrees with the rules."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.hearing import Hearing
from games.intensity import GAME
from games.intensity.view import View
from tests.games.cast import playout
from tests.games.intensity import naive

SEEDS = st.integers(0, 2**40)


def events_of(seed: int) -> list[dict[str, Any]]:
    state, events = playout(GAME, seed)
    return [*events, state.result()]


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, seat=st.integers(0, 3))
def test_a_seat_knows_its_hand_its_discards_and_what_lies_open(seed: int, seat: int) -> None:
    table, mine, spectator = View(None), View(seat), View(None)
    hearing = Hearing(GAME, [(seat, mine.tell), (None, spectator.tell)], table.tell)
    for event in events_of(seed):
        hearing.tell(event)
        everything = table.position()
        if event["event"] in ("hand", "pass"):
            continue  # others' discards are heard of later
        for view, whose in ((mine, seat), (spectator, None)):
            position = view.position()
            assert {key for key in position if position[key] != everything[key]} <= {
                "hands",
                "legal",
                "passes",
                "received",
            }
            assert [hand is None for hand in position["hands"]] == [owner != whose for owner in range(4)]
            known = [giver for giver in range(4) if position["passes"][giver] is not None]
            assert known == ([] if whose is None else sorted({whose, (whose - 1) % 4}))
        assert mine.hands[seat] == table.hands[seat]


def test_discards_are_on_their_way_until_everybody_has_chosen() -> None:
    events = events_of(7)
    view = View(None)
    for event in events[:4]:
        view.tell(event)
    position = view.position()
    assert (position["phase"], position["turn"], position["passed"]) == ("discards", 3, [0, 1, 2])
    assert position["passes"] == [events[1]["cards"], events[2]["cards"], events[3]["cards"], None]
    assert position["counts"] == [10] * 4
    assert set(events[1]["cards"]) <= set(position["hands"][0])
    assert position["legal"] is None
    view.tell(events[4])
    position = view.position()
    assert (position["phase"], position["turn"], position["leader"]) == ("play", 0, 0)
    assert set(events[1]["cards"]) <= set(position["hands"][1])
    assert position["received"] == [events[4]["cards"], events[1]["cards"], events[2]["cards"], events[3]["cards"]]


def test_rounds_voids_and_what_is_still_out() -> None:
    events = events_of(11)
    view = View(None)
    played = []
    for event in events:
        view.tell(event)
        if event["event"] != "play":
            continue
        played.append(event["card"])
        rounds, _ = naive.tell(played)
        position = view.position()
        assert position["trick"] == len(rounds)
        assert position["played"][event["seat"]][-1] == event["card"]
        assert position["calves"] == [card for card in [*range(30, 40), 47] if card not in played]
        for seat in range(4):
            shown = {
                cards[0][1] // 10
                for cards in rounds
                for who, card in cards[1:]
                if who == seat and card // 10 != cards[0][1] // 10
            }
            assert position["voids"][seat] == sorted(shown)
    position = view.position()
    winners = [
        next(who for who, card in cards if card == naive.winning_card([c for _, c in cards])) for cards in rounds
    ]
    assert position["rounds"] == [winners.count(seat) for seat in range(4)]
    assert position["last"]["winner"] == winners[-1]
    assert position["last"]["cards"] == [{"seat": who, "card": card} for who, card in rounds[-1]]


def test_fines_count() -> None:
    view = View(None)
    for event in events_of(1)[:2]:
        view.tell(event)
    view.tell({"event": "fault", "seat": 2, "kind": "illegal", "detail": "x", "points": 5})
    position = view.position()
    assert position["fines"] == position["totals"] == [0, 0, 5, 0]
    assert position["faults"] == [None, None, "illegal", None]
