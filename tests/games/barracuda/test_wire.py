"""The messages of Barracuda: every sentence on the wire page about their content."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.barracuda import GAME
from games.barracuda.wire import JsonWire
from games.engine import Fault, FaultKind, Setting
from games.frames import read_object
from games.players import HousePlayer
from games.referee import play as play_match
from tests.games.barracuda.table import deal, play, start
from tests.games.cast import seats

SETTING = Setting((11, 25), 2, number=3, match=77)
TYPES = {
    "hand": list,
    "card": int,
    "hand_id": int,
    "game_id": int,
    "your_tricks": int,
    "their_tricks": int,
    "can_challenge": bool,
    "in_challenge": bool,
    "total_tricks": int,
    "your_points": int,
    "opponent_id": int,
    "their_points": int,
    "player_number": int,
}


class Talk:
    """A game and both players' wires, told as the referee tells them."""

    def __init__(self, left: str, right: str, leader: int = 0, **changes: Any) -> None:
        options = GAME.options(changes)
        self.state = start(leader, **changes)
        self.wires = [JsonWire(seat, options, SETTING) for seat in (0, 1)]
        self.heard: list[list[dict[str, Any]]] = [[], []]
        self.tell([{"event": "game", "number": 3, "leader": leader}])
        self.deal(left, right)

    def deal(self, left: str, right: str) -> None:
        self.tell(deal(self.state, left, right))

    def play(self, moves: str) -> None:
        for move in moves.split():
            self.tell(play(self.state, move))
        if self.state.turn == -2:
            self.tell([self.state.result()])

    def tell(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            for seat, wire in enumerate(self.wires):
                seen = GAME.see(event, seat)
                assert seen is not None
                wire.tell(seen)
                self.heard[seat] += [json.loads(body) for body in wire.owed]
                wire.owed.clear()


def talk(leader: int = 0, **changes: Any) -> Talk:
    return Talk("12 9 8 8 1", "13 6 6 4 3", leader, **changes)


# Requests


@pytest.mark.parametrize(
    ("left", "text"), [(2, b"2.0,"), (0, b"0.0,"), (-1, b"0.0,"), (0.00004, b"0.0,"), (1.5, b"1.5,")]
)
def test_remaining_always_has_a_fraction_and_is_never_negative(left: float, text: bytes) -> None:
    body = talk().wires[0].request(1, left)
    assert b'"remaining":' + text in body


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_requests_have_exactly_these_fields_with_exactly_these_types(seed: int) -> None:
    """In whole matches; the hand is sorted, and identifiers have 31 bits."""

    class Spy(HousePlayer):
        def begin(self, *args: Any) -> None:
            game, seat, options, _, setting = args
            self.wire = game.wire(seat, options, setting)
            super().begin(*args)

        def tell(self, event: Any) -> None:
            self.wire.tell(event)
            super().tell(event)

        def decide(self, legal: Any, place: int) -> Any:
            check(json.loads(self.wire.request(1, 1)), list(legal()))
            return super().decide(legal, place)

    play_match(GAME, seats(*(Spy(GAME.house[0]) for _ in "ab")), seed=seed, options=GAME.options(), preset="x", games=2)


def check(request: dict[str, Any], legal: list[Any]) -> None:
    state = request["state"]
    assert list(request) == ["type", "request", "request_id", "remaining", "state"]
    assert set(TYPES) - {"card"} <= set(state) <= set(TYPES)
    assert all(type(value) is TYPES[key] for key, value in state.items())
    assert state["hand"] == sorted(state["hand"], reverse=True)
    assert 1 <= state["game_id"] < 2**31
    if request["request"] == "challenge_offered":
        assert legal == ["accept", "reject"]
        assert not state["can_challenge"]
        assert not state["in_challenge"]
    else:
        assert [card for card in legal if card != "challenge"] == list(dict.fromkeys(state["hand"]))
        assert state["can_challenge"] == ("challenge" in legal)


def test_a_game_id_never_comes_twice() -> None:
    ids = [
        json.loads(JsonWire(0, GAME.options(), Setting((1, 2), 2, number, match)).request(1, 1))["state"]["game_id"]
        for match in (1, 2, 2_147_482)
        for number in (1, 2, 41, 999)
    ]
    assert len(set(ids)) == len(ids)
    assert all(1 <= number < 2**31 for number in ids)


# Results


def test_everything_is_ascii() -> None:
    wire = JsonWire(0, GAME.options(), SETTING)
    wire.tell({"event": "fault", "seat": 0, "kind": "garbled", "detail": "sent “é”"})
    (body,) = wire.owed
    assert body.isascii()
    assert json.loads(body)["result"]["reason"] == "sent “é”"


# Answers


def answer(text: str | bytes, request_id: int = 17) -> Any:
    body = text.encode() if isinstance(text, str) else text
    return talk().wires[0].answer(read_object(body), request_id, body)


@pytest.mark.parametrize(
    ("response", "action"),
    [
        ('{"type":"play_card","card":9}', 9),
        ('{"type":"play_card","card":13}', 13),
        ('{"card":9,"type":"play_card"}', 9),
        ('{"type":"offer_challenge"}', "challenge"),
        ('{"type":"accept_challenge"}', "accept"),
        ('{"type":"reject_challenge"}', "reject"),
        ('{"type":"play_card","card":9,"why":{"because":[1,2]}}', 9),
    ],
)
def test_answers(response: str, action: Any) -> None:
    assert answer(f'{{"type":"move","request_id":17,"response":{response}}}') == action
    assert answer(f'{{"response":{response},"extra":null,"request_id":17,"type":"move"}}  \r\n\t ') == action


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("", "sent something that is not JSON"),
        ("   ", "sent something that is not JSON"),
        ('{"type":"move"', "sent something that is not JSON"),
        ('{"type":"move"}x', "sent something that is not JSON"),
        ("{'type':'move'}", "sent something that is not JSON"),
        (b"\xff\xfe", "sent something that is not JSON"),
        ('{"type":"move"}'.encode("utf-16"), "sent something that is not JSON"),
        ("[1]", "sent JSON that is not an object"),
        ("17", "sent JSON that is not an object"),
        ('{"request_id":NaN}', "sent NaN, which is not JSON"),
        ('{"type":"move","type":"move"}', "sent a JSON object with one key twice"),
        ("[" * 60_000, "sent JSON that is nested too deeply"),
        ('{"a":' * 12_000, "sent JSON that is nested too deeply"),
        ("{}", 'sent a message whose type is not "move"'),
        ('{"type":"play_card","card":9}', 'sent a message whose type is not "move"'),
        ('{"type":["move"],"request_id":17}', 'sent a message whose type is not "move"'),
        ('{"type":"move","response":{"type":"play_card","card":9}}', "sent a move without a request_id"),
        ('{"type":"move","request_id":"17"}', "sent a request_id that is not an integer"),
        ('{"type":"move","request_id":17.0}', "sent a request_id that is not an integer"),
        ('{"type":"move","request_id":true}', "sent a request_id that is not an integer"),
        ('{"type":"move","request_id":null}', "sent a request_id that is not an integer"),
        ('{"type":"move","request_id":18}', "answered a request that it was never sent"),
        ('{"type":"move","request_id":17}', "sent a move without a response"),
        ('{"type":"move","request_id":17,"response":"reject_challenge"}', "sent a move without a response"),
        ('{"type":"move","request_id":17,"response":{}}', "sent a response of a type that does not exist"),
        ('{"type":"move","request_id":17,"response":{"type":[1]}}', "sent a response of a type that does not exist"),
        ('{"type":"move","request_id":17,"response":{"type":"Play"}}', "sent a response of a type that does not exist"),
        ('{"type":"move","request_id":17,"response":{"type":"play_card"}}', "played a card without saying which"),
        (
            '{"type":"move","request_id":17,"response":{"type":"play_card","card":9.0}}',
            "played a card that is not an integer",
        ),
        (
            '{"type":"move","request_id":17,"response":{"type":"play_card","card":"9"}}',
            "played a card that is not an integer",
        ),
        (
            '{"type":"move","request_id":17,"response":{"type":"play_card","card":true}}',
            "played a card that is not an integer",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_garbled(text: str | bytes, detail: str) -> None:
    with pytest.raises(Fault) as caught:
        answer(text)
    assert (caught.value.kind, caught.value.detail) == (FaultKind.GARBLED, detail)
    assert caught.value.answer is not None


@pytest.mark.parametrize("card", ["1000", "-1000", "9" * 4000])
def test_cards_that_no_game_has_are_illegal(card: str) -> None:
    with pytest.raises(Fault) as caught:
        answer(f'{{"type":"move","request_id":17,"response":{{"type":"play_card","card":{card}}}}}')
    assert caught.value.kind is FaultKind.ILLEGAL


# The clock


def test_accepted_answers_earn_time_and_cost_what_they_took() -> None:
    table = talk()
    clock = table.wires[0].clock
    table.tell([{"event": "play", "seat": 0, "card": 9, "ms": 250.0}])
    assert clock.left == pytest.approx(2 - 0.25 + 0.05)
    table.tell([{"event": "play", "seat": 1, "card": 6, "ms": 500.0}])
    assert clock.left == pytest.approx(1.8)


@pytest.mark.parametrize("moves", ["!", "! yes", "! no"])
def test_challenges_and_their_answers_earn_time_too(moves: str) -> None:
    table = talk()
    table.play(moves)
    assert table.wires[0].clock.left == pytest.approx(2.05)
    assert table.wires[1].clock.left == pytest.approx(2.0 if moves == "!" else 2.05)


def test_what_others_decide_for_us_earns_nothing() -> None:
    table = talk()
    table.play("! x")
    assert table.wires[1].clock.left == 2.0
    table.deal("9 8 7 6 5", "9 8 7 6 5")
    table.play("x")
    assert table.wires[0].clock.left == pytest.approx(2.05)


# As text, for people who watch


def test_the_question_as_text_is_the_messages_in_lines() -> None:
    table = talk()
    wire = table.wires[0]
    wire.tell({"event": "play", "seat": 0, "card": 9, "ms": 1})
    wire.tell({"event": "play", "seat": 1, "card": 6})
    wire.tell({"event": "trick", "winner": 0, "points": 1})
    text, lines = wire.question()
    assert lines == text.count(b"\n") == 3
    parsed = [json.loads(line) for line in text.splitlines()]
    assert [each["type"] for each in parsed] == ["result", "result", "request"]
    assert parsed[-1]["request_id"] == 1
    assert wire.parse(b'{"type":"move","request_id":1,"response":{"type":"play_card","card":8}}') == 8
    wire.tell({"event": "play", "seat": 0, "card": 8})
    assert wire.farewell().count(b"\n") == 1
    assert wire.farewell() == b""
