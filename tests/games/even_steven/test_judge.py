"""Judging an entry: the games, the verdict, the first failed game."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import get
from games.engine import Event, OptionError
from games.even_steven.judge import GamesError, first_failure, parse_games, verdict_of

GAME = get("even_steven")


def results(*verdicts: str) -> list[Event]:
    return [{"event": "result", "scores": [0], "winner": None, "verdict": verdict} for verdict in verdicts]


@pytest.mark.parametrize(
    ("games", "verdict", "first"),
    [
        (["win", "lose necessarily"], "correct", None),
        ([], "correct", None),
        (["win", "lose unnecessarily", "win", "lose unnecessarily"], "incorrect output", 2),
        (["lose unnecessarily", "program crashed"], "incorrect output", 1),
        (["win", "program crashed"], "program crashed", 2),
        (["incorrect output"], "incorrect output", 1),
    ],
)
def test_the_verdict_and_where_it_came_from(games: list[str], verdict: str, first: int | None) -> None:
    events = results(*games)
    assert verdict_of(events) == GAME.judgement({}, events) == verdict
    assert first_failure(events) == GAME.first_failure(events) == first
    assert GAME.failed({"disqualified": []}, events) == (verdict != "correct")


# The games ------------------------------------------------------------------------------------------------------------


def test_lines_are_games_and_blank_lines_are_nothing() -> None:
    assert parse_games("4 876390176\r\n\n  13\t 1  \n") == [
        {"seed": 876390176, "cards": 4},
        {"seed": 1, "cards": 13},
    ]
    assert parse_games("") == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("0 5", "N is the number of cards in the hand, 1 to 13, not 0"),
        ("14 5", "1 to 13, not 14"),
        ("4 0", "the seed is a number from 1 to 2147483646, not 0"),
        ("4 2147483647", "not 2147483647"),
        ("4", "'4' is not two numbers, N and a seed, such as 4 876390176"),
        ("4 5 6", "is not two numbers"),
        ("-4 5", "is not two numbers"),
        ("+4 5", "is not two numbers"),
        ("4 5.0", "is not two numbers"),
        ("four 5", "is not two numbers"),
        ("٤ 5", "is not two numbers"),
        ("4 " + "9" * 10_000, "the seed is a number"),
        ("x" * 10_000, "x…' is not two numbers"),
    ],
)
def test_a_bad_line_is_named(line: str, complaint: str) -> None:
    with pytest.raises(GamesError) as caught:
        parse_games(f"4 5\n{line}\n")
    ((number, problem),) = caught.value.problems
    assert number == 2
    assert complaint in problem
    assert str(caught.value) == f"line 2: {problem}"
    assert len(problem) < 150


def test_all_bad_lines_are_named_at_once() -> None:
    with pytest.raises(OptionError, match=r"^line 1: .*; line 3: ") as caught:
        GAME.read_openings("14 5\n4 5\nx\n")
    assert isinstance(caught.value, GamesError)


@settings(max_examples=10)
@given(st.text(max_size=30))
def test_any_text_is_games_or_refused_in_words(text: str) -> None:
    games = []
    with suppress(GamesError):
        games = parse_games(text)
    assert all(0 < game["cards"] <= 13 and 0 < game["seed"] < 2147483647 for game in games)
