"""Barracuda in words: the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.record import games, loads, log

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDS = {path.stem: loads(path.read_bytes()) for path in sorted(GOLDEN.glob("barracuda-*.json"))}


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
