"""Uploaded TCP clients, from the upload to the verdict of their check."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games import explaining
from submissions import intake
from submissions.models import Submission
from submissions.process import process
from tests.cast import Cast, make_cast, make_contest, make_team

PLAIN = (Path(__file__).parents[2] / "games" / "barracuda" / "plain" / "plain.py").read_bytes()
"""It has the contest's server written into it, and ignores its arguments."""


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(game="barracuda", preset="open", options={"target": 2}, languages=["python"])


def checked(cast: Cast, source: bytes, arguments: str = "") -> Submission:
    upload = intake.Upload("mine.py", source)
    version = intake.receive(cast.aces, cast.alice, [upload], arguments=arguments).submission
    process(version.pk)
    return Submission.objects.get(pk=version.pk)


def test_a_program_plays_as_its_author_wrote_it(cast: Cast) -> None:
    version = checked(cast, PLAIN)
    assert (version.state, version.verdict, version.check_warning) == ("ready", "", "")
    assert version.run_command.endswith("bot.py 127.0.0.1 9999")


def test_a_team_may_say_how_its_program_is_told_the_server(cast: Cast) -> None:
    told = b"import sys\nassert sys.argv[1:] == ['--level', '3', '--host=127.0.0.1', '-p', '9999'], sys.argv\n" + PLAIN
    version = checked(cast, told, "--level 3 --host=HOST -p PORT")
    assert (version.state, version.verdict) == ("ready", "")
    assert version.run_command.endswith("bot.py --level 3 --host=127.0.0.1 -p 9999")
    for wrong in ("--host HOST", "'HOST PORT", "HOST\nPORT"):
        with pytest.raises(intake.UploadRefused) as refused:
            checked(cast, PLAIN, wrong)
        assert set(refused.value.problems) == {"arguments"}
    team = make_team(make_contest(game="tricky_eights"), cast.zoe)
    with pytest.raises(intake.UploadRefused, match="without arguments"):
        intake.receive(team, cast.zoe, [intake.Upload("mine.py", PLAIN)], arguments="HOST PORT")


def test_a_crash_is_forgiven_with_its_price(cast: Cast) -> None:
    crash = b'    assert "card" not in message["state"], "cannot follow"\n    answer = '
    version = checked(cast, PLAIN.replace(b"    answer = ", crash, 1))
    assert (version.state, version.verdict) == ("ready", "")
    assert version.check_warning.startswith("Your bot exited with status 1 without an answer: ")
    assert "mine.py, line 12" in version.check_warning
    assert "cannot follow" in version.check_warning
    price = re.search(r"There were (\d+) faults in 2 of 2 games. They cost (.+), as in a match.", version.check_warning)
    assert price is not None, version.check_warning
    assert sum(map(int, re.findall(r"\d+", price[2]))) == int(price[1]), "tricks, and points of challenges"


def test_a_clock_that_is_used_up_is_one_fault_of_a_game_as_in_matches(cast: Cast) -> None:
    cast.contest.options |= {"clock": 1}
    cast.contest.save()
    slow = b'    if "card" in message["state"]: __import__("time").sleep(60)\n    answer = '
    version = checked(cast, PLAIN.replace(b"    answer = ", slow, 1))
    for game in version.check_games.all():
        faults = [event["detail"] for event in game.record_data()["events"] if event["event"] == "fault"]
        assert game.faults == sum("ran out" in detail for detail in faults) < len(faults)


def test_a_program_that_crashes_whenever_it_is_asked_is_rejected(cast: Cast) -> None:
    version = checked(cast, PLAIN.replace(b"    answer = ", b"    1 / 0\n    answer = ", 1))
    assert version.state == "rejected"
    assert "division by zero" in version.verdict


def test_a_program_that_never_connects_is_told_where_it_must(cast: Cast) -> None:
    cast.contest.startup_seconds = 0.5
    cast.contest.options |= {"clock": 0.2}
    cast.contest.save()
    version = checked(cast, b"import time\ntime.sleep(60)\n")
    assert version.state == "rejected"
    assert version.verdict.startswith("Your bot never connected to HOST PORT (")
    assert explaining.UNCONNECTED in version.verdict
