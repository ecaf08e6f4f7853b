"""Intensity in plain English, and its printed form."""

from typing import Any

import pytest

from games.intensity.view import View
from games.intensity.words import Printer, caption


def at_the_table() -> View:
    """Position 1 leads; position 2 has played too."""
    view = View(None)
    hands = [[10 + 4 * index + seat for index in range(10)] for seat in range(4)]
    view.tell({"event": "hand", "number": 1, "hands": hands})
    for seat in range(4):
        view.tell({"event": "pass", "seat": seat, "to": (seat + 1) % 4, "cards": hands[seat][:3]})
    view.leader = 1
    view.tell({"event": "play", "seat": 1, "card": 27})
    return view


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"event": "game", "number": 3, "seating": [0, 1, 2, 3]}, "Game 3 begins."),
        (
            {"event": "hand", "number": 1, "hands": []},
            "Everybody is dealt ten cards and chooses three of them for the player on the left.",
        ),
        (
            {"event": "pass", "seat": 3, "to": 0, "cards": [13, 29, 31]},
            "Position 3 passes 13, 29 and 31 to position 0.",
        ),
        ({"event": "pass", "seat": 3, "to": 0}, "Position 3 passes three cards to position 0."),
        (
            {"event": "pass", "seat": 3, "to": 0, "cards": [13, 29, 31], "by": "referee"},
            "Position 3, played by the referee, passes 13, 29 and 31 to position 0.",
        ),
        ({"event": "play", "seat": 2, "card": 26}, "Position 2 follows with the 26."),
        (
            {"event": "play", "seat": 2, "card": 47},
            "Position 2 has no card with first digit 2 and plays the 47, the buffalo.",
        ),
        (
            {"event": "play", "seat": 2, "card": 30, "by": "referee"},
            "Position 2, played by the referee, has no card with first digit 2 and plays the 30, a calf.",
        ),
        ({"event": "trick", "winner": 1, "points": 0}, "Position 1 wins the round with the 27 without a penalty."),
        (
            {"event": "score", "hand": [7, 10, 0, 5], "total": [7, 10, 0, 5]},
            "The ten rounds are over. Penalty points: Position 0: 7, Position 1: 10, Position 2: 0 and Position 3: 5.",
        ),
        (
            {
                "event": "fault",
                "seat": 2,
                "kind": "illegal",
                "detail": "played 13, which it does not hold",
                "points": 5,
            },
            "Position 2 breaks the rules of the game: it played 13, which it does not hold. "
            "That costs 5 penalty points.",
        ),
        (
            {"event": "fault", "seat": 2, "kind": "violation", "points": 5},
            "Position 2 does something forbidden. That costs 5 penalty points.",
        ),
        (
            {"event": "result", "scores": [7, 10, 0, 5], "winner": 2},
            "Position 2 wins with the lowest score: Position 0: 7, Position 1: 10, Position 2: 0 and Position 3: 5.",
        ),
        (
            {"event": "result", "scores": [0, 10, 0, 7], "winner": None},
            "The game ends with a shared first place: Position 0: 0, Position 1: 10, Position 2: 0 and Position 3: 7.",
        ),
    ],
)
def test_captions(event: dict[str, Any], sentence: str) -> None:
    assert caption(event, at_the_table()) == sentence


# The printed form ("Playing Intensity" in the Intensity assignment)


def test_the_deal_is_printed_as_in_the_seed() -> None:
    """Names are padded to the widest, which the paper's columns show only as blanks before the colon."""
    printer = Printer(["COMP1511 student", "Lulu", "Amy", "Morgan"])
    hands = [[10, 22, 23], [11, 12, 15], [20, 26, 30], [13, 14, 16]]
    assert list(printer.lines({"event": "hand", "number": 1, "hands": hands})) == [
        "Deal:",
        "Table position 0: COMP1511 student: [10, 22, 23]",
        "Table position 1: Lulu            : [11, 12, 15]",
        "Table position 2: Amy             : [20, 26, 30]",
        "Table position 3: Morgan          : [13, 14, 16]",
        "Discards:",
    ]


def test_what_is_hidden_is_not_printed() -> None:
    printer = Printer(["a", "b", "c", "d"])
    hand = {"event": "hand", "number": 1, "hands": [[10, 11], None, None, None]}
    assert list(printer.lines(hand)) == ["Discards:"]
    assert list(printer.lines({"event": "pass", "seat": 1, "to": 2})) == []
    hidden = {"event": "fault", "seat": 1, "kind": "illegal", "points": 5}
    assert list(printer.lines(hidden)) == ["b illegal: 5 penalty points"]
