"""Scores as pages write them."""

from __future__ import annotations

import pytest

from contest.replay.parts import is_upset
from contest.templatetags.scores import score


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
