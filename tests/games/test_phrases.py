"""Sentences shared by the games."""

from __future__ import annotations

from games.engine import FaultKind
from games.format import USED_UP
from games.phrases import (
    FAULTS,
    fault,
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
