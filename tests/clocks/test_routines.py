"""Processor time to a tenth of a millisecond: who is charged for what, by the clocks of real processes.

What a bot is charged is compared with what it burns by a clock of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from games.build import program_of
from games.engine import Event
from games.format import processor_times
from games.programs import LocalProgram
from games.referee import Match
from games.routines import HARNESS_MS, SLACK_MS
from games.toolchains import RECIPES
from tests.games.test_routines import BOT, GAME, KIT, habit, match

BURN_MS = 50.0
NEAR = 0.5
"""The error of that in milliseconds."""
MOST = 10 * BURN_MS
"""With all that an interpreter may need between two questions on a busy machine."""


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
    assert BURN_MS - NEAR < burnt < MOST
    assert idle < burnt / 2
    assert BURN_MS - NEAR < processor_times(done.record)[0] < MOST
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
    assert processor_times(done.record)[0] < 0.2 * len(mine(done))


def test_a_python_bot_does_not_pay_for_its_interpreter() -> None:
    done = match(program_of(GAME, str(KIT / "shell.py")), games=3)
    assert processor_times(done.record)[0] < 1.0 * len(mine(done))


def test_a_thread_in_the_background_is_charged(tmp_path: Path) -> None:
    """All of it except what a harness might have used, for the questions of the hand in which it burns."""
    code = (
        "if (trickNumber == 0) pthread_create(&aside, 0, BurnAside, 0);if (trickNumber == 12) pthread_join(aside, 0);"
    )
    done = match(burner(tmp_path, "PlayTrick", code=code))
    charged = processor_times(done.record)[0]
    assert BURN_MS - SLACK_MS - 14 * HARNESS_MS - NEAR < charged < MOST


@pytest.mark.parametrize("name", ["burning", "forge", "later"])
def test_a_forged_report_no_report_and_thinking_after_the_answer_are_charged(name: str) -> None:
    done = match(habit(name))
    assert BURN_MS - 2 * NEAR < processor_times(done.record)[0] < MOST


def test_burning_when_the_game_is_over_is_charged() -> None:
    done = match(habit("ending"))
    assert BURN_MS - NEAR < done.record["events"][-1]["cpu_ms"][0] < MOST


def test_a_boast_does_not_cost_more_than_was_used() -> None:
    assert idle_and_burnt(match(habit("boast")))[1] < BURN_MS / 2


def test_starting_is_not_charged() -> None:
    assert idle_and_burnt(match(habit("start")))[1] < BURN_MS / 2


@pytest.mark.parametrize("name", ["waste", "waste_more"])
def test_an_answer_that_is_refused_is_charged_where_faults_are_forgiven(name: str) -> None:
    """The referee decides for it; its time is added to its next decision."""
    done = match(habit(name, 3), disqualify=False)
    assert [fault["kind"] for fault in done.faults[0]] == ["illegal"]
    assert done.record["result"]["disqualified"] == []
    assert BURN_MS - 2 * NEAR < processor_times(done.record)[0] < MOST


def test_a_bot_that_hangs_at_the_end_of_a_game_fails_at_its_next_question() -> None:
    """Nothing is recorded after the last decision, but the next game notices it."""
    code = BOT.read_text().replace(
        'if habit == "ending" and word == "end":\n                burn(0.05)',
        'if word == "end":\n                time.sleep(300)',
    )
    program = LocalProgram([sys.executable, "-I", "-S", "-c", code, "good", "1"])
    assert match(program, time_limit=1).faults[0] == []
    (fault,) = match(program, time_limit=1, games=2).faults[0]
    assert fault["kind"] == "timeout"
