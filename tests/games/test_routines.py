"""Processor time to a tenth of a millisecond: who is charged for what, with real processes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from games import get
from games.build import program_of
from games.engine import Event
from games.format import processor_times
from games.players import PROTOCOLS, HousePlayer, Seated
from games.programs import LocalProgram
from games.referee import Match, play
from games.routines import HARNESS_MS, SLACK_MS, Meter, RoutinePlayer
from games.toolchains import RECIPES

GAME = get("hearts")
KIT = Path(str(GAME.folder)) / "kit"
BOT = Path(__file__).parent / "hearts" / "bot.py"
RANDOM = next(house for house in GAME.house if house.name == "random")

BURN_MS = 50.0
NEAR = 0.5
"""The error of that in milliseconds."""
BESIDES_MS = 5.0
"""What a Python bot that reports nothing, or false times, may be charged in addition on a busy machine: the work of its
interpreter between two questions, which takes twice as long if every cache is cold."""


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
    bot = Seated("bot", "bot", RoutinePlayer(program))
    house = [Seated(f"random {number}", "house:random", HousePlayer(RANDOM)) for number in range(3)]
    options = GAME.options({"target": 1, **options})
    return play(GAME, [bot, *house], seed=4, options=options, preset="mactech-1998", games=games)


def habit(name: str, at: int = 3) -> LocalProgram:
    return LocalProgram([sys.executable, "-I", "-S", str(BOT), name, str(at)])


def mine(done: Match) -> list[Event]:
    """The events of player 0 with times, in all games."""
    found, seat = [], 0
    for event in done.record["events"]:
        seat = event["seating"].index(0) if "seating" in event else seat
        if event.get("seat") == seat and "cpu_ms" in event:
            found.append(event)
    return found


BURN = """
#include <pthread.h>
#include <time.h>

static void Burn(void)
{
    struct timespec first, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &first);
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((now.tv_sec - first.tv_sec) * 1e9 + (now.tv_nsec - first.tv_nsec) < 5e7);
}

static void *BurnAside(void *nothing)
{
    Burn();
    return nothing;
}

static pthread_t aside;
"""


def burner(folder: Path, routine: str, when: str = "1", code: str = "") -> LocalProgram:
    """The kit's C shell, which burns 50 ms in that routine, once; or runs `code` there."""
    if missing := RECIPES["c"].missing():
        pytest.skip(f"{missing[0]} is not installed (it builds C)")
    head, found, body = (KIT / "shell.c").read_text().partition(f"pascal void {routine}(")
    assert found
    before, brace, after = body.partition("{")
    once = code or f"static int burnt; if (!burnt && ({when})) {{ burnt = 1; Burn(); }}"
    path = folder / "burner.c"
    path.write_text(f"#define _GNU_SOURCE\n{BURN}{head}{found}{before}{brace} {once} {after}")
    return program_of(GAME, str(path))


def idle_and_burnt(done: Match) -> tuple[float, float]:
    """The total cost of the decisions without the burning, and of the one with it, or of the result."""
    results = [event["cpu_ms"][0] for event in done.record["events"] if event["event"] == "result"]
    times = [*(event["cpu_ms"] for event in mine(done)), *results]
    return sum(times) - max(times), max(times)


@pytest.mark.parametrize(
    ("routine", "when"),
    [
        ("InitTournament", "1"),
        ("InitGame", "1"),
        ("SelectPass", "1"),
        ("PlayTrick", "trickNumber == 3"),
        ("TrickResults", "1"),
        ("HandResults", "1"),
    ],
)
def test_fifty_milliseconds_in_a_routine_are_fifty_points(tmp_path: Path, routine: str, when: str) -> None:
    done = match(burner(tmp_path, routine, when))
    idle, burnt = idle_and_burnt(done)
    assert burnt == pytest.approx(BURN_MS, abs=NEAR)
    assert idle < NEAR
    assert processor_times(done.record)[0] == pytest.approx(BURN_MS, abs=NEAR)
    assert processor_times(done.record)[1:] == [0, 0, 0]
    (last,) = (event for event in done.record["events"] if event["event"] == "result")
    assert (last["cpu_ms"][0] > 40) == (routine == "HandResults"), "after the last decision it stands in the result"


def test_the_time_stands_where_it_was_used(tmp_path: Path) -> None:
    done = match(burner(tmp_path, "PlayTrick", "trickNumber == 3"))
    plays = [event for event in mine(done) if event["event"] == "play"]
    assert [event["cpu_ms"] > 40 for event in plays] == [number == 3 for number in range(13)]


