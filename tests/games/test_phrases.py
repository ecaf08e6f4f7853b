"""Sentences shared by the games."""

from __future__ import annotations

import pytest

from games.engine import FaultKind
from games.format import USED_UP
from games.phrases import (
    FAULTS,
    amount,
    bad_number,
    counted,
    does,
    each,
    fault,
    listed,
    objection_to_you,
    reason_to_you,
)


def test_every_fault_has_words() -> None:
    assert set(FAULTS) == set(map(str, FaultKind))


def test_only_what_cannot_be_read_is_quoted_with_what_was_due() -> None:
    event = {"kind": "garbled", "detail": "answered with an empty line", "answer": "\t"}
    assert fault("Anna", event, "a number is due") == (
        r"Anna gives an answer that cannot be read: it answered with an empty line (a number is due). It answered '\t'."
    )
    assert fault("Anna", {**event, "kind": "illegal"}, "a number is due") == (
        "Anna breaks the rules of the game: it answered with an empty line."
    )


def test_a_clock_that_is_used_up_makes_a_sentence() -> None:
    event = {"kind": "timeout", "detail": USED_UP}
    assert fault("Anna", event, "") == "Anna takes too long: it had used up its clock."


def test_details_may_be_hidden() -> None:
    assert fault("Anna", {"kind": "crash"}, "") == "Anna stops working."
    assert fault("Anna", {"kind": "violation", "detail": "socket"}, "") == "Anna does something forbidden with socket."


@pytest.mark.parametrize(("parts", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_lists(parts: list[str], text: str) -> None:
    assert listed(parts) == text


def test_who_decides() -> None:
    assert does("North", {"event": "play"}, "leads") == "North leads"
    assert does("North", {"event": "play", "by": "referee"}, "leads") == "North, played by the referee, leads"


def test_numbers_of_things() -> None:
    assert [counted(number, "point") for number in (0, 1, 2, -26)] == ["0 points", "1 point", "2 points", "-26 points"]
    assert each(("North", "East"), (3, 7)) == "North 3 and East 7"
    assert each(("Seat 0", "Seat 1"), (3, 7)) == "Seat 0: 3 and Seat 1: 7"


@pytest.mark.parametrize(
    ("what", "one", "two"),
    [
        ("points", "1 point", "2 points"),
        ("games won", "1 game won", "2 games won"),
        ("penalty points", "1 penalty point", "2 penalty points"),
    ],
)
def test_what_is_named_in_the_plural(what: str, one: str, two: str) -> None:
    assert [amount(number, what) for number in (1, 2)] == [one, two]


def test_the_referee_speaks_to_the_player() -> None:
    assert (
        objection_to_you("wanted to pass KH, which it does not hold") == "You wanted to pass KH, which you do not hold."
    )
    assert objection_to_you("discarded 10, but does not hold 10") == "You discarded 10, but do not hold 10."
    assert objection_to_you("played ac, which was not in its hand") == "You played ac, which was not in your hand."
    assert objection_to_you("wanted to accept a challenge, but none was offered to it") == (
        "You wanted to accept a challenge, but none was offered to you."
    )


def test_to_a_player_who_has_not_decided_the_referee_speaks_of_now() -> None:
    assert reason_to_you("played QH, but had to follow suit: clubs were led and it held 3C") == (
        "you have to follow suit: clubs were led and you hold 3C"
    )
    assert reason_to_you("led 5H, but no point card was played, and it also held 3C") == (
        "no point card was played, and you also hold 3C"
    )


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("five", "something that is not a number"),
        ("KS", "something that is not a number"),
        ("", "something that is not a number"),
        ("١", "something that is not a number"),
        ("+5", "a number with a sign"),
        ("-1", "a number with a sign"),
        ("5.0", "a number that is not written as a whole number"),
        ("1e3", "a number that is not written as a whole number"),
        (".5", "a number that is not written as a whole number"),
        ("1000000", "a number that is too large"),
        ("5,", "a number with “,” after it"),
    ],
)
def test_only_what_is_no_number_is_called_that(word: str, told: str) -> None:
    assert bad_number(word) == told
