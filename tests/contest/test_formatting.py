"""Durations, numbers and thinking times in words."""

from datetime import timedelta

import pytest

from contest.formatting import about, duration, milliseconds, ordinal


@pytest.mark.parametrize(
    ("distance", "words"),
    [
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(seconds=60), "1 minute"),
        (timedelta(minutes=5, seconds=40), "6 minutes"),
        (timedelta(hours=1, minutes=20), "1 hour 20 minutes"),
        (timedelta(hours=5, minutes=20), "5 hours"),
        (timedelta(days=1, hours=5), "1 day 5 hours"),
        (timedelta(days=6, hours=23, minutes=59), "7 days"),
        (timedelta(days=-3), "3 days"),
    ],
)
def test_distances_in_words(distance: timedelta, words: str) -> None:
    assert duration(distance) == words
    assert about(distance) == (words if words == "less than a minute" else f"about {words}")


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0.0 ms"), (0.01, "< 0.1 ms"), (0.2134, "0.2 ms"), (3.14159, "3.1 ms"), (340, "340.0 ms"), (3211, "3.2 s"),
        (120_000, "120.0 s"), (None, "–"),
    ],
)  # fmt: skip
def test_thinking_times(ms: float | None, text: str) -> None:
    assert milliseconds(ms) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "first"),
        (11, "11th"),
        (22, "22nd"),
        (113, "113th"),
    ],
)
def test_ordinals(number: int, text: str) -> None:
    assert ordinal(number) == text
