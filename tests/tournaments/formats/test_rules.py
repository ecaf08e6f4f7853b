"""The rules of formats as told to contestants, and how numbers and lists are written in them."""

from __future__ import annotations

from typing import Any

import pytest

import games
from games.phrases import listed
from tournaments import formats
from tournaments.formats.plan import FormatError
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


@pytest.mark.parametrize(
    ("format", "game", "changes", "said"),
    [
        ("combinations", "hearts", {"budget": 0}, "budget of games must be a whole number from 1 to 100000"),
        ("combinations", "hearts", {"games": 10}, "24 games"),
        ("combinations", "hearts", {"games": 10, "duplicate": True}, "6 games"),
        ("combinations", "hearts", {"duplicate": True, "freeze_versions": False}, "versions are frozen"),
        ("combinations", "barracuda", {"duplicate": True}, "fixed number of games"),
        ("combinations", "hearts", {"rounds": 3}, "no option rounds"),
        ("combinations", "even_steven", {}, "cannot be played in all seatings"),
        ("round_robin", "barracuda", {"home_and_away": True, "duplicate": True, "games": 10}, "exclude each other"),
        ("round_robin", "barracuda", {"win": 1, "tie": 1}, "worth more than a tie"),
        ("round_robin", "barracuda", {"win": -1}, "points for a win"),
        ("round_robin", "barracuda", {"tie": True}, "points for a tie"),
        ("round_robin", "barracuda", {"table_size": 2}, "no option table_size"),
        ("round_robin", "barracuda", {"home_and_away": 1}, "yes or no"),
        ("single_elimination", "tricky_eights", {"third_place": True}, "tables of two: a final of four has a third"),
        ("single_elimination", "tricky_eights", {"best_of": 3}, "series of matches is for tables of two"),
        ("single_elimination", "barracuda", {"best_of": 2}, "odd number of matches"),
        ("single_elimination", "barracuda", {"best_of": 23}, "whole number from 1 to 21"),
        ("single_elimination", "barracuda", {"best_of": 3, "duplicate": True, "games": 10}, "choose one"),
        ("single_elimination", "barracuda", {"duplicate": True}, "fixed number of games"),
        ("single_elimination", "barracuda", {"third_place": "yes"}, "yes or no"),
        ("single_elimination", "even_steven", {}, "played alone"),
        ("single_elimination", "tricky_eights", {"table_size": 3}, "2 or 4 teams can meet"),
        ("single_elimination", "tricky_eights", {"advance": 3}, "One or two of four"),
        ("single_elimination", "tricky_eights", {"advance": 0}, "One or two of four"),
        ("single_elimination", "tricky_eights", {"games": 0}, "whole number from 1"),
        ("single_elimination", "tricky_eights", {"games": "3"}, "whole number from 1"),
        ("single_elimination", "tricky_eights", {"games": 101}, "whole number from 1"),
        ("single_elimination", "tricky_eights", {"house": []}, "Empty seats"),
        ("single_elimination", "tricky_eights", {"house": ["nobody"]}, "Empty seats"),
        ("single_elimination", "tricky_eights", {"colour": "red"}, "no option colour"),
        ("swiss", "intensity", {"table_size": 3}, "2 or 4 teams can meet"),
        ("swiss", "barracuda", {"table_size": 4}, "In Barracuda 2 teams can meet"),
        ("swiss", "intensity", {"rounds": 0}, "rounds must be a whole number from 1 to 100"),
        ("swiss", "intensity", {"rounds": 2.5}, "whole number"),
        ("swiss", "intensity", {"games": None}, "games per table"),
        ("swiss", "intensity", {"house": ["nobody"]}, "Empty seats"),
        ("swiss", "intensity", {"duplicate": "yes"}, "yes or no"),
        ("swiss", "intensity", {"duplicate": True, "freeze_versions": False}, "versions are frozen"),
        ("swiss", "barracuda", {"duplicate": True}, "fixed number of games"),
        ("swiss", "even_steven", {}, "played alone"),
        ("swiss", "intensity", {"advance": 2}, "no option advance"),
        ("ladder", "tricky_eights", {"rounds": 3}, "no option rounds"),
        ("ladder", "tricky_eights", {"table_size": 3}, "2 or 4 teams can meet"),
        ("ladder", "tricky_eights", {"freeze_versions": True}, "always plays the active version"),
        ("ladder", "tricky_eights", {"duplicate": True}, "no option duplicate"),
        ("ladder", "tricky_eights", {"games": 0}, "games per table must be a whole number"),
        ("ladder", "tricky_eights", {"games": None}, "games per table must be a whole number"),
        ("ladder", "tricky_eights", {"final_minutes": -1}, "last minutes"),
        ("ladder", "tricky_eights", {"pause": 1.5}, "pause between two matches"),
        ("ladder", "tricky_eights", {"house": []}, "Empty seats can be filled with"),
        ("judged_set", "even_steven", {}, "write some, or draw some"),
        ("judged_set", "even_steven", {"hidden": "4 12\n14 3\n"}, "line 2"),
        ("judged_set", "even_steven", {"hidden": "many"}, "line 1"),
        ("judged_set", "even_steven", {"draw": -1}, "whole number"),
        ("judged_set", "even_steven", {"draw": 10_000}, "whole number"),
        ("judged_set", "even_steven", {"draw": 1.5}, "whole number"),
        ("judged_set", "even_steven", {"draw": 5, "draw_seed": 0}, "The seed"),
        ("judged_set", "even_steven", {"draw": 5, "wrong_minutes": -1}, "The minutes for a wrong run"),
        ("judged_set", "even_steven", {"draw": 5, "wrong_minutes": 2.5}, "The minutes for a wrong run"),
        ("judged_set", "even_steven", {"draw": 5, "colour": "red"}, "no option colour"),
    ],
)
def test_options_that_do_not_fit_are_refused(format: str, game: str, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(FormatError, match=said):
        formats.get(format).options(changes, games.get(game))
