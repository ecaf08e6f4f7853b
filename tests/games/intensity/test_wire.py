"""What an Intensity bot reads, and how its output is interpreted."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import Fault, FaultKind, Setting
from games.intensity import GAME
from games.intensity.wire import QuestionWire, read_name
from tests.games.cast import playout
from tests.games.intensity import naive

SAMPLE = b"2\n9 2 0\n11 15 18 23 33 34 47 48 49\n24 26\n16 13 19 12\n37 38 39\n34 47 48\n"
""""Playing A Card" in the Intensity assignment."""


def sample() -> QuestionWire:
    """The player of the assignment's sample question, with the history behind it."""
    wire = GAME.wire(0, GAME.options(), Setting.of(4))
    hand = [11, 15, 16, 18, 23, 33, 37, 38, 39, 49]
    wire.tell({"event": "hand", "number": 1, "hands": [hand, None, None, None]})
    wire.tell({"event": "pass", "seat": 0, "to": 1, "cards": [37, 38, 39]})
    wire.tell({"event": "pass", "seat": 1, "to": 2})
    wire.tell({"event": "pass", "seat": 2, "to": 3})
    wire.tell({"event": "pass", "seat": 3, "to": 0, "cards": [34, 47, 48]})
    for seat, card in ((0, 16), (1, 13), (2, 19), (3, 12)):
        wire.tell({"event": "play", "seat": seat, "card": card})
    wire.tell({"event": "trick", "winner": 2, "points": 0})
    for seat, card in ((2, 24), (3, 26)):
        wire.tell({"event": "play", "seat": seat, "card": card})
    return wire


def discarding() -> QuestionWire:
    wire = QuestionWire(0)
    hand = [13, 19, 24, 25, 29, 32, 39, 44, 46, 49]
    wire.tell({"event": "hand", "number": 1, "hands": [hand, None, None, None]})
    return wire


def questions_on_the_page() -> list[str]:
    blocks = re.findall(r"```text\n(.*?)```", GAME.rules_text(), re.S)
    return [
        "".join(f"{line[2:]}\n" for line in block.splitlines() if line.startswith("> "))
        for block in blocks
        if block[0] == ">"
    ]


def test_the_sample_question_of_the_seed_to_the_letter() -> None:
    assert sample().question() == (SAMPLE, 7)
    assert sample().parse(b"23\n") == 23


def test_the_questions_on_the_rules_page_are_sent_like_that() -> None:
    name, discards, play, lead, tests = questions_on_the_page()
    assert (name.encode(), tests.encode()) == (GAME.introduction, GAME.unit_tests)
    assert discards.encode() == discarding().question()[0]
    assert play.encode() == SAMPLE
    wire = QuestionWire(0)
    wire.tell({"event": "hand", "number": 1, "hands": [[11, 15, 18, 19, 23, 33, 37, 38, 39, 49], None, None, None]})
    wire.tell({"event": "pass", "seat": 0, "to": 1, "cards": [37, 38, 39]})
    wire.tell({"event": "pass", "seat": 3, "to": 0, "cards": [34, 47, 48]})
    for seat in (1, 2):
        wire.tell({"event": "pass", "seat": seat, "to": seat + 1})
    assert lead.encode() == wire.question()[0]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**40), seat=st.integers(0, 3))
def test_every_question_of_a_game_says_what_happened(seed: int, seat: int) -> None:
    """Read as the assignment tells students to read it, and compared with a naive implementation."""
    _, events = playout(GAME, seed)
    wire = QuestionWire(seat)
    passes = {event["seat"]: event["cards"] for event in events if event["event"] == "pass"}
    hand: set[int] = set()
    played: list[int] = []
    for event in events:
        if event["event"] == "play" and event["seat"] == seat:
            question, lines = wire.question()
            assert question.count(b"\n") == lines == 7
            numbers = iter(map(int, question.split()))
            what, n_hand, n_round, position = (next(numbers) for _ in range(4))
            assert (what, position) == (2, seat)
            assert [next(numbers) for _ in range(n_hand)] == sorted(hand)
            now = [next(numbers) for _ in range(n_round)]
            before = [next(numbers) for _ in range(4 * (10 - n_hand))]
            assert before + now == played
            assert [next(numbers) for _ in range(3)] == sorted(passes[seat])
            assert [next(numbers) for _ in range(3)] == sorted(passes[(seat - 1) % 4])
            assert next(numbers, None) is None
            rounds, _ = naive.tell(before + now)
            assert n_round == (len(rounds[-1]) % 4 if rounds else 0)
        wire.tell(GAME.see(event, seat) or {})
        if event["event"] == "hand":
            hand = set(event["hands"][seat])
        elif event["event"] == "pass" and wire._chosen["received"]:
            hand = hand - set(passes[seat]) | set(passes[(seat - 1) % 4])
        elif event["event"] == "play":
            played.append(event["card"])
            hand -= {event["card"]}
    assert wire.farewell() == b""


