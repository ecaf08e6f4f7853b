"""Practice and trials from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contest.models import Team
from games.record import loads
from tests.kibitz.conftest import Kibitz, beside, token
from tests.tournaments.practice.gym import gym, play_with_house
from tests.tournaments.practice.laboratory import STRONG, WEAK, laboratory, played_out
from tests.waiting import wait_for
from tournaments.models import PracticeOrder, Trial


@pytest.fixture
def teams(transactional_db: None, live_server: Any, kibitz: Kibitz) -> list[Team]:
    """Two teams with bots. A member of the first has logged in."""
    _, teams = gym()
    member = teams[0].people()[0].user
    assert kibitz("login", live_server.url, "--token", token(member, "bot")).status == 0
    return teams


def test_games_are_ordered_and_waited_for(teams: list[Team], kibitz: Kibitz, home: Path) -> None:
    words = ("practice", "--opponents", "house:random", "--games", 4, "--seed", 7, "--wait", "--json")
    with beside(*words) as command:
        wait_for(PracticeOrder.objects.exists)
        play_with_house(PracticeOrder.objects.get())
        out, err = command.communicate()
    told = json.loads(out)
    assert (command.returncode, err, told["state"], told["played"]) == (0, "", "done", 4)
    assert [game["seed"] for game in told["game_list"]] == [7, 8, 9, 10]
    number = told["id"]
    assert kibitz("practices", number, "--json").json == told
    text = kibitz("practices", number).out
    assert "4 of 4 games" in text
    assert "%" in text
    assert kibitz("practices", "--json").json[0]["id"] == number
    assert "4 of 4" in kibitz("practices").out
    assert kibitz("practices", number, "--game", 1, "-o", "game.json").status == 0
    assert loads((home / "game.json").read_bytes())["seed"] == 7
    assert kibitz("practices", number, "--game", 9).status == 2


@pytest.fixture
def team(transactional_db: None, live_server: Any, kibitz: Kibitz) -> Team:
    """A team with two versions. A member has logged in."""
    _, team = laboratory()
    assert kibitz("login", live_server.url, "--token", token(team.people()[0].user, "bot")).status == 0
    return team


@pytest.mark.long("more")
@pytest.mark.parametrize(("new", "old", "expected"), [(STRONG, WEAK, 0), (WEAK, STRONG, 1)])
def test_the_exit_status_is_the_answer(team: Team, kibitz: Kibitz, new: str, old: str, expected: int) -> None:
    words = [
        "trial",
        "2",
        "1",
        "--opponents",
        "house:avoider",
        "--bounds",
        "0",
        "4",
        "--cap",
        "40",
        "--seed",
        "17",
        "--wait",
        "--json",
    ]
    with beside(*words) as command:
        wait_for(lambda: Trial.objects.exists() or command.poll() is not None)
        played_out(Trial.objects.get(), new=new, old=old)
        out, err = command.communicate()
    told = json.loads(out)
    assert (command.returncode, err) == (expected, "")
    assert (told["decision"] == "better") is (expected == 0)
    number = told["id"]
    text = kibitz("trials", number, "--wait")
    assert text.status == expected
    assert "version 2: " in text.out, "where they first differ"
    assert "Pairs that moved it most" in text.out
    assert f"Version 2 is {'better' if expected == 0 else 'not better'} than version 1." in text.out
    assert kibitz("trials", number).status == 0
    assert kibitz("trials", number, "--json").json == told
    assert [it["id"] for it in kibitz("trials", "--json").json] == [number]
    assert "better" in kibitz("trials").out
