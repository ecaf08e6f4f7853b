"""Durations, numbers, thinking times and scores, as pages write them."""

from datetime import timedelta

import pytest

from contest.formatting import about, duration, milliseconds, ordinal
from contest.replay.parts import is_upset
from contest.templatetags.scores import score


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


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (334, "334"),
        (334.0, "334"),
        (1946.04, "1,946"),
        (1946.06, "1,946.1"),
        (1945.96, "1,946"),
        (-0.04, "0"),
        (-26, "-26"),
        (1234567.5, "1,234,567.5"),
        (None, ""),
    ],
)
def test_a_score_has_the_decimals_it_needs(points: float | None, words: str) -> None:
    assert score(points) == words


@pytest.mark.parametrize(
    ("scores", "winner", "low_wins", "upset"),
    [
        ([10, 7], 0, False, False),
        ([0, 2], 0, False, True),
        ([10, 7], 0, True, True),
        ([7, 10], 0, True, False),
        ([5, 5], 1, False, True),
        ([5, 5], None, False, False),
    ],
)
def test_scores_that_do_not_tell_who_won(scores: list[int], winner: int | None, low_wins: bool, upset: bool) -> None:
    assert is_upset({"scores": scores, "winner": winner}, low_wins) is upset
