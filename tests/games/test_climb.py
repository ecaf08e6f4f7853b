"""`kibitz ladder`, run as people run it, with players whose place is known."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from games import ladder
from games.__main__ import main
from games.climb import game_of
from games.intensity import GAME
from games.record import loads
from games.verify import verify

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


@pytest.mark.long("more")
def test_several_processes_find_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["house:ducker", *LADDER, "--matches", "16"]
    assert climbed(capsys, *words) == climbed(capsys, *words, "--jobs", "2")


@pytest.mark.long("more")
def test_the_costliest_hands_are_kept_and_can_be_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    """The records are those of the points that are told, and both matches have the same cards."""
    found = climbed(capsys, "house:drowsy", "--game", "hearts", "--seed", "3", "--matches", "8", "--records", "kept")
    assert [hand["loss"] for hand in found["hands"]] == sorted((hand["loss"] for hand in found["hands"]), reverse=True)
    first = found["hands"][0]
    assert first["loss"] == first["mine"] - first["theirs"] > 0, "in Hearts, points are bad"
    for path, points, bot in zip(
        first["records"], (first["mine"], first["theirs"]), ("house:drowsy", f"house:{first['against']}"), strict=True
    ):
        record = loads(Path(path).read_bytes())
        assert verify(record) is None
        seat = int(first["seat"].removeprefix("seat "))
        assert record["seats"][seat]["bot"] == bot
        scores = [event["hand"] for event in record["events"] if event["event"] == "score"]
        assert scores[first["hand"] - 1][seat] == points
        assert main(["show", path, "--hand", str(first["hand"])]) == 0
        shown = capsys.readouterr().out
        assert f"Hand {first['hand']}\n" in shown
        assert shown.count("\nHand ") == 1
    one, other = (loads(Path(path).read_bytes()) for path in first["records"])
    hands = [
        [event for event in each["events"] if event["event"] == "hand"][first["hand"] - 1] for each in (one, other)
    ]
    assert hands[0] == hands[1]


@pytest.mark.long("more")
def test_people_are_told_where_they_are_and_what_cost_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "house:meek", *LADDER, "--matches", "12"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Intensity, house:meek, 12 matches, seed 7\nYou are at ")
    assert "More matches would say it more precisely." in said
    assert re.search(
        r"^  as position \d: penalty points: you \d+, \w+ \d+\n    .* show ladder/1-mine.json$", said, re.MULTILINE
    )
    listed = re.findall(r"^   1\d\d\d  (\w+)", said, re.MULTILINE)
    assert listed == list(reversed(GAME.ladder)), "the strongest on top"


def test_a_source_says_by_its_kit_which_game_it_plays(capsys: pytest.CaptureFixture[str]) -> None:
    kit = Path(str(GAME.folder)) / "kit"
    Path("mine.py").write_bytes((kit / "random_player.py").read_bytes())
    assert game_of("mine.py") == "intensity"
    Path("other.py").write_text("print(1)\n", encoding="utf-8")
    assert main(["ladder", "other.py"]) == 2
    assert "say which game other.py plays, with --game" in capsys.readouterr().err


def test_time_ends_it_after_a_batch(capsys: pytest.CaptureFixture[str]) -> None:
    found = climbed(capsys, "house:random", *LADDER, "--minutes", "0")
    assert found["matches"] == 2 * ladder.BATCH
    assert not found["decided"]


@pytest.mark.long("more")
def test_show_refuses_a_hand_that_was_not_dealt(capsys: pytest.CaptureFixture[str]) -> None:
    climbed(capsys, "house:random", *LADDER, "--matches", "8")
    assert main(["show", "ladder/1-mine.json", "--hand", "2"]) == 2
    assert "no hand 2 was dealt" in capsys.readouterr().err
    assert main(["show", "ladder/1-mine.json", "--game", "2"]) == 2
    assert "no game 2" in capsys.readouterr().err
