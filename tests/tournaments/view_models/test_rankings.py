"""Columns of a ranking: one number of decimals in each."""

import pytest

from tournaments.view_models.rankings import digits_of


@pytest.mark.parametrize(
    ("values", "digits"), [([], 0), ([1.0, 2.0], 0), ([1.0, 2.5], 1), ([0.75, 2.0], 2), ([1 / 3], 2), ([-0.5], 1)]
)
def test_a_column_has_as_many_decimals_as_its_values_need(values: list[float], digits: int) -> None:
    assert digits_of(values) == digits