def test_an_idle_bot_pays_next_to_nothing() -> None:
    done = match(program_of(GAME, str(KIT / "shell.c")), games=3)
    assert len(mine(done)) >= 3 * 14
    assert processor_times(done.record)[0] < 0.02 * len(mine(done))


def test_a_python_bot_does_not_pay_for_its_interpreter() -> None:
    done = match(program_of(GAME, str(KIT / "shell.py")), games=3)
    assert processor_times(done.record)[0] < 0.1 * len(mine(done))


def test_a_thread_in_the_background_is_charged(tmp_path: Path) -> None:
    """All of it except what a harness might have used, for the questions of the hand in which it burns."""
    code = (
        "if (trickNumber == 0) pthread_create(&aside, 0, BurnAside, 0);if (trickNumber == 12) pthread_join(aside, 0);"
    )
    done = match(burner(tmp_path, "PlayTrick", code=code))
    charged = processor_times(done.record)[0]
    assert BURN_MS - SLACK_MS - 14 * HARNESS_MS - NEAR < charged < BURN_MS + 2 * NEAR


@pytest.mark.parametrize("name", ["burning", "forge", "later"])
def test_a_forged_report_no_report_and_thinking_after_the_answer_are_charged(name: str) -> None:
    done = match(habit(name))
    assert -2 * NEAR < processor_times(done.record)[0] - BURN_MS < BESIDES_MS


def test_burning_when_the_game_is_over_is_charged() -> None:
    done = match(habit("ending"))
    assert done.record["events"][-1]["cpu_ms"][0] == pytest.approx(BURN_MS, abs=NEAR)


def test_a_boast_does_not_cost_more_than_was_used() -> None:
    assert idle_and_burnt(match(habit("boast")))[1] < BESIDES_MS


def test_starting_is_not_charged() -> None:
    assert idle_and_burnt(match(habit("start")))[1] < BESIDES_MS


@pytest.mark.parametrize("name", ["waste", "waste_more"])
def test_an_answer_that_is_refused_is_charged_where_faults_are_forgiven(name: str) -> None:
    """The referee decides for it; its time is added to its next decision."""
    done = match(habit(name, 3), disqualify=False)
    assert [fault["kind"] for fault in done.faults[0]] == ["illegal"]
    assert done.record["result"]["disqualified"] == []
    assert -2 * NEAR < processor_times(done.record)[0] - BURN_MS < BESIDES_MS


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
        ("silent", 2, "timeout", "did not answer in time"),
        ("crash", 2, "crash", "exited with status 1"),
        ("exit", 2, "crash", "exited with status 0 without an answer"),
        ("flood", 2, "output", "wrote more than"),
    ],
)
def test_every_fault_disqualifies_for_the_match(name: str, at: int, kind: str, detail: str) -> None:
    done = match(habit(name, at), games=2, time_limit=0.5)
    (fault,) = done.faults[0]
    assert fault["kind"] == kind
    assert detail in fault["detail"]
    assert "cpu" not in fault.get("answer", ""), "the report is not the player's"
    assert done.record["result"]["disqualified"] == [0]
    assert done.record["result"]["places"][0] == 4


def test_blanks_and_a_carriage_return_are_fine() -> None:
    assert match(habit("windows", 1)).faults == [[], [], [], []]


def test_a_program_that_does_not_start_in_time_is_too_slow() -> None:
    program = LocalProgram([sys.executable, "-I", "-S", "-c", "import time; time.sleep(30)"])
    bot = Seated("bot", "bot", RoutinePlayer(program, startup=0.2))
    house = [Seated("random", "house:random", HousePlayer(RANDOM)) for _ in range(3)]
    done = play(GAME, [bot, *house], seed=4, options=GAME.options({"target": 1}), preset="mactech-1998")
    assert [fault["kind"] for fault in done.faults[0]] == ["timeout"]


def test_a_bot_that_hangs_at_the_end_of_a_game_fails_at_its_next_question() -> None:
    """Nothing is recorded after the last decision, but the next game notices it."""
    code = BOT.read_text().replace(
        'if habit == "ending" and word == "end":\n                burn(0.05)',
        'if word == "end":\n                time.sleep(30)',
    )
    program = LocalProgram([sys.executable, "-I", "-S", "-c", code, "good", "1"])
    assert match(program, time_limit=0.2).faults[0] == []
    (fault,) = match(program, time_limit=0.2, games=2).faults[0]
    assert fault["kind"] == "timeout"


def test_bots_are_spoken_to_by_the_name_of_the_protocol() -> None:
    assert PROTOCOLS[GAME.protocol] is RoutinePlayer
