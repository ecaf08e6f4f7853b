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


def said(slug: str, game: str, **changes: Any) -> str:
    format = formats.get(slug)
    return " ".join(format.rules(format.options(changes, games.get(game))))


def test_they_follow_the_options() -> None:
    assert "3 points, the second 2" in said("swiss", "intensity")
    assert "A win is 1 point, a tie ½" in said("swiss", "barracuda")
    assert "Buchholz (the points of all opponents)" in said("swiss", "barracuda")
    assert "A match has 4 games" in said("swiss", "intensity")
    assert "A match has" not in said("swiss", "intensity", games=1)
    assert "4 matches with the same deals" in said("swiss", "intensity", duplicate=True)
    assert "active when it is drawn" in said("swiss", "intensity", freeze_versions=False)
    assert "house player takes its seat" in said("swiss", "intensity")
    assert "wins without playing" in said("swiss", "barracuda")
    assert "Buchholz" in said("swiss", "intensity")
    assert "without playing" not in said("swiss", "intensity")
    assert "5 rounds" in said("swiss", "barracuda", rounds=5)
    assert "Only the two teams are compared" in said("swiss", "intensity", table_size=2)
    assert "Only the two teams" not in said("swiss", "intensity") + said("round_robin", "barracuda")
    assert "everybody has one bye," in said("round_robin", "barracuda")
    assert "everybody has a bye in each half," in said("round_robin", "barracuda", home_and_away=True)
    assert "does not advance" in said("single_elimination", "barracuda")
    assert "by the final alone" in said("combinations", "hearts")
    assert "once from each seat" in said("round_robin", "barracuda", home_and_away=True)
    assert "Points for a win: 3; for a tie: 1." in said("round_robin", "barracuda", win=3, tie=1)
    assert "24 seatings exactly once" in said("combinations", "hearts")
    assert "more than 99 games" in said("combinations", "hearts", budget=99)
    assert "up to 5 matches" in said("single_elimination", "barracuda", best_of=5)
    assert "until one has won 3" in said("single_elimination", "barracuda", best_of=5)
    assert "loses that match of the series" in said("single_elimination", "barracuda", best_of=5)
    assert "does not advance" in said("single_elimination", "barracuda")
    assert "third place" in said("single_elimination", "barracuda", third_place=True)
    assert "the best two advance" in said("single_elimination", "intensity", advance=2)
    assert "last 30 minutes" in said("ladder", "barracuda", final_minutes=30)
    assert "minutes" not in said("ladder", "barracuda", final_minutes=0)


def test_points_and_lists() -> None:
    assert [points_text(points) for points in (0, 0.5, 1, 2.5, 1.25, 10.0)] == ["0", "½", "1", "2½", "1.25", "10"]
    assert [listed(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
