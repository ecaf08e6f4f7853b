"""Intensity in its printed form."""

from games.intensity.words import Printer


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
