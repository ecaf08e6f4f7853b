"""Who hears what, and when."""

from __future__ import annotations

from typing import Any

import pytest

from games import hearing as hearings
from games.commons import Commons
from games.engine import Event, Seat
from games.events import own_part
from games.hearing import Hearing


class Passing:
    """The relevant part of a game: passes are made at the same time, and only giver and taker see the cards."""

    seats = (3, 3)
    public = frozenset({"play"})
    simultaneous = frozenset({"pass"})

    def see(self, event: Event, seat: Seat | None) -> Event | None:
        if event["event"] == "pass" and seat not in (event["seat"], event["to"]):
            return None
        return event


PASSES = [{"event": "pass", "seat": seat, "to": (seat + 1) % 3, "cards": [seat]} for seat in range(3)]
PLAY: Event = {"event": "play", "seat": 0, "card": 7}
FAULT: Event = {"event": "fault", "seat": 1, "kind": "garbled", "detail": "…"}


@pytest.fixture
def heard() -> dict[Seat | None, list[Any]]:
    return {0: [], 1: [], 2: [], None: []}


@pytest.fixture
def hearing(heard: dict[Seat | None, list[Any]]) -> Hearing:
    return Hearing(Passing(), [(seat, told.append) for seat, told in heard.items()])  # type: ignore[arg-type]


def test_the_others_hear_of_it_when_everybody_has_decided(hearing: Hearing, heard: Any) -> None:
    for event in [*PASSES, PLAY]:
        hearing.tell(event)
    assert heard == {
        0: [PASSES[0], PASSES[2], PLAY],
        1: [PASSES[1], PASSES[0], PLAY],
        2: [PASSES[2], PASSES[1], PLAY],
        None: [PLAY],
    }


def test_who_has_left_hears_nothing_more(hearing: Hearing, heard: Any) -> None:
    hearing.tell(PASSES[0])
    hearing.set_listeners([(2, heard[2].append)])
    hearing.tell(PLAY)
    assert heard[1] == []
    assert heard[2] == [PLAY]


def test_everything_is_written_down_whole_and_first(heard: Any) -> None:
    written: list[Event] = []
    hearing = Hearing(Passing(), [(0, lambda event: heard[0].append(len(written)))], written.append)  # type: ignore[arg-type]
    for event in [*PASSES, PLAY]:
        hearing.tell(event)
    assert written == [*PASSES, PLAY]
    assert heard[0] == [1, 3, 4]


def test_what_is_usually_private() -> None:
    hand: Event = {"event": "hand", "number": 1, "hands": [[7], [8]]}
    assert own_part(hand, 0) == {"event": "hand", "number": 1, "hands": [[7], None]}
    assert own_part(hand, None)["hands"] == [None, None]
    assert [own_part(PASSES[0], seat).get("cards") for seat in (0, 1, 2, None)] == [[0], [0], None, None]
    fault = {**FAULT, "answer": "7"}
    assert own_part(fault, 1) is fault
    assert own_part(fault, 0) == own_part(fault, None) == {"event": "fault", "seat": 1, "kind": "garbled"}
    assert own_part(PLAY, None) is PLAY


def test_with_which_event_something_is_heard() -> None:
    events = [*PASSES[:2], FAULT, PASSES[2], PLAY]
    game: Any = Passing()
    assert hearings.heard(game, events, 0) == [(0, PASSES[0]), (1, None), (2, FAULT), (3, PASSES[2]), (4, PLAY)]
    assert hearings.heard(game, events, 1) == [(3, PASSES[0]), (1, PASSES[1]), (2, FAULT), (3, None), (4, PLAY)]
    assert hearings.heard(game, events, 2) == [(0, None), (3, PASSES[1]), (2, FAULT), (3, PASSES[2]), (4, PLAY)]
    assert hearings.heard(game, events[:2], 1) == [(0, None), (1, PASSES[1])], "the game ended before all had decided"


def test_the_same_seats_decide_again_in_the_next_hand() -> None:
    again = [{**event, "cards": [9]} for event in PASSES]
    game: Any = Passing()
    assert hearings.heard(game, [*PASSES, PLAY, *again, PLAY], 1)[4] == (6, again[0])
    assert hearings.heard(game, [*PASSES, PLAY, *again, PLAY], 1)[0] == (2, PASSES[0])


class Kept:
    """A fold that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[Event] = []

    def tell(self, event: Event) -> None:
        self.told.append(event)


def test_what_wires_share_is_told_once_and_they_hear_only_the_rest() -> None:
    commons, wires, other = Commons(), [Kept(), Kept()], Kept()
    folds = [commons.join(Kept, wire.tell) for wire in wires]
    assert folds[0] is folds[1]
    listeners = [(0, wires[0].tell), (1, wires[1].tell), (2, other.tell)]
    hearing = Hearing(Passing(), listeners, commons=commons)  # type: ignore[arg-type]
    for event in (*PASSES, PLAY, FAULT):
        hearing.tell(event)
    assert folds[0].told == [PLAY]
    assert [PLAY in wire.told for wire in wires] == [False, False]
    assert [FAULT in each.told for each in (*wires, other)] == [True, True, True]
    assert PLAY in other.told
    hearing.set_listeners(listeners[1:])
    hearing.tell(PLAY)
    assert folds[0].told == [PLAY, PLAY]
    assert other.told.count(PLAY) == 2
