"""Means and their error bars."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from tournaments.formats.confidence import mean_and_margin


def test_four_values_say_little() -> None:
    """Two matches of 25 and two of 26 points, with three degrees of freedom."""
    mean, margin = mean_and_margin(4, 102, 2 * 25**2 + 2 * 26**2)
    assert mean == 25.5
    assert margin == pytest.approx(3.182 * (1 / 12) ** 0.5)


@pytest.mark.parametrize("count", [4, 12, 40])
def test_the_interval_has_the_truth_in_it_95_times_in_a_hundred(count: int) -> None:
    random = Random(count)
    runs = 4000
    caught = 0
    for _ in range(runs):
        values = [random.gauss(7, 3) for _ in range(count)]
        mean, margin = mean_and_margin(count, sum(values), sum(value * value for value in values))
        assert mean == pytest.approx(fmean(values))
        caught += margin is not None and abs(fmean(values) - 7) <= margin
    assert 0.935 < caught / runs < 0.965
