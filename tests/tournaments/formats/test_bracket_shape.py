"""The names of rounds and tables; the shapes themselves are tested by their plans (test_single_elimination.py)."""

import pytest

from tournaments.formats import bracket_shape


@pytest.mark.parametrize(
    ("tables", "size", "rounds"),
    [
        ([1], 4, ["Final"]),
        ([2, 1], 4, ["Semi-finals", "Final"]),
        ([4, 2, 1], 4, ["Round 1", "Semi-finals", "Final"]),
        ([4, 2, 1], 2, ["Quarter-finals", "Semi-finals", "Final"]),
        ([3, 1], 4, ["Round 1", "Final"]),
    ],
)
def test_rounds_are_called_as_their_tables_are(tables, size, rounds):
    assert [bracket_shape.round_name(number, tables, size) for number in range(1, len(tables) + 1)] == rounds
    for number, name in enumerate(rounds, 1):
        assert bracket_shape.table_name(number, 1, tables, size).startswith(name.removesuffix("s"))
