"""Scores as pages write them."""

from __future__ import annotations

import pytest

import games
from contest.replay.parts import is_upset
from contest.templatetags.scores import average_name, counted_name, played_name, score, whole_percent


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


def test_an_average_of_games_is_a_share_of_them() -> None:
    assert average_name(games.get("barracuda")) == "Share won"
    assert average_name(games.get("even_steven")) == "Share won"
    assert average_name(games.get("hearts")) == "Points per game"
    assert whole_percent(0.536) == "54 %"
    assert whole_percent(None) == ""


def test_no_two_columns_are_called_the_same() -> None:
    for game in games.GAMES.values():
        assert len({played_name(game), counted_name(game), average_name(game)}) == 3
    barracuda = games.get("barracuda")
    assert (played_name(barracuda), counted_name(barracuda)) == ("Games played", "Games won")
