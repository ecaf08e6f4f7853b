"""The messages of Barracuda: every sentence on the wire page about their content."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.barracuda import GAME
from games.barracuda.wire import JsonWire, greeting, refusal
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

    def results(self, seat: int) -> list[dict[str, Any]]:
        """The results since the last call, after checking the number that comes with each."""
        heard, self.heard[seat] = self.heard[seat], []
        for message in heard:
            assert list(message) == ["type", "your_player_num", "result"]
            assert message["type"] == "result"
            assert message["your_player_num"] == self.wires[seat]._me
        return [message["result"] for message in heard]

    def request(self, left: float = 2) -> dict[str, Any]:
        return dict(json.loads(self.wires[self.state.turn].request(17, left)))


def talk(leader: int = 0, **changes: Any) -> Talk:
    return Talk("12 9 8 8 1", "13 6 6 4 3", leader, **changes)


# Greetings


def test_the_greeting_and_the_refusal() -> None:
    assert greeting(11) == b'{"type":"greetings_program","team_id":11}'
    assert JsonWire(1, GAME.options(), SETTING).greeting == b'{"type":"greetings_program","team_id":25}'
    assert json.loads(refusal("10.2.88.12", "I don't know")) == {
        "type": "error",
        "seen_host": "10.2.88.12",
        "message": "I don't know",
    }
    assert refusal("10.2.88.12", "“é”").isascii()


# Requests


def test_a_request_to_the_letter() -> None:
    """The example on the wire page, except for the identifiers of its game."""
    table = talk()
    assert table.wires[0].request(17, 2.35) == (
        b'{"type":"request","request":"request_card","request_id":17,"remaining":2.35,'
        b'"state":{"hand":[12,9,8,8,1],"hand_id":1,"game_id":77003,"your_tricks":0,"their_tricks":0,'
        b'"can_challenge":true,"in_challenge":false,"total_tricks":0,"your_points":0,"opponent_id":25,'
        b'"their_points":0,"player_number":0}}'
    )


def test_the_card_is_there_only_while_one_lies_on_the_table() -> None:
    table = talk()
    assert "card" not in table.request()["state"]
    table.play("9")
    assert table.request()["state"]["card"] == 9
    table.play("13")
    assert "card" not in table.request()["state"]


@pytest.mark.parametrize(
    ("left", "text"), [(2, b"2.0,"), (0, b"0.0,"), (-1, b"0.0,"), (0.00004, b"0.0,"), (1.5, b"1.5,")]
)
def test_remaining_always_has_a_fraction_and_is_never_negative(left: float, text: bytes) -> None:
    body = talk().wires[0].request(1, left)
    assert b'"remaining":' + text in body


def test_the_state_counts_tricks_points_and_hands() -> None:
    table = talk()
    table.play("9 13 3 1 4 12")  # right, right, left
    state = table.request()["state"]
    assert (state["your_tricks"], state["their_tricks"], state["total_tricks"]) == (1, 2, 3)
    assert state["hand"] == [8, 8]
    table.play("8 6 8 6")
    table.deal("9 8 7 6 5", "9 8 7 6 5")
    state = table.request()["state"]
    assert (state["hand_id"], state["your_points"], state["their_points"]) == (2, 1, 0)
    assert (state["your_tricks"], state["their_tricks"], state["total_tricks"]) == (0, 0, 0)
    table.play("9 9")
    state = table.request()["state"]
    assert (state["your_tricks"], state["their_tricks"], state["total_tricks"]) == (0, 0, 1)


def test_players_are_numbered_by_who_led_the_game() -> None:
    table = talk(leader=1)
    assert table.request()["state"]["player_number"] == 0
    assert table.request()["state"]["opponent_id"] == 11
    table.play("13")
    assert table.request()["state"]["player_number"] == 1
    table.play("1")
    assert table.results(0) == [{"type": "trick_won", "by": 0, "card": 1}]
    assert table.wires[0]._me == 1


def test_a_challenge_offered_to_who_has_led() -> None:
    """The card on the table is then the recipient's own, and not in the hand."""
    table = talk()
    table.play("9 !")
    request = table.request()
    assert request["request"] == "challenge_offered"
    state = request["state"]
    assert (state["card"], state["hand"]) == (9, [12, 8, 8, 1])
    assert (state["can_challenge"], state["in_challenge"]) == (False, False)
    table.play("yes")
    request = table.request()
    assert request["request"] == "request_card"
    state = request["state"]
    assert (state["card"], state["hand"]) == (9, [13, 6, 6, 4, 3])
    assert (state["can_challenge"], state["in_challenge"]) == (False, True)


