"""`kibitz ladder`, run as people run it, with players whose place is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games import ladder
from games.__main__ import main
from games.intensity import GAME

RATINGS = {rung.name: rung.rating for rung in ladder.rungs(GAME)}
LADDER = ["--game", "intensity", "--seed", "7"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def climbed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["ladder", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.long("more")
@pytest.mark.parametrize(("name", "matches"), [("random", 120), ("meek", 120)])
def test_a_player_of_known_strength_is_found_where_it_is(
    name: str, matches: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = climbed(capsys, f"house:{name}", *LADDER, "--matches", str(matches))
    assert abs(found["rating"] - RATINGS[name]) <= 1.5 * found["error"]
    assert found["error"] < 130
    assert found["matches"] <= matches
    assert sum(rung["matches"] for rung in found["rungs"]) == found["matches"]
