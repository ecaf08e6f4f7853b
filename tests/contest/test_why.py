"""Who may read what a crashed program wrote is told why it crashed: one explanation for pages and the API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contest.replay import Replay
from games.record import Record
from tournaments.api.match import outputs

pytestmark = pytest.mark.promise

GOLDEN = Path(__file__).parents[1] / "games" / "golden"
TRACE = "Traceback (most recent call last):\n  File \"/box/bot.py\", line 7, in <module>\nKeyError: 'd5'\n"
TOLD = "exited with status 1 without an answer: KeyError: 'd5' (shark.py, line 7)"


@pytest.fixture
def crashed() -> tuple[Record, int, int]:
    """A record, the player that crashed in it, and the index of the fault."""
    record = json.loads((GOLDEN / "tricky_eights-faults.json").read_text())
    place, fault = next((at, it) for at, it in enumerate(record["events"]) if it.get("kind") == "crash")
    record["seats"][fault["seat"]]["bot"] = "shark.py"
    return record, fault["seat"], place


def test_a_replay_explains_a_crash_where_the_output_may_be_read(crashed: tuple[Record, int, int]) -> None:
    record, player, place = crashed
    shown = Replay(record, 1, "table", "", {player: [(place, TRACE)]})
    (wrote, text), (why, told) = shown.step(place).debug
    assert text == TRACE
    assert told.startswith(f"It {TOLD}. Print the list or dictionary")
    assert why != wrote, "these are the portal's words, not the bot's"
    assert Replay(record, 1, "table", "").step(place).debug == []
    other = Replay(record, 1, "table", "", {1 - player: [(place, TRACE)]})  # of an opponent alone
    ((heading, _),) = other.step(place).debug
    assert heading.startswith(shown.seats[1 - player].name)


def test_the_api_says_why_beside_what_was_written(crashed: tuple[Record, int, int]) -> None:
    record, player, place = crashed
    said = outputs({player: [(place, TRACE)], player + 1: [(3, "fine")]}, record)
    told: dict[int, Any] = {it["seat"]: it for it in said}
    assert told[player]["crash"] == TOLD
    assert told[player]["advice"].startswith("Print the list or dictionary")
    assert (told[player + 1]["crash"], told[player + 1]["advice"]) == ("", "")