def test_a_challenge_offered_before_a_card_is_led() -> None:
    table = talk()
    table.play("!")
    state = table.request()["state"]
    assert "card" not in state
    assert state["hand"] == [13, 6, 6, 4, 3]
    table.play("yes 9 13 3 1")
    assert table.request()["state"]["in_challenge"] is True


def test_the_next_hand_has_its_own_challenge() -> None:
    table = talk()
    table.play("! no")
    table.deal("9 8 7 6 5", "9 8 7 6 5")
    state = table.request()["state"]
    assert (state["can_challenge"], state["in_challenge"]) == (True, False)


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


def test_who_leads_hears_that_it_was_accepted_and_the_other_nothing() -> None:
    table = talk()
    table.play("9")
    assert table.results(0) == [{"type": "accepted"}]
    assert table.results(1) == []


def test_a_trick_is_told_to_both_with_the_last_card_not_the_winning_one() -> None:
    table = talk()
    table.play("9")
    table.results(0)
    table.play("6")
    assert table.results(0) == table.results(1) == [{"type": "trick_won", "by": 0, "card": 6}]


def test_a_tied_trick_has_no_other_fields() -> None:
    table = Talk("9 8 7 6 5", "9 8 7 6 5")
    table.play("9")
    table.results(0)
    table.play("9")
    assert table.results(0) == table.results(1) == [{"type": "trick_tied"}]


def test_the_end_of_a_hand_comes_after_its_last_trick() -> None:
    table = Talk("9 8 7 6 5", "9 8 7 6 4")
    table.play("9 9 8 8 7 7 6 6 5")
    table.results(0), table.results(1)
    table.play("4")
    assert (
        table.results(0)
        == table.results(1)
        == [
            {"type": "trick_won", "by": 0, "card": 4},
            {"type": "hand_done", "by": 0},
        ]
    )


def test_a_tied_hand_has_no_by() -> None:
    table = Talk("9 8 7 6 5", "9 8 7 6 5")
    table.play("9 9 8 8 7 7 6 6 5 5")
    assert table.results(1)[-2:] == [{"type": "trick_tied"}, {"type": "hand_done"}]


def test_a_game_that_is_won_is_told_last() -> None:
    table = Talk("13 12 11 10 9", "8 7 6 5 4", target=1)
    table.play("13 8 12 7 11 6 10 5 9 4")
    assert table.results(1)[-3:] == [
        {"type": "trick_won", "by": 0, "card": 4},
        {"type": "hand_done", "by": 0},
        {"type": "game_won", "by": 0},
    ]
    assert table.results(0)[-3:] == [
        {"type": "trick_won", "by": 0, "card": 4},
        {"type": "hand_done", "by": 0},
        {"type": "game_won", "by": 0},
    ]


def test_offering_and_accepting_are_accepted() -> None:
    table = talk()
    table.play("!")
    assert (table.results(0), table.results(1)) == ([{"type": "accepted"}], [])
    table.play("yes")
    assert (table.results(0), table.results(1)) == ([], [{"type": "accepted"}])


def test_a_rejected_challenge_sends_hand_done_alone_also_to_who_rejected() -> None:
    table = talk()
    table.play("9 !")
    table.results(0), table.results(1)
    table.play("no")
    assert table.results(0) == table.results(1) == [{"type": "hand_done", "by": 1}]


def test_a_decided_challenge_names_who_won_the_hand() -> None:
    table = Talk("13 12 11 10 9", "8 7 6 5 4")
    table.play("! yes 13 8 12 7 11 6 10 5 9 4")
    assert table.results(0)[-2:] == [{"type": "hand_done", "by": 0}, {"type": "game_won", "by": 0}]


def test_a_failed_card_is_an_error_for_the_offender_alone_and_a_trick_for_both() -> None:
    """If no card was played last, it is the one that the offender lost."""
    table = talk()
    table.play("9 x")
    assert table.results(1) == [
        {"type": "error", "reason": "did not answer"},
        {"type": "trick_won", "by": 0, "card": 13},
    ]
    assert table.results(0) == [{"type": "accepted"}, {"type": "trick_won", "by": 0, "card": 13}]
    assert table.request()["state"]["hand"] == [12, 9, 8, 8], "the 9 came back, the 1 was given up"


def test_a_failed_answer_to_a_challenge_is_an_error_and_the_end_of_the_hand() -> None:
    table = talk()
    table.play("! x")
    assert table.results(1) == [{"type": "error", "reason": "did not answer"}, {"type": "hand_done", "by": 0}]
    assert table.results(0) == [{"type": "accepted"}, {"type": "hand_done", "by": 0}]


def test_every_decision_without_a_clock_is_an_error_of_its_own() -> None:
    table = talk()
    table.play("x 13 x 13 x 13 x 13 x")
    assert [result["type"] for result in table.results(0)].count("error") == 5


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
