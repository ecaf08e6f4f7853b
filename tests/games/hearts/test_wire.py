"""The line protocol of Hearts: what is sent and when, what is read, and the example on the rules page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.engine import Fault, FaultKind, Setting
from games.hearing import Hearing
from games.hearts import GAME
from games.hearts.rules import INDEX
from games.hearts.wire import RoutineWire
from tests.games.cast import playout
from tests.games.hearts.table import SUITS, deal, start, three

OPTIONS = GAME.options()


def wire(seat: int = 2, previous: Any = None) -> RoutineWire:
    return GAME.wire(seat, OPTIONS, Setting((7, 3, 12, 5), 16), previous)


def dealt(unpassed: bool = False, seat: int = 0) -> RoutineWire:
    """A wire that knows a hand with whole suits."""
    one = wire(seat)
    for event in deal(start(), *SUITS, unpassed=unpassed):
        one.tell(event)
    return one


# The example


def example() -> list[str]:
    (text,) = re.findall(r"```text\n(> hello\n.*?)```", GAME.rules_text(), re.S)
    return str(text).splitlines()


def told(lines: list[str]) -> tuple[list[dict[str, Any]], int]:
    """The events behind the lines of the example, with its seat's answers; and that seat."""
    events: list[dict[str, Any]] = []
    hand: list[str] = []
    seat, trick = 0, []
    for line in lines:
        mark, word, *words = line.split()
        if word == "game":
            seat = int(words[4])
        elif word == "hand":
            hand = words[1:]
            events.append({"event": "hand", "number": 1, "hands": [hand.copy()] * 4, "pass": words[0]})
        elif word == "received":
            for index, card in zip(words[::2], words[1::2], strict=True):
                hand[int(index)] = card
            events += [
                {"event": "pass", "seat": 0, "to": 1},
                {"event": "pass", "seat": 1, "to": seat, "cards": words[1::2]},
                {"event": "pass", "seat": 3, "to": 0},
            ]
        elif word == "play":
            leader, trick = int(words[1]), words[2:]
            events += [{"event": "play", "seat": (leader + k) % 4, "card": card} for k, card in enumerate(trick)]
        elif mark == "<" and word.isdigit() and words[0] != "cpu":
            cards = [hand[int(index)] for index in (word, *words[:2])]
            events.append({"event": "pass", "seat": seat, "to": 3, "cards": cards})
        elif mark == "<" and word.isdigit():
            events.append({"event": "play", "seat": seat, "card": hand[int(word)]})
            trick.append(hand[int(word)])
        elif word == "trick":
            after = range(len(trick), 4)
            leader = next(event["seat"] for event in events[::-1][len(trick) - 1 :])
            late = [(leader + k) % 4 for k in after]
            events += [{"event": "play", "seat": other, "card": words[other]} for other in late]
            events.append({"event": "trick", "winner": int(words[4]), "points": 0})
        elif word == "score":
            numbers = list(map(int, words))
            events.append({"event": "score", "hand": numbers[:4], "total": numbers[4:]})
    return events, seat


def test_the_game_on_the_rules_page_is_what_the_wire_sends() -> None:
    """Given the events of that game, the wire of seat 2 sends exactly these lines, question by question."""
    lines = example()
    events, seat = told(lines)
    one = GAME.wire(seat, GAME.options({"target": 20}), Setting((7, 3, 12, 5), 16))
    sent = [f"> {one.greeting().decode().strip()}", "< ready cpu 0"]
    answers = iter([line for line in lines if line.startswith("<")][1:])
    for event in events:
        if event.get("seat") == seat:
            question, count = one.question()
            assert question.count(b"\n") == count
            answer = next(answers)
            sent += [f"> {line}" for line in question.decode().splitlines()] + [answer]
            action = one.parse(answer[2:].encode())
            assert action == GAME.action(event)
            assert one.reported == int(answer.split()[-1]) / 1e6
            assert one.answer(event) == answer[2:].partition(" cpu")[0]
        one.tell(event)
    sent += [f"> {line}" for line in one.ending()[0].decode().splitlines()] + [next(answers)]
    assert sent == lines


