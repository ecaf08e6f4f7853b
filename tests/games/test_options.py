"""Valid values of options, and the messages for others."""

from typing import Any

import pytest

from games import GAMES
from games.engine import Game, OptionError
from games.options import DISQUALIFY, Option, seconds

POINTS = Option("Points", "", 1, 100, "points")


@pytest.mark.parametrize(
    ("option", "values"), [(POINTS, [1, 100]), (seconds("Time", ""), [0.001, 1, 3600, 3600.0]), (DISQUALIFY, [True])]
)
def test_what_is_allowed(option: Option, values: list[Any]) -> None:
    assert [option.objection(value) for value in values] == [""] * len(values)


@pytest.mark.parametrize(
    ("option", "values", "said"),
    [
        (POINTS, [0, 101, 5.0, True, "5", None, [5]], "is a whole number of points, 1 to 100"),
        (seconds("", "", 0), [-1, 3601, float("nan"), float("inf"), True, "1"], "is a number of seconds, 0 to 3600"),
        (DISQUALIFY, [0, 1, "true", None], "is true or false"),
    ],
)
def test_what_is_not_allowed(option: Option, values: list[Any], said: str) -> None:
    assert [option.objection(value) for value in values] == [said] * len(values)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_option_of_every_preset_is_described_and_has_limits(game: Game) -> None:
    for preset in game.presets:
        options = game.options(preset=preset.name)
        assert options == preset.options
        assert set(options) <= set(game.option_fields)
        for name, field in game.option_fields.items():
            assert field.label
            wrong = [None, "x"] if field.most is None else [None, field.most + 1, (field.least or 0) - 1, True, "5"]
            for value in wrong:
                with pytest.raises(OptionError, match=f"^{name} is "):
                    game.options({name: value}, preset.name)
