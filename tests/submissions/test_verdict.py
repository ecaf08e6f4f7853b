"""What the checks of every kind of game report. The bots are plain processes here; test_process.py has the sandbox."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.utils.html import strip_tags

from games import record as records
from games.programs import LocalProgram
from submissions import check
from submissions.check import Check
from submissions.models import CheckGame, Submission
from submissions.version_view import check_rows
from tests.cast import make_contest, make_team

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

Checker = Callable[..., Check]

STEVEN = """\
import sys
hand = []
for line in sys.stdin:
    words = line.split()
    if words[0].isdigit() and len(words) == int(words[0]) + 1:
        hand = words[1:]
    elif words[0] != "YOU":
        ORDER = "23456789TJQKA".index
        value = lambda card: ORDER(card[:-1].replace("10", "T"))
        CHOOSE
        hand.remove(card)
        print(card, flush=True)
"""
THRIFTY = "card = min((c for c in hand if value(c) >= value(words[0])), key=value, default=hand[0])"
SPENDTHRIFT = "card = max(hand, key=value)"

QUESTION = """\
import sys
groups = [[int(word) for word in line.split()] for line in sys.stdin.read().split("\\n")]
kind = groups[0][0]
"""


@pytest.fixture
def checked(tmp_path: Path) -> Checker:
    """`checked(game, source)`: the check of a Python bot in a contest of that game in any language."""

    def run(game: str, source: str, **fields: object) -> Check:
        contest = make_contest(game=game, preset="open", **fields)
        team = make_team(contest, name="Aces")
        path = tmp_path / "bot.py"
        path.write_text(source)
        version = Submission.objects.create(
            team=team, number=1, language="python", filename="bot.py", source=source.encode(), size=1, sha256="0" * 64
        )
        return check.play(
            version, LocalProgram([sys.executable, str(path)]), keep=lambda game: game.save(), checkpoint=lambda: None
        )

    return run


def only(found: Check) -> CheckGame:
    (game,) = found.games
    assert records.verify(game.record_data()) is None
    return game


class TestJudged:
    """Entries that are judged game by game, on the public games."""

    def test_a_correct_entry_passes_although_some_games_must_be_lost(self, checked: Checker) -> None:
        found = checked("even_steven", STEVEN.replace("CHOOSE", THRIFTY))
        game = only(found)
        assert (found.verdict, found.warning, game.passed, game.faults) == ("", "", True, 0)
        seen = [event["verdict"] for event in game.record_data()["events"] if event["event"] == "result"]
        assert seen == ["lose necessarily", "win"]

    def test_one_that_loses_what_could_be_won_does_not(self, checked: Checker) -> None:
        found = checked("even_steven", STEVEN.replace("CHOOSE", SPENDTHRIFT))
        game = only(found)
        assert not game.passed
        assert game.fault_kind == ""
        assert game.fault_game == 2
        assert found.verdict.endswith("“incorrect output”: a game ended with “lose unnecessarily” (game 2).")
        version = game.submission
        rows = render_to_string(
            "submissions/_check_games.html",
            {"contest": version.contest, "rows": check_rows([game], "/", version.contest.game)},
        )
        words = " ".join(strip_tags(rows).split())
        assert words.count("game 2") == 2, "where it was, once, and the way there"
        assert "Replay of game 2 of check game 1" in words

    def test_a_fault_is_told_with_the_game_where_it_was_made(self, checked: Checker) -> None:
        source = STEVEN.replace("CHOOSE", "card = hand[0] if len(hand) > 2 else print('Xx', flush=True)")
        found = checked("even_steven", source)
        game = only(found)
        assert (game.passed, game.fault_kind, game.fault_game) == (False, "garbled", 2)
        assert "(game 2, card 3)" in found.verdict
        assert "it wrote “Xx”" in found.verdict


class TestForgiven:
    """Games whose rules only fine certain faults."""

    PLAY = QUESTION + "hand = groups[1]\nprint(*(hand[:3] if kind == 1 else []))\n"

    def test_faults_pass_with_a_warning_that_counts_them_and_says_what_they_cost(self, checked: Checker) -> None:
        discards_only = QUESTION + "print(*sorted(next(group for group in groups[1:] if len(group) >= 3))[:3])\n"
        found = checked("intensity", discards_only)
        assert len(found.games) == 4
        assert found.verdict == ""
        assert all(game.passed and game.faults and game.fine == 5 * game.faults for game in found.games)
        count = sum(game.faults for game in found.games)
        assert f"There were {count} faults in 4 of 4 games." in found.warning
        assert f"{5 * count} points, as in a match" in found.warning

    def test_a_bot_that_decides_nothing_by_itself_does_not_pass(self, checked: Checker) -> None:
        found = checked("intensity", "print('hello')\n")
        assert not any(game.passed for game in found.games)
        assert "it wrote “hello" in found.verdict


class TestUnitTests:
    def test_they_are_shown_as_they_were_printed(self, checked: Checker) -> None:
        found = checked("intensity", QUESTION + "print('all 12 tests passed' if kind == 3 else 'Rosie')\n")
        assert found.findings == [{"title": "Its unit tests passed.", "text": "all 12 tests passed", "bad": False}]

    @pytest.mark.parametrize(
        ("action", "title"),
        [
            ("sys.exit(3)", "Its unit tests failed: the program exited with status 3."),
            (
                "import os; os.abort()",
                "Its unit tests failed: the program was ended by signal 6 (abort(): a failed assertion, an uncaught "
                "exception, or memory that was damaged).",
            ),
        ],
    )
    def test_failing_is_told_and_refuses_nobody(self, checked: Checker, action: str, title: str) -> None:
        found = checked("intensity", QUESTION + f"if kind == 3:\n    {action}\nprint('Rosie')\n")
        assert [(it["title"], it["bad"]) for it in found.findings] == [(title, True)]
        assert "unit tests" not in found.verdict