def test_the_example_has_a_lesson_of_every_line() -> None:
    words = {line.split()[1] for line in example() if line.startswith(">")}
    assert words == {"hello", "tournament", "game", "hand", "pass", "received", "play", "trick", "score", "end"}


# What is sent


@pytest.mark.parametrize("seat", range(4))
def test_single_blanks_printable_and_line_feeds(seat: int) -> None:
    _, events = playout(GAME, 11, GAME.options({"target": 30}))
    one = wire(seat)
    text = b""
    hearing = Hearing(GAME, [(seat, one.tell)])
    for event in events:
        if event.get("seat") == seat:
            question, lines = one.question()
            assert question.count(b"\n") == lines
            text += question
            assert one.parse(one.answer(event).encode()) == GAME.action(event)
        hearing.tell(event)
    text += one.ending()[0]
    assert b"  " not in text
    assert all(line == line.strip() and line.isascii() for line in text.decode().splitlines())


# What is read


@pytest.mark.parametrize("line", [b"3", b" 3", b"3 ", b"\t3\r", b" 3  cpu 500 \r", b"03"])
def test_surrounding_blanks_and_a_carriage_return_are_allowed(line: bytes) -> None:
    assert dealt(unpassed=True).parse(line) == INDEX["5C"]


def test_a_pass_keeps_its_order() -> None:
    assert dealt().parse(b"12 0 5") == three("AC 2C 7C")


def test_the_report_of_an_answer_is_its_own() -> None:
    one = dealt(unpassed=True)
    one.parse(b"3 cpu 1500000")
    assert one.reported == 1.5
    one.parse(b"3")
    assert one.reported is None
    one.settled(b"done cpu 2000000")
    assert one.reported == 2.0
    one.ending()
    assert one.reported is None
    one.settled(b"cpu")
    assert one.reported is None


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"", "empty line"),
        (b"  \r", "empty line"),
        (b"cpu 5", "answered with an empty line"),
        (b"+3", "a number with a sign"),
        (b"-1", "a number with a sign"),
        (b"3.0", "not written as a whole number"),
        (b"QS", "cards"),
        (b"qs", "cards"),
        (b"3 4", "2 numbers"),
        (b"3 cpu", "not a number"),
        (b"3 cpu x", "not a number"),
        (b"3 cpu -5", "not a number"),
        (b"\0003", "not a number"),
        (b"\xff\xfe", "not a number"),
        (b"3" * 60_000, "a number that is too large"),
        (b"3\x0b", "not a number"),
    ],
)
def test_what_cannot_be_read_is_garbled(line: bytes, complaint: str) -> None:
    with pytest.raises(Fault, match=complaint) as caught:
        dealt(unpassed=True).parse(line)
    assert caught.value.kind is FaultKind.GARBLED
    assert caught.value.answer == line


@pytest.mark.parametrize("line", [b"1 2", b"1 2 3 4", b"3", b"QS KS AS", b""])
def test_a_pass_is_three_numbers(line: bytes) -> None:
    with pytest.raises(Fault) as caught:
        dealt().parse(line)
    assert caught.value.kind is FaultKind.GARBLED


def test_an_index_of_no_card_is_illegal() -> None:
    one = dealt(unpassed=True)
    for line in (b"13", b"65535", b"99999"):
        with pytest.raises(Fault, match="does not exist: a hand has 0 to 12") as caught:
            one.parse(line)
        assert caught.value.kind is FaultKind.ILLEGAL
    one.tell({"event": "play", "seat": 0, "card": "5C"})
    with pytest.raises(Fault, match="chose index 3, which is empty: its card was played") as caught:
        one.parse(b"3 cpu 12")
    assert caught.value.kind is FaultKind.ILLEGAL
    assert caught.value.answer == b"3", "the report is the harness's"
    assert one.bare(b" 3  cpu 12 \r") == b"3"
    assert one.bare(b"3 cpu x") == b"3 cpu x"
