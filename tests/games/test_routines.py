"""Processor time: who is charged for what, and the faults of real processes. What real clocks say:
tests/clocks/test_routines.py."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from games import get
from games.format import processor_times
from games.players import PROTOCOLS, HousePlayer, Seated
from games.programs import LocalProgram
from games.referee import Match, play
from games.routines import HARNESS_MS, SLACK_MS, Meter, RoutinePlayer

pytestmark = pytest.mark.promise

GAME = get("hearts")
KIT = Path(str(GAME.folder)) / "kit"
BOT = Path(__file__).parent / "hearts" / "bot.py"
RANDOM = next(house for house in GAME.house if house.name == "random")

LONG, SHORT = 60.0, 0.1
"""Seconds: what only a hang reaches, and enough for those who never answer."""


# The two clocks


def test_an_honest_report_counts() -> None:
    assert Meter().charge(10.02, 10.0) == pytest.approx(10.0)


def test_what_a_report_leaves_out_is_charged_beyond_what_a_harness_needs() -> None:
    assert Meter().charge(50.0, 0.0) == pytest.approx(50.0 - SLACK_MS)
    assert Meter().charge(50.0, None) == pytest.approx(50.0 - SLACK_MS)


def test_nobody_is_charged_more_than_the_clock_of_the_process_says() -> None:
    assert Meter().charge(0.5, 1e9) == 0.5


def test_the_slack_is_used_up() -> None:
    meter = Meter()
    charged = [meter.charge(0.13, 0.0) for _ in range(50)]
    assert charged[0] == 0
    assert charged[-1] == pytest.approx(0.13 - HARNESS_MS)
    assert sum(charged) == pytest.approx(50 * (0.13 - HARNESS_MS) - SLACK_MS + HARNESS_MS)


def test_the_rules_page_names_these_numbers() -> None:
    page = " ".join(GAME.rules_text().split())
    assert f"{HARNESS_MS} ms for a question on average, at most {SLACK_MS} ms saved up" in page


# Whole games


def match(program: LocalProgram, *, games: int = 1, **options: Any) -> Match:
    """The program in seat 0 against the house."""
    bot = Seated("bot", "bot", RoutinePlayer(program, startup=LONG))
    house = [Seated(f"random {number}", "house:random", HousePlayer(RANDOM)) for number in range(3)]
    options = GAME.options({"target": 1, "time_limit": LONG, **options})
    return play(GAME, [bot, *house], seed=4, options=options, preset="mactech-1998", games=games)


def habit(name: str, at: int = 3) -> LocalProgram:
    return LocalProgram([sys.executable, "-I", "-S", str(BOT), name, str(at)])


def test_a_penalty_follows_its_player_through_the_seats() -> None:
    record: dict[str, Any] = {
        "seats": [{}] * 4,
        "events": [
            {"event": "game", "number": 1, "seating": [0, 1, 2, 3]},
            {"event": "play", "seat": 0, "card": "2C", "ms": 1, "cpu_ms": 0.25},
            {"event": "result", "scores": [0] * 4, "winner": None, "cpu_ms": [1, 2, 3, 4]},
            {"event": "game", "number": 2, "seating": [3, 0, 1, 2]},
            {"event": "play", "seat": 0, "card": "2C", "ms": 1, "cpu_ms": 0.125},
            {"event": "play", "seat": 1, "card": "3C", "by": "referee"},
            {"event": "result", "scores": [0] * 4, "winner": None, "cpu_ms": [10, 20, 30, 40]},
        ],
    }
    assert processor_times(record) == [21.25, 32, 43, 14.125]
    assert GAME.penalty(GAME.options(), 21.25) == 21.25


# Faults


@pytest.mark.parametrize(
    ("name", "at", "kind", "detail"),
    [
        ("card", 2, "garbled", "answered with cards"),
        ("empty", 2, "garbled", "empty line"),
        ("four", 1, "garbled", "4 numbers"),
        ("twice", 1, "illegal", "twice"),
        ("thirteen", 2, "illegal", "chose index 13, which does not exist"),
        ("gone", 3, "illegal", "which is empty"),
        ("revoke", 2, "illegal", "had to follow suit"),
        ("silent", 1, "timeout", "did not answer in time"),
        ("crash", 2, "crash", "exited with status 1"),
        ("exit", 2, "crash", "exited with status 0 without an answer"),
        ("flood", 2, "output", "wrote more than"),
    ],
)
def test_every_fault_disqualifies_for_the_match(name: str, at: int, kind: str, detail: str) -> None:
    done = match(habit(name, at), games=2, time_limit=SHORT if kind == "timeout" else LONG)
    (fault,) = done.faults[0]
    assert fault["kind"] == kind
    assert detail in fault["detail"]
    assert "cpu" not in fault.get("answer", ""), "the report is not the player's"
    assert done.record["result"]["disqualified"] == [0]
    assert done.record["result"]["places"][0] == 4


def test_blanks_and_a_carriage_return_are_fine() -> None:
    assert match(habit("windows", 1)).faults == [[], [], [], []]


def test_a_program_that_does_not_start_in_time_is_too_slow() -> None:
    program = LocalProgram([sys.executable, "-I", "-S", "-c", "import time; time.sleep(300)"])
    bot = Seated("bot", "bot", RoutinePlayer(program, startup=SHORT))
    house = [Seated("random", "house:random", HousePlayer(RANDOM)) for _ in range(3)]
    done = play(GAME, [bot, *house], seed=4, options=GAME.options({"target": 1}), preset="mactech-1998")
    assert [fault["kind"] for fault in done.faults[0]] == ["timeout"]


def test_bots_are_spoken_to_by_the_name_of_the_protocol() -> None:
    assert PROTOCOLS[GAME.protocol] is RoutinePlayer
