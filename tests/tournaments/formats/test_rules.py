"""The rules of formats as told to contestants, and how numbers and lists are written in them."""

from __future__ import annotations

from typing import Any

import pytest

import games
from games.phrases import listed
from tournaments import formats
from tournaments.formats.wording import points_text


@pytest.mark.parametrize(("game", "format"), [(g, f) for g in games.GAMES.values() for f in formats.fitting(g)])
def test_every_format_says_how_it_is_played(game: Any, format: Any) -> None:
    hidden = {"hidden": game.write_opening(game.sample[0])} if format.kind == "judged" else {}
    rules = format.rules(format.options(hidden, game))
    assert len(rules) >= 2
    for rule in rules:
        assert rule[0].isupper()
        assert rule.endswith(".")
        assert "  " not in rule
        assert "None" not in rule


def test_points_and_lists() -> None:
    assert [points_text(points) for points in (0, 0.5, 1, 2.5, 1.25, 10.0)] == ["0", "½", "1", "2½", "1.25", "10"]
    assert [listed(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
