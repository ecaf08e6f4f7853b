"""Hearts in words: what a spectator hears, and hearts.log."""

from __future__ import annotations

from pathlib import Path

from games.commands import result_lines
from games.format import counted_places, loads
from games.hearts import GAME
from games.record import games, log
from games.referee import play as play_match
from tests.games.cast import FirstLegal, fault, house, seats

GOLDEN = Path(__file__).parent.parent / "golden"


def test_the_log_has_what_was_sent_and_answered() -> None:
    players = seats(house(GAME), FirstLegal({3: fault()}), house(GAME), house(GAME))
    record = play_match(GAME, players, seed=3, options=GAME.options({"target": 1}), preset="open", games=2).record
    first = log(record, 1)
    lines = first.splitlines()
    assert lines[:2] == ["# Hearts, seed 3, rules open", "# seat 0: P0 (p0.c)"]
    assert GAME.log_name == "hearts.log"
    answers = [line for line in lines if line[1:3] == "< "]
    decided = [event for event in games(record)[0] if event["event"] in ("pass", "play") and "by" not in event]
    assert len(answers) == len(decided)
    assert sum(line.startswith("0> hand left ") for line in lines) == 1
    assert sum(line == "0> end" for line in lines) == 1
    assert not any(line.startswith("1> end") for line in lines), "it is out"
    assert any("exited with status 1" in line for line in lines if line.startswith("#"))
    assert not any(line.startswith(("1>", "1<")) for line in log(record, 2).splitlines()[:20])


def test_the_command_line_ranks_with_the_time_penalty() -> None:
    record = loads((GOLDEN / "hearts-random.json").read_bytes())
    slow = next(event for event in record["events"] if event["event"] == "play" and event["seat"] == 2)
    slow["cpu_ms"] += 17
    lines = [line.split() for line in result_lines(record)]
    assert [(line[0], line[1], line[3]) for line in lines] == [
        ("1.", "30", "P1"),
        ("2.", "14", "P2"),
        ("3.", "33", "P0"),
        ("4.", "105", "P3"),
    ]
    assert counted_places(GAME, record) == [3, 1, 2, 4]
    assert record["result"]["places"] == [3, 2, 1, 4], "those of the record are by the rules of the cards"
