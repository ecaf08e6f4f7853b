"""Intensity in its printed form."""

from games.intensity.words import Printer


def test_what_is_hidden_is_not_printed() -> None:
    printer = Printer(["a", "b", "c", "d"])
    hand = {"event": "hand", "number": 1, "hands": [[10, 11], None, None, None]}
    assert list(printer.lines(hand)) == ["Discards:"]
    assert list(printer.lines({"event": "pass", "seat": 1, "to": 2})) == []
    hidden = {"event": "fault", "seat": 1, "kind": "illegal", "points": 5}
    assert list(printer.lines(hidden)) == ["b illegal: 5 penalty points"]
