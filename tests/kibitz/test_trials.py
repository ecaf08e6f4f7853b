"""Trials from the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contest.models import Team
from tests.kibitz.conftest import Kibitz, beside, token
from tests.tournaments.practice.laboratory import STRONG, WEAK, laboratory, played_out
from tests.waiting import wait_for
from tournaments.models import Trial


@pytest.fixture
def team(transactional_db: None, live_server: Any, kibitz: Kibitz) -> Team:
    """A team with two versions. A member has logged in."""
    _, team = laboratory()
    assert kibitz("login", live_server.url, "--token", token(team.people()[0].user, "bot")).status == 0
    return team


@pytest.mark.long("more")
@pytest.mark.parametrize(("new", "old", "expected"), [(STRONG, WEAK, 0), (WEAK, STRONG, 1)])
def test_the_exit_status_is_the_answer(team: Team, kibitz: Kibitz, new: str, old: str, expected: int) -> None:
    words = (
        "trial",
        2,
        1,
        "--opponents",
        "house:avoider",
        "--bounds",
        0,
        4,
        "--cap",
        40,
        "--seed",
        17,
        "--wait",
        "--json",
    )
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
