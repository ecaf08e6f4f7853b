"""Text from outside is made safe to store and show."""

import pytest

from contest.words import number_in, numbers_in, printable


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("", ""),
        ("Ünï ♠: d5", "Ünï ♠: d5"),
        ("line 1\n\tline 2\r\nline 3", "line 1\n\tline 2\nline 3"),
        ("a\x00b", "a\\x00b"),
        ("\x1b[31mred\r", "\\x1b[31mred\\x0d"),
        ("\u202eback", "\\u202eback"),
        ("half \ud83d a pair", "half \\ud83d a pair"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_what_cannot_be_printed_is_shown_by_its_number(written: str, kept: str) -> None:
    assert printable(written) == kept
    kept.encode()


@pytest.mark.parametrize(
    ("sent", "number"),
    [("12", 12), ("0", 0), ("", None), ("-1", None), ("1.0", None), (" 1", None), ("²", None), ("٣", None)],
)
def test_numbers_that_browsers_name(sent: str, number: int | None) -> None:
    assert number_in(sent) == number


def test_no_number_is_too_large_for_the_database() -> None:
    assert number_in("9" * 18) == 10**18 - 1
    assert number_in("1" + "0" * 18) is None
    assert numbers_in(["3", "x", "9" * 40, "1"]) == [3, 1]
