"""The lines, to the letter of the Even Steven problem."""

from __future__ import annotations

import pytest

from games import get
from games.engine import Fault, FaultKind, Setting
from games.even_steven.rules import INDEX, PACK
from games.even_steven.wire import LineWire

GAME = get("even_steven")


def wire() -> LineWire:
    return GAME.wire(0, GAME.options(), Setting.of(1))  # type: ignore[return-value]


@pytest.mark.parametrize("verdict", ["incorrect output", "program crashed"])
def test_nothing_is_told_after_a_fault(verdict: str) -> None:
    spoken = wire()
    spoken.tell({"event": "fault", "seat": 0, "kind": "garbled", "detail": "…"})
    spoken.tell({"event": "result", "scores": [0], "winner": None, "verdict": verdict})
    assert spoken.farewell() == b""


@pytest.mark.parametrize("card", PACK)
def test_every_card_is_read(card: str) -> None:
    assert wire().parse(card.encode()) == INDEX[card]


@pytest.mark.parametrize("line", [b" 10c", b"10c ", b"\t10c\r", b"  10c  \r"])
def test_surrounding_blanks_and_a_carriage_return_are_allowed(line: bytes) -> None:
    assert wire().parse(line) == INDEX["10c"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"", "empty line"),
        (b"  \r", "empty line"),
        (b"10C", "as it was dealt"),
        (b"kd", "as it was dealt"),
        (b"KD", "as it was dealt"),
        (b"10c 2d", "several words"),
        (b"K d", "several words"),
        (b"1c", "not a card"),
        (b"11c", "not a card"),
        (b"Tc", "not a card"),
        (b"dK", "not a card"),
        (b"+2c", "not a card"),
        (b"\0002c", "not a card"),
        (b"\xff\xfe", "not a card"),
        (b"* Kd", "for debugging"),
        (b"*", "for debugging"),
        (b"2" * 60_000, "not a card"),
    ],
)
def test_what_cannot_be_read_is_garbled(line: bytes, complaint: str) -> None:
    with pytest.raises(Fault, match=complaint) as caught:
        wire().parse(line)
    assert caught.value.kind is FaultKind.GARBLED
    assert caught.value.answer == line
