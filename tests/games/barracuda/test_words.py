"""Barracuda in words: captions, the log, and the output of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.__main__ import main
from games.barracuda import GAME
from games.record import games, loads, log
from tests.games.barracuda.table import deal, play, start

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDS = {path.stem: loads(path.read_bytes()) for path in sorted(GOLDEN.glob("barracuda-*.json"))}


def captions(moves: str, left: str = "12 9 8 8 1", right: str = "13 6 6 4 3", **options: Any) -> list[str]:
    """The captions of a hand's moves."""
    state = start(**options)
    view = GAME.view(None)
    for event in [{"event": "game", "number": 1, "leader": 0}, *deal(state, left, right)]:
        view.tell(event)
    said = []
    events = play(state, moves)
    if state.turn == -2:
        events.append(state.result())
    for event in events:
        said.append(GAME.caption(event, view))
        view.tell(event)
    return said


def test_a_trick_in_words() -> None:
    assert captions("8 6") == ["Left leads an 8.", "Right loses to the 8 with a 6.", "Left takes the trick."]
    assert captions("9 13")[1:] == ["Right beats the 9 with a 13.", "Right takes the trick."]


def test_challenges_in_words() -> None:
    assert captions("! no") == [
        "Left offers a challenge: give me a point, or play this hand for the whole game.",
        "Right rejects the challenge: the hand is over.",
        "Left gets the point of hand 1. It is Left 1 and Right 0.",
    ]
    assert captions("! x")[2] == "Right does not answer, which counts as rejecting the challenge: the hand is over."
    assert captions("! yes")[1] == "Right accepts: whoever takes more tricks in this hand wins the game."
    assert captions("! yes 12 13 6 9 8 6 8 4 1 3")[-2:] == [
        "Left wins the challenge, 3 tricks to 2.",
        "Left wins the game, by the challenge.",
    ]
    tied = captions("! yes 9 9 8 8 7 7 6 6 5 5", "9 8 7 6 5", "9 8 7 6 5")
    assert tied[-1] == "The challenge is tied: the hand counts for nothing, and the game goes on."


def test_a_forfeit_in_words() -> None:
    assert captions("8 x")[2:] == [
        "The 8 goes back to Left. Right fails to play a card and loses its highest, a 13; Left gives up its lowest, "
        "a 1, and takes the trick.",
        "Left takes the trick.",
    ]
    assert captions("x")[1].startswith("Left fails to play a card and loses its highest, a 12; Right gives up")


# The log


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_the_log_has_all_messages_and_answers(name: str) -> None:
    record = RECORDS[name]
    for number, events in enumerate(games(record), 1):
        lines = log(record, number).splitlines()
        sent = [json.loads(line[3:]) for line in lines if line[:2] in ("0>", "1>")]
        requests = [message for message in sent if message["type"] == "request"]
        faults = [event for event in events if event["event"] == "fault"]
        assert len(requests) == sum("ms" in event for event in events) + len(faults)
        results = [message["result"]["type"] for message in sent if message["type"] == "result"]
        assert results.count("trick_won") + results.count("trick_tied") == 2 * sum(
            event["event"] == "trick" for event in events
        )
        assert results.count("game_won") == 2
        assert results.count("error") == len(faults)
        assert sum(line[:2] in ("0<", "1<") for line in lines) >= sum("ms" in event for event in events)
        assert sum(line.startswith("#") for line in lines) == len(events) + 4


# The command line


def test_without_a_number_of_games_a_round_is_played(tmp_path: Path) -> None:
    record = tmp_path / "b.json"
    assert main(["play", "barracuda", "random", "house:careful", "--seed", "3", "--record", str(record)]) == 0
    scores = loads(record.read_bytes())["result"]["scores"]
    assert max(scores) == 21 or abs(scores[0] - scores[1]) == 5


def test_a_changed_record_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for old, new in (
        ('"lost":', '"lost":1'),
        ('"by":"referee"', '"ms":1'),
        ('"leader":0', '"leader":1'),
        ('"winner":1,"points":1', '"winner":0,"points":1'),
    ):
        text = (GOLDEN / "barracuda-faults.json").read_text()
        assert old in text
        path = tmp_path / "changed.json"
        path.write_text(text.replace(old, new, 1))
        assert main(["verify", str(path)]) == 1, old
        assert "event " in capsys.readouterr().out
