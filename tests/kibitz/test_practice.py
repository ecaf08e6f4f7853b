"""Practice from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contest.models import Team
from games.record import loads
from tests.kibitz.conftest import Kibitz, beside, token
from tests.tournaments.practice.gym import gym, play_with_house
from tests.waiting import wait_for
from tournaments.models import PracticeOrder


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