@pytest.mark.parametrize(
    "answer",
    [b"29 39 49", b"29\n39\n49\n", b"49 39 29\n", b"  39 \t49\r\n 29 \r\n\r\n", b"\x0b29\x0c39 49", b"029 39 49\n"],
)
def test_discards_as_students_print_them(answer: bytes) -> None:
    assert discarding().parse(answer) == (29, 39, 49)


@pytest.mark.parametrize("answer", [b"23", b"23\n", b" 23 ", b"\n\n23\n\n", b"23\r\n", b"\t23", b"0023"])
def test_a_card_as_students_print_it(answer: bytes) -> None:
    assert sample().parse(answer) == 23


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (b"\n", "answered with an empty line where the referee expected one card"),
        (b"23 24\n", "answered with 2 numbers where the referee expected one card"),
        (b"23\n24\n", "answered with 2 numbers where the referee expected one card"),
        (b"+23\n", "answered with a number with a sign where the referee expected one card"),
        (b"23.0\n", "answered with a number that is not written as a whole number where the referee expected one card"),
        (b"I play the 23\n", "answered with something that is not a number where the referee expected one card"),
        (b"23\0\n", "answered with something that is not a number where the referee expected one card"),
        ("\uff12\uff13\n".encode(), "answered with something that is not a number where the referee expected one card"),
        (b"23,\n", "answered with a number with “,” after it where the referee expected one card"),
        (b"9" * 5000, "answered with a number that is too large where the referee expected one card"),
    ],
)
def test_what_cannot_be_read_as_a_card(answer: bytes, detail: str) -> None:
    with pytest.raises(Fault) as caught:
        sample().parse(answer)
    assert (caught.value.kind, caught.value.detail) == (FaultKind.GARBLED, detail)
    assert caught.value.answer == (answer[:1000].rstrip() or None)


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (b"29 39", "answered with 2 numbers where the referee expected 3 cards"),
        (b"29 39 49 44", "answered with 4 numbers where the referee expected 3 cards"),
        (b"29", "answered with one number where the referee expected 3 cards"),
        (b"", "answered with an empty line where the referee expected 3 cards"),
    ],
)
def test_what_cannot_be_read_as_discards(answer: bytes, detail: str) -> None:
    with pytest.raises(Fault) as caught:
        discarding().parse(answer)
    assert (caught.value.kind, caught.value.detail) == (FaultKind.GARBLED, detail)


@pytest.mark.parametrize(("answer", "action"), [(b"50", 50), (b"0", 0), (b"999999999999999999", 10**18 - 1)])
def test_numbers_that_are_no_cards_can_be_read(answer: bytes, action: Any) -> None:
    assert sample().parse(answer) == action


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (b"Dennis Ritchie\n", "Dennis Ritchie"),
        (b"Dennis Ritchie", "Dennis Ritchie"),
        (b"  Dennis   Ritchie \r\nsecond line\n", "Dennis   Ritchie"),
        (b"x" * 40, "x" * 32),
        (b"1234567890123456789012345678901 x", "1234567890123456789012345678901"),
        ("Zoë".encode(), "Zoë"),
        (b"a\x1b[31mb\0c\xff", "a[31mbc"),
        ("right\u202eleft".encode(), "rightleft"),
        (b"tab\there", "tab here"),
        (b"\nDennis\n", ""),
        (b"   \n", ""),
        (b"", ""),
    ],
)
def test_names(answer: bytes, name: str) -> None:
    assert read_name(answer) == name == GAME.read_name(answer)
