"""Means and their error bars."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from tournaments.formats.confidence import errors_for, mean_and_margin


def test_nothing_has_no_mean_and_one_value_no_margin() -> None:
    assert mean_and_margin(0, 0, 0) == (None, None)
    assert mean_and_margin(1, 5, 25) == (5, None)
    assert mean_and_margin(3, 15, 75) == (5, None), "too few"
    assert mean_and_margin(4, 20, 100) == (5, 0)


def test_four_values_say_little() -> None:
    """Two matches of 25 and two of 26 points, with three degrees of freedom."""
    mean, margin = mean_and_margin(4, 102, 2 * 25**2 + 2 * 26**2)
    assert mean == 25.5
    assert margin == pytest.approx(3.182 * (1 / 12) ** 0.5)


def test_the_more_there_are_the_fewer_errors() -> None:
    factors = [errors_for(count) for count in range(2, 1000)]
    assert factors == sorted(factors, reverse=True)
    assert factors[:2] == [12.706, 4.303]
    assert errors_for(31) == 2.042
    assert errors_for(61) == pytest.approx(2.000, abs=0.003)
    assert errors_for(121) == pytest.approx(1.980, abs=0.003)
    assert errors_for(1_000_000) == pytest.approx(1.960, abs=0.001)


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
